//! Faults to plant, each on a CPU of its own thread; they say what they really took.
use host::{
    clock::{self, Clock, Monotonic},
    cpus, realtime,
    remap::Patches,
};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// A real-time thread that takes so many seconds of this CPU every 10 ms until it is stopped, waking up and going to sleep
/// included: it works until its own CPU clock says so since it last said so. The share that it used by that clock.
pub(crate) fn every_ten_milliseconds(
    cpu: u32,
    seconds: f64,
    priority: i32,
    stop: &AtomicBool,
) -> f64 {
    let _pinned = cpus::pin(cpu).unwrap();
    let _fifo = realtime::fifo(priority).unwrap();
    let clock = Monotonic::new();
    let (began, used) = (clock.now(), clock::thread_cpu_time());
    let mut turns = 0u32;
    while !stop.load(Relaxed) {
        turns += 1;
        let until = used + seconds * f64::from(turns);
        while clock::thread_cpu_time() < until {}
        let next = began + 0.01 * f64::from(turns);
        thread::sleep(Duration::from_secs_f64((next - clock.now()).max(0.0)));
    }
    (clock::thread_cpu_time() - used) / (clock.now() - began)
}

/// An ordinary thread that wants all of this CPU: the share that it got.
pub(crate) fn hog(cpu: u32, stop: &AtomicBool) -> f64 {
    let _pinned = cpus::pin(cpu).unwrap();
    let clock = Monotonic::new();
    let (began, used) = (clock.now(), clock::thread_cpu_time());
    while !stop.load(Relaxed) {
        std::hint::spin_loop();
    }
    (clock::thread_cpu_time() - used) / (clock.now() - began)
}

/// A thread that forbids and allows writing to pages of this process, in turn: calls of mprotect a second, in the median of slices
/// of 10 ms. Each call changes one page that was touched, for which every other CPU that runs this process gets one interrupt.
pub(crate) fn protects(cpu: u32, stop: &AtomicBool) -> f64 {
    let _pinned = cpus::pin(cpu).unwrap();
    let mut patches = Patches::map(64).unwrap();
    patches.touch();
    let (clock, mut rates) = (Monotonic::new(), vec![]);
    while !stop.load(Relaxed) {
        let (began, mut calls) = (clock.now(), 0u32);
        while clock.now() < began + 0.01 {
            calls += (0..64).map(|i| u32::from(patches.protect(i))).sum::<u32>();
            calls += (0..64).map(|i| u32::from(patches.permit(i))).sum::<u32>();
        }
        rates.push(f64::from(calls) / (clock.now() - began));
    }
    // Where nobody else runs yet, calls are quicker: the slices at the ends are few.
    stats::Sample::new(&rates).map_or(0.0, |rates| rates.median())
}

/// This process in a group that may use half a CPU, 50 of every 100 ms, until it is dropped.
pub(crate) struct Halved {
    group: PathBuf,
    home: PathBuf,
}

impl Halved {
    /// Nothing where no group can be made.
    pub(crate) fn enter() -> Option<Halved> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let all = own.lines().filter_map(|line| line.split_once(':')?.1.split_once(':'));
        let tops = [("cpu", "/sys/fs/cgroup/cpu"), ("cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct")];
        let v1 = all.clone().find_map(|(names, path)| {
            let (_, top) = tops.iter().find(|(known, _)| *known == names)?;
            Some((
                Path::new(top),
                path,
                [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "50000")],
            ))
        });
        let v2 = all.clone().find(|(names, _)| names.is_empty());
        let v2 = v2.map(|(_, path)| {
            (
                Path::new("/sys/fs/cgroup"),
                path,
                [("cpu.max", "50000 100000"), ("cpu.max.burst", "0")],
            )
        });
        let (top, path, values) = v1.or(v2)?;
        let group = top.join(format!("cpulens-halved-{}", std::process::id()));
        fs::create_dir(&group).ok()?;
        let halved = Halved { group, home: top.join(path.trim_start_matches('/')) };
        values
            .iter()
            .try_for_each(|(file, value)| fs::write(halved.group.join(file), value))
            .ok()?;
        fs::write(halved.group.join(PROCESSES), std::process::id().to_string()).ok()?;
        Some(halved)
    }
}

impl Drop for Halved {
    fn drop(&mut self) {
        let _ = fs::write(self.home.join(PROCESSES), std::process::id().to_string());
        let _ = fs::remove_dir(&self.group);
    }
}

/// The file with the processes of a group.
const PROCESSES: &str = "cgroup.procs";

/// A process on the calling thread's CPU that a timer signals two thousand times a second.
pub(crate) struct Storm(Child);

impl Storm {
    /// Nothing where there is no perl that can.
    pub(crate) fn start() -> Option<Storm> {
        let script = "use Time::HiRes qw(setitimer time ITIMER_REAL); $SIG{ALRM} = sub { $n++ }; \
                      setitimer(ITIMER_REAL, 0.0005, 0.0005); $t = time; $| = 1; print qq(.\n); \
                      $stop = sub { printf qq(%f\n), $n / (time - $t); exit }; \
                      vec($in, 0, 1) = 1; while (1) { select($r = $in, undef, undef, undef) > 0 and $stop->() }";
        let mut perl = Command::new("perl");
        perl.args(["-e", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut storm = Storm(perl.spawn().ok()?);
        storm.line().map(|_| storm)
    }
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        // One line is all that is ever on its way, so that nothing is lost in the buffer.
        let read = BufReader::new(self.0.stdout.as_mut()?).read_line(&mut line).ok()?;
        (read > 0).then_some(line)
    }
    /// Ends it, and says how many signals it got in a second.
    pub(crate) fn stop(mut self) -> Option<f64> {
        self.0.stdin.take()?.write_all(b"end\n").ok()?;
        let line = self.line();
        self.0.wait().ok()?;
        line?.trim().parse().ok()
    }
}

impl Drop for Storm {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
