//! `scale --server --client` with Debian's servers and their load generators, and with a server of a few lines that does what a
//! test asks. Nothing may be left behind, whichever side ends first.
use crate::resume::Running;
use crate::sandbox::{Ran, Sandbox, alive, load, possible, soon};
use record::{Outcome, ProbeId, Run, param};
use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    path::Path,
};

/// A port that nobody listens on.
fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

fn two_cpus() -> bool {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    possible("a server and its client need two CPUs", cpus >= 2)
}

fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
        || Path::new(program).is_file()
}

fn scaled(sandbox: &Sandbox, server: &str, client: &str, more: &[&str]) -> (Ran, Vec<Run>) {
    let file = sandbox.path("served.json");
    let _ = fs::remove_file(&file);
    let name = file.to_str().unwrap();
    let args = ["scale", "--full", "--force", "--repeats", "3", "--record", name];
    let ran =
        sandbox.cpulens(&[&args[..], &["--server", server, "--client", client], more].concat());
    let runs = if file.exists() { load(&file).runs } else { vec![] };
    (ran, runs.into_iter().filter(|r| r.case.probe == ProbeId::ScalingRun).collect())
}

/// Every point has the client's rate, and CPU times of both sides that their CPUs have.
fn both_sides_are_reported(sandbox: &Sandbox, server: &str, client: &str) {
    let (ran, runs) = scaled(sandbox, server, client, &["--cpus", "0,1"]);
    let ran = ran.done();
    assert_eq!(runs.len(), 3, "{}", ran.out);
    for run in &runs {
        let one = |metric| run.metric(metric).unwrap().samples[0];
        assert!(one(record::Metric::Throughput) > 100.0, "{run:?}");
        let used =
            [one(record::Metric::CpusUsed), run.reading("command.client_cpus_used").unwrap().value];
        // CPU times of processes are counted in ticks of 10 ms, and a server shuts down after its client's end.
        assert!(used.iter().all(|used| (0.01..1.2).contains(used)), "{used:?}");
        assert!(run.case.get(param::SERVER_WORDS).is_some(), "{run:?}");
    }
    let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["1 core the server used", "and the client", "how it scales is unknown"] {
        assert!(said.contains(words), "{words}: {}", ran.out);
    }
}

#[test]
fn redis_is_scaled() {
    if !two_cpus() || !possible("there is no redis-server", found("redis-server")) {
        return;
    }
    let (sandbox, port) = (Sandbox::new(), free_port());
    let server = format!("redis-server --port {port} --save '' --appendonly no");
    let client = format!("redis-benchmark -p {port} -t get -n 20000 -q");
    both_sides_are_reported(&sandbox, &server, &client);
}

#[test]
fn memcached_is_scaled() {
    let there = found("memcached") && found("memcaslap");
    if !two_cpus() || !possible("there is no memcached or no memcaslap", there) {
        return;
    }
    let (sandbox, port) = (Sandbox::new(), free_port());
    let server = format!("memcached -u nobody -p {port} -l 127.0.0.1 -t {{count}}");
    let client = format!("memcaslap -s 127.0.0.1:{port} -t 1s -T 1 -c 8");
    both_sides_are_reported(&sandbox, &server, &client);
}

#[test]
fn nginx_is_scaled() {
    if !two_cpus() || !possible("there is no nginx or no ab", found("nginx") && found("ab")) {
        return;
    }
    let (sandbox, port) = (Sandbox::new(), free_port());
    let folder = sandbox.path("");
    let file = sandbox.file(
        "nginx.conf",
        format!(
            "daemon off; worker_processes 1; pid {0}/nginx.pid; error_log stderr notice;\n\
             events {{}}\nhttp {{ access_log off; client_body_temp_path {0}/a; proxy_temp_path {0}/b;\n\
             fastcgi_temp_path {0}/c; uwsgi_temp_path {0}/d; scgi_temp_path {0}/e;\n\
             server {{ listen 127.0.0.1:{port}; location / {{ return 200 \"x\"; }} }} }}\n",
            folder.display()
        ),
    );
    let server = format!("nginx -c {file}");
    let client = format!("ab -q -n 5000 -c 8 http://127.0.0.1:{port}/");
    both_sides_are_reported(&sandbox, &server, &client);
}

/// Its backends lead process groups of their own, and it refuses to run as root.
#[test]
fn postgres_is_scaled() {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let bin = versions.map(|v| v.path().join("bin")).find(|bin| bin.join("postgres").is_file());
    let there = bin.is_some() && found("pgbench") && found("setpriv");
    if !two_cpus() || !possible("there is no postgres, pgbench or setpriv", there) {
        return;
    }
    let (sandbox, port, bin) = (Sandbox::new(), free_port(), bin.unwrap());
    let root = fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt;
        own.uid() == 0
    });
    let be = if root { "setpriv --reuid nobody --regid nogroup --clear-groups" } else { "" };
    let (top, bin) = (sandbox.path(""), bin.display().to_string());
    let data = top.join("data-of-postgres");
    let data = data.display();
    let init = format!(
        "chmod 777 {0} && {be} {bin}/initdb -D {data} -A trust -U bench -N > /dev/null",
        top.display()
    );
    sandbox.shell(&init).done();
    let server = format!(
        "{be} {bin}/postgres -D {data} -p {port} -c listen_addresses=127.0.0.1 -c fsync=off \
         -c unix_socket_directories={data}"
    );
    let to = format!("-h 127.0.0.1 -p {port} -U bench");
    let client =
        format!("sh -c 'pgbench {to} -i -q postgres 2>/dev/null && pgbench {to} -S -T 1 postgres'");
    let rate = ["--rate-regex", "(?m)^tps = ([0-9.]+)", "--cpus", "0,1"];
    let (ran, runs) = scaled(&sandbox, server.trim(), &client, &rate);
    ran.done();
    assert_eq!(runs.len(), 3);
    let rates = runs.iter().filter_map(|run| run.metric(record::Metric::Throughput));
    assert!(rates.filter(|rate| rate.samples[0] > 10.0).count() == 3, "{runs:?}");
    // A clean end: it removed its file.
    assert!(!top.join("data-of-postgres/postmaster.pid").exists());
}

/// A server of a few lines.
const SERVER: &str = "sh -c 'echo $$ >> pids; sleep 1000 & echo $! >> pids; setsid sleep 1000 & echo $! >> pids; \
                      echo serving; wait'";

#[test]
fn a_server_is_ended_with_all_that_it_started() {
    if !two_cpus() {
        return;
    }
    let sandbox = Sandbox::new();
    let ready = ["--ready-text", "^serving$", "--cpus", "0,1"];
    let (ran, runs) = scaled(&sandbox, SERVER, "sh -c 'grep -c . pids'", &ready);
    ran.done();
    assert_eq!(runs.len(), 3);
    let pids = fs::read_to_string(sandbox.path("pids")).unwrap();
    // Each point had a server of its own, which was there before its client.
    assert_eq!(pids.lines().count(), 9);
    assert!(!pids.lines().any(alive), "{pids}");
}

/// SIGKILL leaves no time to end anything.
#[test]
fn a_killed_run_leaves_no_server() {
    if !two_cpus() {
        return;
    }
    let sandbox = Sandbox::new();
    // Before the server is ready, and while the client runs.
    for (ready, client) in [("never", "true"), ("serving", "sh -c 'echo >> going; sleep 1000'")] {
        let args = ["scale", "--repeats", "3", "--cpus", "0,1", "--server", SERVER];
        let of_ready = ["--ready-text", ready, "--client", client];
        let run = Running::start(&sandbox, &[&args[..], &of_ready].concat());
        let pids = || fs::read_to_string(sandbox.path("pids")).unwrap_or_default();
        let going = || ready == "never" || sandbox.path("going").exists();
        assert!(soon(|| pids().lines().count() == 3 && going()), "{ready}: {}", pids());
        drop(run);
        assert!(soon(|| !pids().lines().any(alive)), "{ready}: {}", pids());
        fs::remove_file(sandbox.path("pids")).unwrap();
    }
}

#[test]
fn servers_that_do_not_serve_say_why() {
    if !two_cpus() {
        return;
    }
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let text = ["--ready-text", "serving"];
    for (server, ready, words) in [
        (
            "sh -c 'echo no such file; exit 3'",
            text,
            "it ended before it was ready; it wrote: no such file",
        ),
        ("sleep 1000", ["--ready-port", &port], "another program listens on port"),
        (
            "sh -c 'echo serving; sleep 0.2'",
            text,
            "the server ended with status 0 while the client ran",
        ),
        ("sleep 1000", ["--ready-text", "never"], "it was not ready after 2 s"),
    ] {
        let all = [&ready[..], &["--cpus", "0,1", "--timeout", "2"]].concat();
        let (_, runs) = scaled(&sandbox, server, "sleep 5", &all);
        let Outcome::Failed(why) = &runs[0].outcome else { panic!("{server}: {runs:?}") };
        assert!(why.why.contains(words), "{server}: {why}");
    }
    for (args, words) in [
        (&["--server", "sleep 9", "--client", "true"][..], "--ready-port or --ready-text"),
        (&["--server", "no-such-server", "--client", "true", "--ready-port", "1"], "not found"),
        (&["--server", "sleep 9", "--client", "no-such", "--ready-port", "1"], "not found"),
        (
            &["--server", "sleep 9", "--client", "true", "--ready-text", "("],
            "no regular expression",
        ),
        (
            &["--server", "sleep 9", "--client", "true", "--ready-port", "1", "--cpus", "0"],
            "CPUs of their own",
        ),
    ] {
        sandbox.cpulens(&[&["scale"], args].concat()).could_not(words);
    }
    for args in [
        &["scale", "--server", "sleep 9"][..],
        &["scale", "--client", "true"],
        &["scale", "--server", "sleep '9", "--client", "true", "--ready-port", "1"],
        &["scale", "core_rate", "--server", "sleep 9", "--client", "true", "--ready-port", "1"],
    ] {
        assert_eq!(sandbox.cpulens(args).code, 2, "{args:?}");
    }
}
