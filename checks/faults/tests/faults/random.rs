//! Faults by chance, one after the other until the time is over: FAULTS_SECONDS, 20 unless given. The first of them has the seed
//! FAULTS_SEED, the next one more; a failure names its own, which alone repeats it with FAULTS_SECONDS=0.
use crate::{
    alone::{After, alone, can_isolate},
    denied::{ENOSYS, EPERM, without_numbers},
    sandbox::{CHEAP, PROGRAM, Ran, Sandbox, has_control, is_record, load, reached},
};
use fastrand::Rng;
use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// A command that can be stopped, and for how long at most it runs before it is.
struct Target {
    line: &'static str,
    seconds: f64,
    /// Whether it saves a record, which `run --resume` completes in some seconds.
    resumes: bool,
}

const fn target(line: &'static str, seconds: f64, resumes: bool) -> Target {
    Target { line, seconds, resumes }
}

const TARGETS: &[Target] = &[
    target("run --only core_frequency,core_rate,load_latency", 4.0, true),
    target("run --depth quick", 15.0, false),
    target("scale --repeats 6 -- sh -c 'sleep 0.05 & sleep 0.1; wait'", 2.0, true),
    target("scale core_rate", 3.0, true),
    target("stat -- sleep 3", 3.0, false),
    target("spread -- sleep 0.3", 2.0, false),
    target("noise detours --seconds 1", 4.0, true),
    target("noise line --rounds 2 --isolate", 4.0, false),
    target("unixbench execl pipe --depth quick", 5.0, false),
    target(
        "db point-select --rows 2000 --points 1 --repeats 3 --windows 2 --seconds 0.2 --warm-up 0.1",
        3.0,
        true,
    ),
];

/// As the last, of a server, where there is one.
const SERVER: Target = target(
    "db point-select --engine mariadb --rows 2000 --points 1 --repeats 2 --windows 2 --seconds 0.2 --warm-up 0.1",
    6.0,
    true,
);

/// Signals, each 20 ms after the one before, and the number of that which ends the process.
const SIGNALS: [(&str, i32); 6] =
    [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9), ("STOP CONT INT", 2), ("INT INT", 2)];

/// System calls that a filter may deny (asm/unistd_64.h of x86-64), without those that every program needs to start.
const DENIABLE: &[u32] = &[
    1 << 20, // none
    16,      // ioctl
    27,      // mincore
    28,      // madvise
    35,      // nanosleep
    41,      // socket
    56,      // clone
    57,      // fork
    58,      // vfork
    62,      // kill
    63,      // uname
    72,      // fcntl
    73,      // flock
    74,      // fsync
    82,      // rename
    83,      // mkdir
    86,      // link
    89,      // readlink
    91,      // fchmod
    93,      // fchown
    97,      // getrlimit
    98,      // getrusage
    99,      // sysinfo
    137,     // statfs
    144,     // sched_setscheduler
    149,     // mlock
    157,     // prctl
    160,     // setrlimit
    203,     // sched_setaffinity
    204,     // sched_getaffinity
    217,     // getdents64
    230,     // clock_nanosleep
    237,     // mbind
    238,     // set_mempolicy
    239,     // get_mempolicy
    247,     // waitid
    264,     // renameat
    279,     // move_pages
    293,     // pipe2
    298,     // perf_event_open
    302,     // prlimit64
    309,     // getcpu
    316,     // renameat2
    318,     // getrandom
    324,     // membarrier
    332,     // statx
    334,     // rseq
    435,     // clone3
];

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_faults_leave_nothing_and_lose_nothing() {
    if !can_isolate() {
        return;
    }
    let (first, seconds) = (setting("FAULTS_SEED", 1), setting("FAULTS_SECONDS", 20));
    #[expect(clippy::disallowed_methods, reason = "how long the test goes on is no measurement")]
    let began = Instant::now();
    for seed in first.. {
        // Where it panics, the last line says by what.
        eprint!("FAULTS_SEED={seed} ");
        let mut rng = Rng::with_seed(seed);
        match rng.u32(0..20) {
            0..10 => signalled(&mut rng),
            10..14 => denied(&mut rng),
            14..16 => full_disk(&mut rng),
            16..19 => hostile_tree(&mut rng),
            _ => lying_server(&mut rng),
        }
        if began.elapsed() >= Duration::from_secs(seconds) {
            return eprintln!("{} faults", seed - first + 1);
        }
    }
}

fn choose<T: Copy>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.usize(..of.len())]
}

/// The records in all folders of a sandbox, each of which can be read.
fn records(sandbox: &Sandbox) -> Vec<PathBuf> {
    let mut files = sandbox.everything();
    files.retain(|f| is_record(f));
    files.iter().for_each(|f| drop(load(f)));
    files
}

fn signalled(rng: &mut Rng) {
    let there = ["mariadbd", "mysqld"].iter().any(|n| Path::new("/usr/sbin").join(n).exists());
    let of = TARGETS.iter().chain(Some(&SERVER).filter(|_| there)).collect::<Vec<_>>();
    let target = choose(rng, &of);
    let (signals, number) = choose(rng, &SIGNALS);
    let (whom, seconds) = (choose(rng, &["", "-"]), rng.f64() * target.seconds);
    let line = format!("signal {seconds:.3} '{signals}' '{whom}' /run/cpulens {}", target.line);
    eprintln!("{line}");
    let sandbox = Sandbox::new();
    let After { code, left, said } = alone(&sandbox, &line, false);
    assert_eq!(left, "", "{said}");
    assert!([0, 128 + number].contains(&code), "{code}: {said}");
    assert!(!said.contains("defect") && !said.contains("panicked"), "{said}");
    let records = records(&sandbox);
    let parts = sandbox.everything().into_iter().filter(|f| f.extension() == Some("part".as_ref()));
    assert!(parts.count() <= usize::from(number == 9) && records.len() <= 1, "{records:?}");
    let unfinished = records.iter().find(|record| reached(&load(record)).1 > 0);
    if let (true, Some(record)) = (target.resumes, unfinished) {
        let After { code, left, said } = alone(&sandbox, "/run/cpulens run --resume", false);
        assert_eq!((code, left.as_str(), reached(&load(record)).1), (0, "", 0), "{said}");
    }
}

fn denied(rng: &mut Rng) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let calls: Vec<u32> = (0..rng.usize(1..4)).map(|_| choose(rng, DENIABLE)).collect();
    let error = choose(rng, &[EPERM, ENOSYS]);
    let db = ["db", "point-select", "--rows", "500", "--points", "1", "--windows", "1"];
    let db = [&db[..], &["--seconds", "0.05", "--warm-up", "0.01"]].concat();
    let scale = ["scale", "--repeats", "2", "--", "true"];
    let args = choose(rng, &[&CHEAP[..], &["info"], &["stat", "--", "true"], &scale, &db]);
    eprintln!("system calls {calls:?} give error {error}: {args:?}");
    let sandbox = Sandbox::new();
    let Some(ran) = without_numbers(&sandbox, &calls, error, args) else { return };
    assert!([0, 2, 4].contains(&ran.code), "{}: {}", ran.code, ran.err);
    assert!(ran.code == 0 || !ran.err.is_empty());
    records(&sandbox);
}

fn full_disk(rng: &mut Rng) {
    let kib = rng.u32(4..200);
    eprintln!("a disk of {kib} KiB");
    let sandbox = Sandbox::new();
    let line = format!(
        "mkdir /run/small && mount -t tmpfs -o size={kib}k none /run/small || exit
         XDG_DATA_HOME=/run/small /run/cpulens run --only core_frequency; code=$?
         cp /run/small/cpulens/records/*.json.zst . 2> /dev/null
         umount /run/small; rmdir /run/small; (exit $code)"
    );
    let After { code, left, said } = alone(&sandbox, &line, false);
    assert_eq!(left, "", "{said}");
    assert!(code == 4 || code == 0, "{code}: {said}");
    assert!(said.contains("Core frequency"), "{said}");
    // What did not fit is in the working folder, whatever part of it is on the disk.
    assert!(records(&sandbox).iter().any(|record| reached(&load(record)) == (3, 0)), "{said}");
}

fn hostile_tree(rng: &mut Rng) {
    let sandbox = Sandbox::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let copy = format!("cp -r {root}/../../fixtures/machines/epyc-guest/tree tree");
    assert_eq!(sandbox.shell(&copy).code, 0);
    let files = sandbox.everything();
    for _ in 0..rng.usize(1..12) {
        let file = choose(rng, &files.iter().collect::<Vec<_>>());
        let _ = fs::remove_file(file).or_else(|_| fs::remove_dir_all(file));
        let random: Vec<u8> = (0..rng.usize(..4000)).map(|_| rng.u8(..)).collect();
        let path = file.display();
        match rng.u32(..7) {
            0 => fs::write(file, random).unwrap(),
            1 => fs::write(file, "9".repeat(rng.usize(..3000))).unwrap(),
            2 => fs::write(file, "0-4294967295,0-4294967294\n").unwrap(),
            3 => fs::write(file, "\u{1b}[2J\u{202e},-\u{7}\n=1+1\n".repeat(300)).unwrap(),
            4 => drop(sandbox.shell(&format!("mkfifo '{path}'"))),
            5 => fs::create_dir(file).unwrap(),
            _ => drop(sandbox.shell(&format!("ln -s ../../../../../../dev/zero '{path}'"))),
        }
    }
    eprintln!("a hostile tree");
    for command in [&["info"][..], &["run", "--dry-run"]] {
        let args = [command, &["--root", "tree"]].concat();
        let ran =
            Ran::of(sandbox.command(PROGRAM).args(args).timeout(Duration::from_secs(60))).done();
        assert!(!has_control(&ran.out) && !ran.out.contains('\u{202e}'), "{}", ran.out);
    }
}

/// A server that greets as MySQL does, or not, and then says whatever it likes, at once or byte by byte.
fn lying_server(rng: &mut Rng) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut rng = rng.fork();
    let (greets, slow) = (rng.bool(), rng.u32(..4) == 0);
    eprintln!("a server that greets: {greets}, slowly: {slow}");
    thread::spawn(move || {
        for connection in listener.incoming() {
            let Ok(mut connection) = connection else { return };
            let mut words = vec![];
            if greets {
                words.extend([0x4a, 0, 0, 0, 10]);
                words.extend(b"8.0.36\0\x01\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15");
                words.extend(b"\0\0\0\0\0\0\0\0\0\0ijklmnopqrst\0mysql_native_password\0");
                words.extend([7, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
            }
            words.extend((0..rng.usize(..5000)).map(|_| rng.u8(..)));
            for piece in words.chunks(if slow { 1 } else { 5000 }) {
                if connection.write_all(piece).is_err() {
                    break;
                }
                if slow {
                    thread::sleep(Duration::from_millis(20));
                }
            }
            let _ = connection.set_read_timeout(Some(Duration::from_millis(100)));
            let _ = connection.read(&mut [0; 1000]);
        }
    });
    let sandbox = Sandbox::new();
    let server = format!("mysql://root@127.0.0.1:{port}/test");
    let short = ["--points", "1", "--windows", "1", "--seconds", "0.1"];
    let ran = sandbox.cpulens(&[&["db", "point-select", "--engine", &server][..], &short].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(!has_control(&ran.err) && !ran.err.is_empty(), "{:?}", ran.err);
    records(&sandbox);
}
