//! Every exporter's lines, run by the tools that they are for, on this machine's own placement. What is not installed is
//! left out, and said. Groups are made in folders of the test's own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "tests end at the first surprise"
)]
use analyse::place::{Placement, Request, place};
use record::{Machine, Provenance, Record};
use sections::exporters;
use std::{fs, path::Path, process::Command};

/// Placements of this machine's instances.
fn placements() -> Vec<Placement> {
    let machine: Machine = inventory::inventory(&inventory::Folder::open(Path::new("/")).unwrap());
    let record = Record::new(Provenance::default(), machine, vec![]);
    let report = analyse::analyse(&record);
    let asks = [Request::default(), Request { instances: Some(1), ..Request::default() }];
    let all: Vec<Placement> = asks.iter().filter_map(|ask| place(&report, ask).ok()).collect();
    assert!(!all.is_empty());
    all
}

fn lines(id: &str, placement: &Placement) -> Vec<String> {
    let (_, exporter) = exporters::ALL.iter().find(|(known, _)| *known == id).unwrap();
    (exporter.lines)(placement).unwrap()
}

/// Runs a line of a shell as a user would type it; nothing if its program is not there.
fn typed(program: &str, line: &str, at: &Path) -> Option<(bool, String)> {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
    if !found.status.success() {
        eprintln!("skipped: {program} is not installed");
        return None;
    }
    let output = Command::new("sh").args(["-c", line]).current_dir(at).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

/// A line before a command: the command is `true`, and a wrong list must fail, so that the check is one.
fn before_a_command(id: &str, program: &str, wrong: (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    for placement in placements() {
        for line in lines(id, &placement) {
            let line = line.replace("COMMAND", "true");
            let Some((ran, said)) = typed(program, &line, folder.path()) else { return };
            // A container may forbid it to bind memory.
            if said.contains("Operation not permitted") {
                return eprintln!("skipped: {program}: {}", said.trim());
            }
            assert!(ran, "{line}: {said}");
            let broken = line.replacen(wrong.0, wrong.1, 1);
            assert_ne!(broken, line);
            assert!(!typed(program, &broken, folder.path()).unwrap().0, "{broken}");
        }
    }
}

#[test]
fn taskset_takes_its_line() {
    before_a_command("taskset", "taskset", ("--cpu-list ", "--cpu-list x"));
}

#[test]
fn numactl_takes_its_line() {
    before_a_command("numactl", "numactl", ("--physcpubind=", "--physcpubind=x"));
}

#[test]
fn hwloc_bind_takes_its_line() {
    before_a_command("hwloc", "hwloc-bind", ("pu:", "pv:"));
}

/// In either version's tree: the same lines write where that version reads.
#[test]
fn cgroup_lines_write_where_the_version_in_use_reads() {
    let placement = placements().remove(0);
    let text = lines("cgroup", &placement).join("\n").replace("echo PID ", "echo $$ ");
    for (version, controllers, group) in
        [(2, Some("cpuset cpu memory\n"), "NAME-0"), (1, None, "cpuset/NAME-0")]
    {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        if let Some(known) = controllers {
            fs::write(at("cgroup.controllers"), known).unwrap();
        } else {
            fs::create_dir(at("cpuset")).unwrap();
            fs::write(at("cpuset/cpuset.mems"), "0\n").unwrap();
        }
        let here = folder.path().to_str().unwrap();
        let script = text.replace("/sys/fs/cgroup", here);
        let (ran, said) = typed("sh", &format!("set -e\n{script}"), folder.path()).unwrap();
        assert!(ran, "version {version}: {said}");
        let cpus = fs::read_to_string(at(group).join("cpuset.cpus")).unwrap();
        assert_eq!(cpus.trim(), placement.instances[0].cpus.to_string());
        // A kernel of version 2 makes the file; without nodes of its own an instance leaves it alone.
        let nodes = version == 1 || !placement.instances[0].nodes.is_empty();
        for name in ["cgroup.procs", "cpuset.mems"].iter().take(1 + usize::from(nodes)) {
            assert!(!fs::read_to_string(at(group).join(name)).unwrap().trim().is_empty());
        }
        assert_eq!(at("cgroup.subtree_control").exists(), version == 2);
    }
}

#[test]
fn systemd_takes_its_drop_ins() {
    for placement in placements() {
        let folder = tempfile::tempdir().unwrap();
        let unit = "[Service]\nType=oneshot\nExecStart=/bin/true\n";
        fs::write(folder.path().join("NAME@.service"), unit).unwrap();
        let mut file = None;
        for line in lines("systemd", &placement) {
            if let Some(path) = line.strip_prefix("# /etc/systemd/system/") {
                let path = folder.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                file = Some(path);
                continue;
            }
            let path = file.as_ref().unwrap();
            let before = fs::read_to_string(path).unwrap_or_default();
            fs::write(path, format!("{before}{line}\n")).unwrap();
        }
        let verify = format!(
            "SYSTEMD_UNIT_PATH={}: systemd-analyze verify NAME@0.service",
            folder.path().display()
        );
        let Some((ran, said)) = typed("systemd-analyze", &verify, folder.path()) else { return };
        assert!(ran && !said.contains("Failed to parse") && !said.contains("Unknown"), "{said}");
        let path = folder.path().join("NAME@0.service.d/placement.conf");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("CPUAffinity=", "CPUAffinity=x")).unwrap();
        let (_, said) = typed("systemd-analyze", &verify, folder.path()).unwrap();
        assert!(said.contains("Failed to parse"), "{said}");
    }
}

/// podman takes docker's arguments and needs no daemon; the container is made of an empty folder and never started.
#[test]
fn podman_takes_dockers_arguments() {
    for placement in placements() {
        for (index, line) in lines("docker", &placement).into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let here = folder.path().display().to_string();
            fs::create_dir(folder.path().join("empty")).unwrap();
            let create = format!("podman --root {here}/root --runroot {here}/run create");
            let line = line.replace("docker run", &create);
            let line = line.replace("IMAGE", &format!("--rootfs {here}/empty true"));
            let Some((ran, said)) = typed("podman", &line, folder.path()) else { return };
            let removed = format!("podman --root {here}/root --runroot {here}/run rm NAME-{index}");
            if !ran && (said.contains("permission denied") || said.contains("not permitted")) {
                return eprintln!("skipped: podman: {}", said.trim());
            }
            assert!(ran, "{line}: {said}");
            assert!(typed("podman", &removed, folder.path()).unwrap().0);
        }
    }
}

#[test]
fn nginx_takes_its_configuration() {
    for placement in placements() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().display();
        let mut text = format!("pid {here}/pid;\nerror_log stderr;\nevents {{}}\n");
        for line in lines("nginx", &placement) {
            // Instances have a configuration each; the first stands for them.
            if line == "# instance 1" {
                break;
            }
            text += &(line + "\n");
        }
        fs::write(folder.path().join("nginx.conf"), &text).unwrap();
        let test = format!("nginx -t -p {here} -c {here}/nginx.conf");
        let Some((ran, said)) = typed("nginx", &test, folder.path()) else { return };
        assert!(ran, "{text}{said}");
        let wrong = text.replace("affinity auto ", "affinity auto 2");
        fs::write(folder.path().join("nginx.conf"), wrong).unwrap();
        assert!(!typed("nginx", &test, folder.path()).unwrap().0);
    }
}

/// MySQL's kin reads the groups as a server would, and does not start.
#[test]
fn mariadb_takes_its_settings() {
    for placement in placements() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("my.cnf");
        let text = lines("mysql", &placement).join("\n");
        let read = format!(
            "mariadbd --defaults-file={} --defaults-group-suffix=0 --verbose --help",
            file.display()
        );
        fs::write(&file, &text).unwrap();
        let Some((ran, said)) = typed("mariadbd", &read, folder.path()) else { return };
        assert!(ran, "{text}: {said}");
        fs::write(&file, text.replace("innodb_numa_", "innodb_numx_")).unwrap();
        assert!(!typed("mariadbd", &read, folder.path()).unwrap().0);
    }
}

#[test]
fn java_takes_its_options() {
    let folder = tempfile::tempdir().unwrap();
    for placement in placements() {
        for line in lines("jvm", &placement) {
            let (_, line) = line.split_once(" java ").unwrap();
            let line = format!("java {}", line.replace("-jar APP.jar", "-version"));
            let Some((ran, said)) = typed("java", &line, folder.path()) else { return };
            assert!(ran, "{line}: {said}");
            let wrong = line.replace("UseNUMA", "UseNUMX");
            assert!(!typed("java", &wrong, folder.path()).unwrap().0, "{wrong}");
        }
    }
}
