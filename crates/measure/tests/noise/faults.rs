//! Faults to plant, each on a CPU of its own thread; they say what they really took.
use host::{
    clock::{self, Clock, Monotonic},
    cpus, realtime,
    remap::Patches,
};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// A real-time thread that takes 100 us of this CPU every 10 ms until it is stopped: the share that it used by the kernel's
/// account of it, waking up and going to sleep included.
pub(crate) fn every_ten_milliseconds(cpu: u32, stop: &AtomicBool) -> f64 {
    let _pinned = cpus::pin(cpu).unwrap();
    let _fifo = realtime::fifo(50).unwrap();
    let clock = Monotonic::new();
    let (began, used) = (clock.now(), clock::of_thread());
    let mut turns = 0u32;
    while !stop.load(Relaxed) {
        let until = clock::of_thread() + 100e-6;
        while clock::of_thread() < until {}
        turns += 1;
        let next = began + 0.01 * f64::from(turns);
        thread::sleep(Duration::from_secs_f64((next - clock.now()).max(0.0)));
    }
    (clock::of_thread() - used) / (clock.now() - began)
}

/// An ordinary thread that wants all of this CPU: the share that it got.
pub(crate) fn hog(cpu: u32, stop: &AtomicBool) -> f64 {
    let _pinned = cpus::pin(cpu).unwrap();
    let clock = Monotonic::new();
    let (began, used) = (clock.now(), clock::of_thread());
    while !stop.load(Relaxed) {
        std::hint::spin_loop();
    }
    (clock::of_thread() - used) / (clock.now() - began)
}

/// A thread that protects pages of this process: how often it did in a second.
pub(crate) fn protects(cpu: u32, stop: &AtomicBool) -> f64 {
    let _pinned = cpus::pin(cpu).unwrap();
    let clock = Monotonic::new();
    let (began, mut calls) = (clock.now(), 0u64);
    while !stop.load(Relaxed) {
        let mut patches = Patches::map(64).unwrap();
        patches.touch();
        calls += (0..64).filter(|i| patches.protect(*i)).count() as u64;
    }
    calls as f64 / (clock.now() - began)
}

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
