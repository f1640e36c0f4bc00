//! The Slurm script, as one job on every node and as an array, and the check for NHC as the nodes' health check; by Slurm's own
//! daemons, three nodes on this machine. What the nodes measure was made from a fixture.
use super::fleet::{REPLAY, made, name};
use serde_json::Value;
use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::Duration,
};
use xtask::{
    children::{child, output},
    dist::{self, Arch},
    setup::{is_root, slurm},
    tree::{make, root, script, write},
};

const NODES: usize = 3;
/// The node whose health check finds a critical limit passed.
const BAD: &str = "node01";
/// Looks at the nodes' states, and the time from one to the next.
const RUNS: usize = 300;
const BETWEEN: Duration = Duration::from_millis(200);

/// As NHC's own `nhc` does for Slurm: a check that fails drains the node with its reason. slurmd gives it no other variable than
/// the node's name.
const HEALTH: &str = include_str!("health.sh");

/// Daemons that end with their owner.
struct Daemons(Vec<Child>);

impl Drop for Daemons {
    fn drop(&mut self) {
        for daemon in &mut self.0 {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Slurm on this machine: its programs, and the configuration that all of them read.
struct Slurm {
    usr: PathBuf,
    configuration: PathBuf,
    programs: PathBuf,
}

impl Slurm {
    fn program(&self, name: &str) -> Command {
        let mut program = child(self.usr.join(name));
        program.envs(self.environment());
        program
    }

    /// Environment variables of its programs, where they are not installed.
    fn environment(&self) -> [(&'static str, String); 3] {
        let usr = self.usr.display();
        let libraries = format!("{usr}/lib/x86_64-linux-gnu");
        [
            ("SLURM_CONF", self.configuration.display().to_string()),
            ("LD_LIBRARY_PATH", format!("{libraries}:{libraries}/slurm-wlm")),
            ("PATH", format!("{}:{usr}/bin:/usr/bin:/bin", self.programs.display())),
        ]
    }

    fn start(&self, folder: &Path) -> Result<Daemons, String> {
        let mut daemons = Daemons(vec![]);
        let mut start = |mut program: Command, log: &str| {
            let log = File::create(folder.join(log)).map_err(|e| format!("{log}: {e}"))?;
            let copy = log.try_clone().map_err(|e| e.to_string())?;
            let daemon = program.stdout(log).stderr(copy).spawn();
            daemons.0.push(daemon.map_err(|e| format!("cannot start a daemon of Slurm: {e}"))?);
            Ok::<(), String>(())
        };
        let mut control = self.program("sbin/slurmctld-wlm");
        control.args(["-D", "-c"]);
        start(control, "slurmctld.log")?;
        for node in (0..NODES).map(name) {
            let mut daemon = self.program("sbin/slurmd-wlm");
            daemon.args(["-D", "-N", &node, "-d"]).arg(self.usr.join("sbin/slurmstepd-wlm"));
            start(daemon, &format!("{node}.log"))?;
        }
        Ok(daemons)
    }

    /// Waits until every node has the state that is expected of it.
    fn until(&self, state: impl Fn(&str) -> &'static str) -> Result<(), String> {
        let expected: Vec<String> =
            (0..NODES).map(name).map(|n| format!("{n} {}", state(&n))).collect();
        let mut found = Ok(String::new());
        for _ in 0..RUNS {
            let mut info = self.program("bin/sinfo");
            found = output(info.args(["--noheader", "--Node", "--format=%N %t"]));
            if found.as_ref().is_ok_and(|text| text.lines().eq(expected.iter())) {
                return Ok(());
            }
            thread::sleep(BETWEEN);
        }
        Err(format!("Slurm's nodes: {found:?}, not {expected:?}"))
    }
}

pub(crate) fn chore(folder: &Path) -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") || !is_root()? {
        println!("not run: Slurm, which is unpacked on x86_64 only and run by root");
        return Ok(());
    }
    let folder = folder.join("slurm");
    let _ = fs::remove_dir_all(&folder);
    let [state, programs, runs, results] =
        ["state", "programs", "runs", "results"].map(|name| folder.join(name));
    make(&state)?;
    make(&programs)?;
    let usr = slurm()?;
    let slurm = Slurm { usr, configuration: folder.join("slurm.conf"), programs };
    script(&slurm.programs.join("cpulens"), REPLAY)?;
    made(&runs, 0)?;
    write(&slurm.configuration, configuration(&slurm, &folder, None)?)?;
    let daemons = slurm.start(&folder)?;
    slurm.until(|_| "idle")?;
    // A critical verdict is no failure of the job.
    for (part, job) in [("all", vec!["-N", "3"]), ("array", vec!["-N", "1", "--array=1-2"])] {
        let results = results.join(part);
        let mut batch = slurm.program("bin/sbatch");
        batch.env("RUNS", &runs).env("STATUS", "2").env("CPULENS_RESULTS", &results);
        batch.arg("--wait").args(job).arg("-o").arg(folder.join("job-%j.log"));
        output(batch.arg(root().join("contrib/slurm/cpulens.sbatch")))?;
        let mut fleet = child(dist::shipped(Arch::X86_64));
        let verdict = output(fleet.args(["fleet", "--format", "json"]).arg(&results))?;
        let verdict: Value = serde_json::from_str(&verdict).map_err(|e| e.to_string())?;
        let hosts = verdict["fleet"]["hosts"].as_u64().unwrap_or(0);
        // Two jobs of an array may meet one node.
        if hosts == 0 || (part == "all" && hosts != NODES as u64) {
            return Err(format!("Slurm's job ({part}): records of {hosts} nodes"));
        }
    }
    drop(daemons);
    health(&slurm, &folder)
}

/// The check for NHC finds one node bad, which Slurm drains.
fn health(slurm: &Slurm, folder: &Path) -> Result<(), String> {
    let program = folder.join("health.sh");
    let environment = slurm.environment().map(|(name, value)| format!("{name}={value}")).join(" ");
    let check = root().join("contrib/nhc/cpulens.nhc").display().to_string();
    let text = HEALTH.replace("ENVIRONMENT", &environment).replace("CHECK", &check);
    script(&program, &text.replace("BAD", BAD))?;
    script(&slurm.programs.join("cpulens"), super::verdicts::PROGRAM)?;
    write(&slurm.configuration, configuration(slurm, folder, Some(&program))?)?;
    let _daemons = slurm.start(folder)?;
    slurm.until(|node| if node == BAD { "drain" } else { "idle" })?;
    let reason = output(slurm.program("bin/sinfo").args(["--noheader", "--format=%E", "-n", BAD]))?;
    match reason.contains("CPULENS") {
        true => Ok(()),
        false => Err(format!("Slurm's reason to drain {BAD}: {reason}")),
    }
}

fn configuration(slurm: &Slurm, folder: &Path, health: Option<&Path>) -> Result<String, String> {
    let ports: Vec<TcpListener> = (0..=NODES)
        .map(|_| TcpListener::bind(("127.0.0.1", 0)))
        .collect::<Result<_, _>>()
        .map_err(|e| format!("no free port: {e}"))?;
    let ports: Vec<u16> = ports.iter().filter_map(|p| Some(p.local_addr().ok()?.port())).collect();
    let host = output(child("uname").arg("-n"))?;
    let (host, at, usr) = (host.trim(), folder.display(), slurm.usr.display());
    let mut text = format!(
        "ClusterName=cpulens\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nAuthType=auth/none\nCredType=cred/none\n\
         PluginDir={usr}/lib/x86_64-linux-gnu/slurm-wlm\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
         SelectType=select/linear\nMpiDefault=none\nReturnToService=2\nStateSaveLocation={at}/state\n\
         SlurmdSpoolDir={at}/spool-%n\nSlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/%n.pid\n\
         SlurmctldPort={}\nPartitionName=all Nodes=ALL Default=YES MaxTime=10\n",
        ports[0]
    );
    for (node, port) in (0..NODES).map(name).zip(&ports[1..]) {
        text += &format!("NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port}\n");
    }
    if let Some(script) = health {
        let script = script.display();
        text += &format!(
            "HealthCheckProgram={script}\nHealthCheckInterval=1\nHealthCheckNodeState=ANY\n"
        );
    }
    Ok(text)
}
