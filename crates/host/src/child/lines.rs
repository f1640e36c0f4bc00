//! Output of several children by lines, by a pipe and a thread for each, so that no child waits for another. All lines of a
//! read are handed on at once: one at a time slows a child that prints much. Source: pipe(7). An endless line is cut.
use super::Refused;
use std::{
    io::{self, ErrorKind, PipeReader, PipeWriter, Read},
    mem,
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Longest line that is not cut; and the bytes of a read, which a pipe holds.
const LONGEST: usize = 64 << 10;
/// Reads that are buffered before a child has to wait.
const WAITING: usize = 64;
/// Seconds that output may last after the end of all children: only an unkillable process still holds a pipe.
const PATIENCE: Duration = Duration::from_secs(2);

/// The stream of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Lines of a child that were read at once: one or more, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeLines {
    /// The number of the child, as given to [`Lines::of`].
    pub child: usize,
    pub stream: Stream,
    /// Their bytes, without the end of the last.
    pub bytes: Vec<u8>,
}

impl WholeLines {
    /// Each line without its end.
    pub fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.split(|byte| *byte == b'\n')
    }
}

/// Reads the output of children.
#[derive(Debug)]
pub struct Lines {
    give: SyncSender<WholeLines>,
    ended: Receiver<()>,
    taker: JoinHandle<()>,
}

impl Lines {
    /// Calls `take` with all lines, on a thread of its own.
    pub fn new(mut take: impl FnMut(WholeLines) + Send + 'static) -> Result<Lines, Refused> {
        let (give, lines) = sync_channel::<WholeLines>(WAITING);
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
            move || read(from, &mut |bytes| give.send(WholeLines { child, stream, bytes }).is_ok());
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

fn read(mut from: PipeReader, give: &mut dyn FnMut(Vec<u8>) -> bool) {
    let mut buffer = vec![0; LONGEST];
    // The beginning of a line, shorter than the longest.
    let mut begun: Vec<u8> = vec![];
    loop {
        let new = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(bytes) => &buffer[..bytes],
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        if let Some(end) = new.iter().rposition(|byte| *byte == b'\n') {
            begun.extend(&new[..end]);
            if !give(mem::replace(&mut begun, new[end + 1..].to_vec())) {
                return;
            }
        } else {
            begun.extend(new);
        }
        if begun.len() >= LONGEST {
            let rest = begun.split_off(LONGEST);
            if !give(mem::replace(&mut begun, rest)) {
                return;
            }
        }
    }
    if !begun.is_empty() {
        give(begun);
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
                own.flat_map(WholeLines::each).map(|l| String::from_utf8_lossy(l).into()).collect()
            };
            assert_eq!(of(Stream::Out), [format!("one {child}"), "three".into()]);
            assert_eq!(of(Stream::Err), [format!("two {child}")]);
        }
    }

    /// As many reads as pipes of output, not as many as lines.
    #[test]
    fn much_output_is_handed_on_in_few_pieces() {
        let taken = Arc::new(Mutex::new((0, 0, 0)));
        let kept = Arc::clone(&taken);
        let lines = Lines::new(move |lines| {
            let mut kept = kept.lock().unwrap();
            let right = lines.each().filter(|line| *line == b"y").count();
            *kept = (kept.0 + 1, kept.1 + lines.each().count(), kept.2 + right);
        });
        let lines = lines.unwrap();
        let (out, err) = lines.of(0).unwrap();
        let mut processes = ProcessGroup::new().unwrap();
        let much = Program::new(&["sh", "-c", "yes | head -n 1000000"]).unwrap();
        processes.hold(&much.writing(out, err)).unwrap();
        processes.run(&Monotonic::new(), Some(60.0)).unwrap();
        assert!(lines.finish());
        let (pieces, all, right) = *taken.lock().unwrap();
        assert_eq!((all, right), (1_000_000, 1_000_000));
        assert!(pieces < 20_000, "{pieces}");
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
