//! The Ansible role against twenty machines, two of them slow and one disturbed at its first run: the first round has three
//! suspects, and the second, of these only, makes two of them slow. The machines are namespaces of this one, each with a network,
//! a host name, files and an ssh server of its own. What they measure was made from a fixture, for the role is what is tested:
//! copy, run, collect, and look again.
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};
use xtask::{
    children::{child, output, run},
    dist::{self, Arch},
    setup::dropbear,
    tree::{make, read, root, write},
};

const MACHINES: usize = 20;
/// Addresses that nobody has; they are the first batch, in which nobody answers.
const DEAD: [&str; 2] = ["dead0 ansible_host=10.0.0.100", "dead1 ansible_host=10.0.0.101"];
/// Slow at both runs, and slow at the first only.
const SLOW: [usize; 2] = [4, 17];
const DISTURBED: usize = 9;
/// In place of the program: it answers with the run that was made for the machine.
pub(super) const REPLAY: &str = include_str!("replay.sh");
/// Folder of the ssh server, folder of the runs, number of machines, and the command that finds them at 10.0.0.1 and so on. It
/// runs in namespaces of its own and leaves nothing behind.
const NETWORK: &str = include_str!("network.sh");
/// One machine, by its number, and with the folders of the ssh server and of the runs.
const MACHINE: &str = include_str!("machine.sh");

pub(crate) fn playbook(folder: &Path, tools: &Path) -> Result<(), String> {
    if output(child("unshare").args(["--net", "--mount", "--uts", "true"])).is_err() {
        println!("not run: the Ansible role, for no namespaces may be made here; run as root");
        return Ok(());
    }
    let results = folder.join("results");
    let suspects = folder.join("suspects.txt");
    let host = |i| format!("{} ansible_host=10.0.0.{}", name(i), i + 1);
    let dead = DEAD.map(str::to_owned).into_iter();
    let machines: Vec<String> = dead.chain((0..MACHINES).map(host)).collect();
    let inventory = folder.join("hosts");
    write(&inventory, machines.join("\n"))?;
    let names = folder.join("names");
    write(&names, (0..MACHINES).map(name).collect::<Vec<_>>().join("\n"))?;
    let (server, key) = keys(folder)?;
    let replay = folder.join("replay");
    write(&replay, REPLAY)?;
    let program = dist::shipped(Arch::X86_64);
    let fleet = || {
        let mut fleet = child(&program);
        fleet.args(["fleet", "--format", "json", "--hosts"]).arg(&names);
        fleet.arg("--write-suspects").arg(&suspects).arg(&results);
        serde_json::from_str::<Value>(&output(&mut fleet)?).map_err(|e| e.to_string())
    };
    for (round, limit) in [(0, None), (1, Some(&suspects))] {
        let runs = folder.join("runs");
        made(&runs, round)?;
        let mut play = child("unshare");
        play.args(["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]);
        play.args(["bash", "-c", NETWORK, "network"]).args([&server, &runs]);
        play.arg(MACHINES.to_string()).args(["python3", "-m", "ansible.cli.playbook", "-i"]);
        play.env("MACHINE", MACHINE).env("PYTHONPATH", tools);
        play.env("ANSIBLE_HOME", folder.join("ansible")).env("ANSIBLE_HOST_KEY_CHECKING", "False");
        let options = "-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR";
        play.env("ANSIBLE_SSH_COMMON_ARGS", options);
        // The server has no sftp.
        play.env("ANSIBLE_SSH_TRANSFER_METHOD", "piped");
        play.arg(&inventory).args(["--user", "root", "--private-key"]).arg(&key);
        for (name, value) in [
            ("ansible_python_interpreter", "/usr/bin/python3".into()),
            ("cpulens_binary", replay.display().to_string()),
            ("cpulens_path", "/srv/cpulens".into()),
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
            return Err(format!("run {round}: {hosts} hosts, {flagged:?}, not {expected:?}"));
        }
    }
    Ok(())
}

/// The folder of the ssh server with its key and the client's, and the client's key.
fn keys(folder: &Path) -> Result<(PathBuf, PathBuf), String> {
    let server = dropbear()?;
    let libraries = server.join("usr/lib/x86_64-linux-gnu");
    let key = folder.join("client");
    for file in [&key, &folder.join("client.pub"), &server.join("server")] {
        let _ = fs::remove_file(file);
    }
    let mut generate = child("ssh-keygen");
    output(generate.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key))?;
    let mut generate = child(server.join("usr/bin/dropbearkey"));
    generate.env("LD_LIBRARY_PATH", libraries).args(["-t", "ed25519", "-f"]);
    output(generate.arg(server.join("server")))?;
    let public = folder.join("client.pub");
    let copied = fs::copy(&public, server.join("client.pub"));
    copied.map_err(|e| format!("{}: {e}", public.display()))?;
    Ok((server, key))
}

pub(super) fn name(number: usize) -> String {
    format!("node{number:02}")
}

/// A record of each machine, in the second round three hours later.
pub(super) fn made(runs: &Path, round: usize) -> Result<(), String> {
    make(runs)?;
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
        write(&runs.join(format!("{}.json", name(number))), record.to_string())?;
    }
    Ok(())
}
