//! `contrib/`: each file checked by the tool that it is for. Python's tools come from its package index, at the versions below.
use serde_json::Value;
use std::{fs, path::Path};
use xtask::{
    children::{child, find, output, run},
    dist::{self, Arch},
    tree::{cache, read, root},
};

const TOOLS: [&str; 2] = ["ansible-core==2.19.14", "duckdb==2.0.0"];
/// The inventory of Ansible: this machine, twice.
const HOSTS: &str = "one,two,";
/// Records of one kind, so that peers can be asked about.
const RECORDS: usize = 6;

pub(crate) fn chore() -> Result<(), String> {
    let folder = cache().join("contrib");
    let tools = folder.join("python");
    let results = folder.join("results");
    let _ = fs::remove_dir_all(&results);
    fs::create_dir_all(&results).map_err(|e| e.to_string())?;
    run(child("python3")
        .args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"])
        .arg(&tools)
        .args(TOOLS))?;
    queries(&folder, &tools)?;
    playbook(&results, &tools)?;
    units(&folder)?;
    serde_json::from_str::<Value>(&read(
        &root().join("contrib/node-problem-detector/cpulens.json"),
    )?)
    .map_err(|e| format!("node-problem-detector: {e}"))?;
    for script in [
        "contrib/node-problem-detector/npd.sh",
        "contrib/slurm/cpulens.sbatch",
        "contrib/nhc/cpulens.nhc",
    ] {
        run(child("bash").arg("-n").arg(root().join(script)))?;
    }
    Ok(())
}

/// Ten questions, asked of DuckDB.
fn queries(folder: &Path, tools: &Path) -> Result<(), String> {
    let text = read(&root().join("fixtures/records/v1/quiet-vm.json"))?;
    let mut record: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let mut records = vec![];
    for number in 0..RECORDS {
        record["provenance"]["name"] = format!("node{number}").into();
        let file = folder.join(format!("node{number}.json"));
        fs::write(&file, record.to_string()).map_err(|e| e.to_string())?;
        records.push(file);
    }
    let mut tables = vec![];
    for table in ["runs", "metrics"] {
        let file = folder.join(format!("{table}.csv"));
        let mut digest = child(dist::shipped(Arch::X86_64));
        run(digest.arg("digest").args(&records).args(["--table", table, "-o"]).arg(&file))?;
        tables.push(file);
    }
    let check = root().join("contrib/queries/check.py");
    run(child("python3").env("PYTHONPATH", tools).arg(check).args(tables))
}

/// The role, run against this machine under two names; the records that it collects are a fleet.
fn playbook(results: &Path, tools: &Path) -> Result<(), String> {
    let program = dist::shipped(Arch::X86_64);
    let python = find("python3").ok_or("there is no python3")?;
    let mut play = child("python3");
    play.env("PYTHONPATH", tools).args(["-m", "ansible.cli.playbook", "-i", HOSTS, "-c", "local"]);
    for (name, value) in [
        ("ansible_python_interpreter", python.as_path()),
        ("cpulens_binary", &program),
        ("cpulens_path", &results.with_file_name("copied")),
        ("cpulens_results", results),
    ] {
        play.arg("-e").arg(format!("{name}={}", value.display()));
    }
    run(play.arg(root().join("contrib/ansible/fleet.yml")))?;
    let fleet = output(child(&program).args(["fleet", "--format", "json"]).arg(results))?;
    let fleet: Value = serde_json::from_str(&fleet).map_err(|e| e.to_string())?;
    match fleet["fleet"]["hosts"].as_u64() {
        Some(2) => Ok(()),
        other => Err(format!("the fleet of two has {other:?} hosts")),
    }
}

/// The units, with the program that is there.
fn units(folder: &Path) -> Result<(), String> {
    let program = dist::shipped(Arch::X86_64).display().to_string();
    let mut files = vec![];
    for name in ["cpulens-check.service", "cpulens-check.timer"] {
        let text = read(&root().join("contrib/systemd").join(name))?;
        let file = folder.join(name);
        fs::write(&file, text.replace("/usr/local/bin/cpulens", &program))
            .map_err(|e| e.to_string())?;
        files.push(file);
    }
    run(child("systemd-analyze").arg("verify").args(files))
}
