//! `contrib/`: each file checked by the tool that it is for. Python's tools come from its package index, at the versions below.
mod fleet;
mod slurm;
mod verdicts;

use serde_json::Value;
use std::{fs, path::Path};
use xtask::{
    children::{child, run},
    dist::{self, Arch},
    tree::{cache, make, read, root, write},
};

const TOOLS: [&str; 3] = ["ansible-core==2.19.14", "duckdb==2.0.0", "kubernetes-validate==1.37.0"];
/// Runs of the fleet of which DuckDB is asked.
const RUNS: usize = 100_000;

pub(crate) fn chore() -> Result<(), String> {
    let folder = cache().join("contrib");
    let tools = folder.join("python");
    let results = folder.join("results");
    let _ = fs::remove_dir_all(&results);
    make(&results)?;
    run(child("python3")
        .args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"])
        .arg(&tools)
        .args(TOOLS))?;
    queries(&folder, &tools)?;
    fleet::playbook(&folder, &tools)?;
    verdicts::chore(&folder)?;
    slurm::chore(&folder)?;
    kubernetes(&tools)?;
    units(&folder)?;
    let detector = read(&root().join("contrib/node-problem-detector/cpulens.json"))?;
    serde_json::from_str::<Value>(&detector).map_err(|e| format!("node-problem-detector: {e}"))?;
    for script in [
        "contrib/node-problem-detector/npd.sh",
        "contrib/slurm/cpulens.sbatch",
        "contrib/nhc/cpulens.nhc",
    ] {
        run(child("bash").arg("-n").arg(root().join(script)))?;
    }
    Ok(())
}

/// Ten questions, asked of DuckDB about a large fleet that is made from one record.
fn queries(folder: &Path, tools: &Path) -> Result<(), String> {
    let [one, many] = ["one", "many"].map(|name| folder.join(name));
    for old in [&one, &many] {
        let _ = fs::remove_dir_all(old);
    }
    // Two runs, of which that of the first host is the later.
    let record = read(&root().join("fixtures/records/v1/quiet-vm.json"))?;
    let mut digest = child(dist::shipped(Arch::X86_64));
    digest.arg("digest");
    for (name, day) in [("a", "02"), ("b", "01")] {
        let mut record: Value = serde_json::from_str(&record).map_err(|e| e.to_string())?;
        record["provenance"]["name"] = name.into();
        record["provenance"]["started"] = format!("2026-01-{day}T00:00:00Z").into();
        let file = folder.join(format!("{name}.json"));
        write(&file, record.to_string())?;
        digest.arg(file);
    }
    run(digest.arg("--parquet").arg(&one))?;
    let python = |script: &str| {
        let mut python = child("python3");
        python.env("PYTHONPATH", tools).arg(root().join("contrib/queries").join(script));
        python
    };
    run(python("enlarge.py").args([&one, &many]).arg(RUNS.to_string()))?;
    run(python("check.py").arg(many).arg("duckdb"))
}

/// By the schemas of the Kubernetes API.
fn kubernetes(tools: &Path) -> Result<(), String> {
    let mut validate = child("python3");
    validate.env("PYTHONPATH", tools).args(["-m", "kubernetes_validate", "--strict"]);
    run(validate.arg(root().join("contrib/kubernetes/job.yaml")))
}

/// The units, with the program that is there.
fn units(folder: &Path) -> Result<(), String> {
    let program = dist::shipped(Arch::X86_64).display().to_string();
    let mut files = vec![];
    for name in ["cpulens-check.service", "cpulens-check.timer"] {
        let text = read(&root().join("contrib/systemd").join(name))?;
        let file = folder.join(name);
        write(&file, text.replace("/usr/local/bin/cpulens", &program))?;
        files.push(file);
    }
    run(child("systemd-analyze").arg("verify").args(files))
}
