//! Output of several children line by line, by a pipe and a thread for each, so that no child waits for another.
//! Source: pipe(7). A line is handed on whole; an endless one is cut.
use super::Refused;
use std::{
    io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Longest line that is not cut.
const LONGEST: u64 = 64 << 10;
/// Lines that are buffered before a child has to wait.
const WAITING: usize = 1024;
/// Seconds that output may last after the end of all children: only an unkillable process still holds a pipe.
const PATIENCE: Duration = Duration::from_secs(2);

/// The stream of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A line of a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number of the child, as given to [`Lines::of`].
    pub child: usize,
    pub stream: Stream,
    /// Its bytes, without the line's end.
    pub bytes: Vec<u8>,
}

/// Reads the output of children.
#[derive(Debug)]
pub struct Lines {
    give: SyncSender<Line>,
    ended: Receiver<()>,
    taker: JoinHandle<()>,
}

impl Lines {
    /// Calls `take` with every line, on a thread of its own.
    pub fn new(mut take: impl FnMut(Line) + Send + 'static) -> Result<Lines, Refused> {
        let (give, lines) = sync_channel::<Line>(WAITING);
        let (end, ended) = sync_channel(1);
        let work = move || {
            lines.iter().for_each(&mut take);
            // Nobody may be waiting any more.
            let _ = end.send(());
        };
        let taker = thread::Builder::new().spawn(work);
        let taker = taker.map_err(|e| Refused::ours("start a thread", &e))?;
        Ok(Lines { give, ended, taker })
    }
    /// Pipes for the output and errors of the child with this number.
    pub fn of(&self, child: usize) -> Result<(PipeWriter, PipeWriter), Refused> {
        Ok((self.pipe(child, Stream::Out)?, self.pipe(child, Stream::Err)?))
    }
    fn pipe(&self, child: usize, stream: Stream) -> Result<PipeWriter, Refused> {
        let (from, to) = io::pipe().map_err(|e| Refused::ours("open a pipe", &e))?;
        let give = self.give.clone();
        let work =
            move || read(from, &mut |bytes| give.send(Line { child, stream, bytes }).is_ok());
        thread::Builder::new().spawn(work).map_err(|e| Refused::ours("start a thread", &e))?;
        Ok(to)
    }
    /// Waits until every line was handed on; whether that happened in time.
    pub fn finish(self) -> bool {
        drop(self.give);
        match self.ended.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => false,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => self.taker.join().is_ok(),
        }
    }
}

fn read(from: PipeReader, give: &mut dyn FnMut(Vec<u8>) -> bool) {
    let mut from = BufReader::new(from);
    loop {
        let mut bytes = vec![];
        match from.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(1..) => {}
            _ => return,
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if !give(bytes) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::{ProcessGroup, Program};
    use crate::clock::Monotonic;
    use std::sync::{Arc, Mutex};

    #[test]
    fn lines_of_several_children_arrive_whole_and_in_their_order() {
        let taken = Arc::new(Mutex::new(vec![]));
        let kept = Arc::clone(&taken);
        let lines = Lines::new(move |line| kept.lock().unwrap().push(line)).unwrap();
        let mut processes = ProcessGroup::new().unwrap();
        let script = "echo one $N; echo two $N >&2; printf three; exit $N";
        for child in 0..3 {
            let (out, err) = lines.of(child).unwrap();
            let program = Program::new(&["sh", "-c", script]).unwrap();
            processes.hold(&program.with("N", child.to_string()).writing(out, err)).unwrap();
        }
        let done = processes.run(&Monotonic::new(), Some(60.0)).unwrap();
        assert!(lines.finish());
        assert_eq!(done.ended.iter().map(|e| e.status.code()).collect::<Vec<_>>(), [0, 1, 2]);
        let taken = taken.lock().unwrap();
        for child in 0..3 {
            let of = |stream: Stream| -> Vec<String> {
                let own = taken.iter().filter(|l| l.child == child && l.stream == stream);
                own.map(|l| String::from_utf8(l.bytes.clone()).unwrap()).collect()
            };
            assert_eq!(of(Stream::Out), [format!("one {child}"), "three".into()]);
            assert_eq!(of(Stream::Err), [format!("two {child}")]);
        }
    }

    #[test]
    fn a_line_without_an_end_is_cut() {
        let taken = Arc::new(Mutex::new(vec![]));
        let kept = Arc::clone(&taken);
        let lines = Lines::new(move |line| kept.lock().unwrap().push(line.bytes.len())).unwrap();
        let (out, err) = lines.of(0).unwrap();
        let mut processes = ProcessGroup::new().unwrap();
        let much = "head -c 200000 /dev/zero";
        processes.hold(&Program::new(&["sh", "-c", much]).unwrap().writing(out, err)).unwrap();
        processes.run(&Monotonic::new(), Some(60.0)).unwrap();
        assert!(lines.finish());
        let taken = taken.lock().unwrap();
        assert_eq!((taken.iter().sum::<usize>(), taken.iter().max()), (200_000, Some(&65_536)));
    }

    #[test]
    fn a_variable_replaces_ours() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("home");
        let script = format!("printf %s \"$HOME\" > {}", file.display());
        let mut processes = ProcessGroup::new().unwrap();
        processes
            .hold(&Program::new(&["sh", "-c", &script]).unwrap().quiet().with("HOME", "/x y"))
            .unwrap();
        processes.run(&Monotonic::new(), Some(60.0)).unwrap();
        assert_eq!(std::fs::read_to_string(file).unwrap(), "/x y");
    }
}
