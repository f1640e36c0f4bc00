//! The Ansible role against twenty machines, two of them slow and one disturbed at its first look: the first round has three
//! suspects, and the second, of these only, makes two of them slow. The machines are this one under twenty names, and what they
//! measure was made from a fixture, for the role is what is tested: copy, run, collect, and look again.
use serde_json::{Value, json};
use std::{fs, path::Path};
use xtask::{
    children::{child, find, output, run},
    dist::{self, Arch},
    tree::{read, root},
};

const MACHINES: usize = 20;
/// Slow at both looks, and slow at the first only.
const SLOW: [usize; 2] = [4, 17];
const DISTURBED: usize = 9;
/// In place of the program: it answers with the look that was made for the machine.
pub(super) const REPLAY: &str = "#!/bin/sh
# As roles and jobs call it: check --name NAME --record FILE
[ \"$1 $2 $4\" = \"check --name --record\" ] && cp \"$LOOKS/$3.json\" \"$5\" && exit \"${STATUS:-0}\"
";

pub(crate) fn playbook(folder: &Path, tools: &Path) -> Result<(), String> {
    let results = folder.join("results");
    let suspects = folder.join("suspects.txt");
    let names: Vec<String> = (0..MACHINES).map(name).collect();
    let inventory = folder.join("hosts");
    write(&inventory, &names.join("\n"))?;
    let replay = folder.join("replay");
    write(&replay, REPLAY)?;
    let program = dist::shipped(Arch::X86_64);
    let fleet = || {
        let mut fleet = child(&program);
        fleet.args(["fleet", "--format", "json", "--hosts"]).arg(&inventory);
        fleet.arg("--write-suspects").arg(&suspects).arg(&results);
        serde_json::from_str::<Value>(&output(&mut fleet)?).map_err(|e| e.to_string())
    };
    for (round, limit) in [(0, None), (1, Some(&suspects))] {
        let looks = folder.join("looks");
        made(&looks, round)?;
        let python = find("python3").ok_or("there is no python3")?;
        let mut play = child("python3");
        play.env("PYTHONPATH", tools).env("LOOKS", &looks).args([
            "-m",
            "ansible.cli.playbook",
            "-c",
            "local",
            "-i",
        ]);
        play.arg(&inventory);
        for (name, value) in [
            ("ansible_python_interpreter", python.display().to_string()),
            ("cpulens_binary", replay.display().to_string()),
            ("cpulens_path", format!("{}/{{{{ inventory_hostname }}}}.copied", folder.display())),
            ("cpulens_results", results.display().to_string()),
            ("cpulens_poll", "1".into()),
        ] {
            play.arg("-e").arg(format!("{name}={value}"));
        }
        if let Some(limit) = limit {
            play.arg("--limit").arg(format!("@{}", limit.display()));
        }
        run(play.arg(root().join("contrib/ansible/fleet.yml")))?;
        let found = fleet()?["fleet"].take();
        let expected: Vec<(String, &str)> = match round {
            0 => [SLOW[0], DISTURBED, SLOW[1]].map(|i| (name(i), "suspect")).into(),
            _ => SLOW.map(|i| (name(i), "slow")).into(),
        };
        let mut flagged: Vec<(String, &str)> = vec![];
        for f in found["flagged"].as_array().into_iter().flatten() {
            let text = |key: &str| f[key].as_str().unwrap_or_default();
            flagged.push((text("name").to_owned(), text("standing")));
        }
        flagged.sort();
        if found["hosts"] != MACHINES || flagged != expected {
            let hosts = &found["hosts"];
            return Err(format!("look {round}: {hosts} hosts, {flagged:?}, not {expected:?}"));
        }
    }
    Ok(())
}

pub(super) fn name(number: usize) -> String {
    format!("node{number:02}")
}

/// A record of each machine, in the second round three hours later.
pub(super) fn made(looks: &Path, round: usize) -> Result<(), String> {
    fs::create_dir_all(looks).map_err(|e| e.to_string())?;
    let text = read(&root().join("fixtures/records/v1/quiet-vm.json"))?;
    let quiet: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    for number in 0..MACHINES {
        let mut record = quiet.clone();
        record["provenance"]["name"] = json!(name(number));
        record["provenance"]["started"] = json!(format!("2026-03-01T0{}:00:00Z", 3 * round));
        let slow = SLOW.contains(&number) || (round == 0 && number == DISTURBED);
        let own = 1.0 + 0.002 * ((7 * number + 3 * round) % 10) as f64;
        for run in record["runs"].as_array_mut().into_iter().flatten() {
            let by = own * if slow && run["case"]["probe"] == "load_latency" { 1.4 } else { 1.0 };
            for series in run["outcome"]["measured"].as_array_mut().into_iter().flatten() {
                for sample in series["samples"].as_array_mut().into_iter().flatten() {
                    *sample = json!(sample.as_f64().map(|x| x * by));
                }
            }
        }
        write(&looks.join(format!("{}.json", name(number))), &record.to_string())?;
    }
    Ok(())
}

pub(super) fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

pub(super) fn runnable(file: &Path, text: &str) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    write(file, text)?;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(file, mode).map_err(|e| format!("{}: {e}", file.display()))
}
