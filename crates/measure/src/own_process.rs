//! Visits in a process of their own (docs/adr/0039): this program, started anew, reads a record with one planned case, measures
//! it once, writes the record with the result, and waits for the next. Visits of one probe in one place that follow each other
//! have one process, and may share its memory. It is supervised: it ends with the process that started it.
use crate::{
    bench::Bench,
    memory_kernels::kept::{Kept, Key},
    plan::{self, Entry},
    probe::{Depth, Probe},
    run::attempt,
    samplers,
};
use host::{
    child::{Program, Refused, Status, Supervised},
    clock::Clock,
    sockets::readable,
};
use kernels::Features;
use record::{Case, MAX_BYTES, Outcome, Provenance, Reading, Reason, Record, Run};
use std::{
    io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// The time after which a wait for the result looks whether the user interrupts. A signal ends it earlier.
const LOOK: Duration = Duration::from_millis(250);
/// The time in which a process that has closed its output is gone.
const GONE: Duration = Duration::from_secs(5);
/// The beginning of the names of readings that only the process itself can take.
const OF_PROCESS: &str = "scheduler.";

/// The processes of a run's visits.
#[derive(Debug)]
pub(crate) struct OwnProcesses<'a> {
    command: &'a [&'a str],
    /// The reason why there is none: it is not tried again.
    refused: Option<Reason>,
    /// The process of the last visit.
    current: Option<(Key, OwnProcess)>,
}

#[derive(Debug)]
struct OwnProcess {
    process: Supervised,
    request: PipeWriter,
    result: PipeReader,
}

impl<'a> OwnProcesses<'a> {
    /// Started by this command, which calls [`answer`]; none if it is empty.
    pub(crate) fn new(command: &'a [&'a str]) -> OwnProcesses<'a> {
        OwnProcesses { command, refused: None, current: None }
    }
    /// Measures a later visit in a process of its own, if the probe asks for that: its outcome, and what samplers in that process
    /// read. Nothing if this process has to measure it.
    pub(crate) fn measure(
        &mut self,
        probe: &Probe,
        case: &Case,
        bench: &mut Bench<'_>,
    ) -> Option<(Outcome, Vec<Reading>)> {
        let key = Key::new(case, bench.visit);
        // Its memory is free before the next is asked for.
        self.current.take_if(|(of, _)| *of != key);
        if !probe.own_process || bench.visit == 0 || self.command.is_empty() {
            return None;
        }
        let started = match (self.current.take(), self.refused.take()) {
            (Some((_, process)), _) => Ok(process),
            (None, Some(why)) => Err(why),
            (None, None) => start(self.command).map_err(|refused| refused.why),
        };
        let measured = started.map(|process| {
            let (of_visit, process) = measure(process, case, bench);
            self.current = process.map(|process| (key, process));
            of_visit
        });
        measured
            .map_err(|why| {
                let text = format!("later visits had no process of their own: {}", why.why);
                let reason = Reason { why: text.into(), ..why.clone() };
                bench.unread.insert("visit.process".into(), reason);
                self.refused = Some(why);
            })
            .ok()
    }
}

fn start(command: &[&str]) -> Result<OwnProcess, Refused> {
    let pipe = || io::pipe().map_err(|e| Reason::new(format!("cannot open a pipe: {e}")));
    let ((input, request), (result, output)) = (pipe()?, pipe()?);
    let process = Supervised::start(&Program::new(command)?.between(input, output))?;
    Ok(OwnProcess { process, request, result })
}

/// The outcome of a visit, what samplers in its process read, and the process if it can make another.
fn measure(
    mut of: OwnProcess,
    case: &Case,
    bench: &mut Bench<'_>,
) -> ((Outcome, Vec<Reading>), Option<OwnProcess>) {
    let seconds = bench.repeat_until - bench.clock.now();
    let planned = Run::new(case.clone(), Outcome::NotReached(Reason::new("")));
    let depth = Some(bench.depth.name().to_owned());
    let provenance = Provenance { depth, seed: bench.seed, ..Provenance::default() };
    let record = Record::new(provenance, bench.machine.clone(), vec![planned]);
    if let Ok(bytes) = record::to_vec(&record) {
        let words = format!("{} {} {seconds}\n", bench.visit, bench.time_scale);
        // A process that has ended meanwhile gives no result, either.
        let _ = send(&mut of.request, &[words.as_bytes(), &bytes].concat());
    }
    let patient = Patient { from: &of.result, cancel: bench.cancel };
    let result = receive(patient).ok().flatten();
    if bench.cancelled() {
        return ((Outcome::Failed(Reason::new("interrupted")), vec![]), None);
    }
    let result = result.and_then(|bytes| record::from_slice(&bytes).ok()?.runs.pop());
    let whole = |run: &Run| run.case == *case && !matches!(run.outcome, Outcome::NotReached(_));
    let Some(run) = result.filter(whole) else {
        let OwnProcess { mut process, request, result } = of;
        drop((request, result));
        return ((Outcome::Failed(lost(process.wait(GONE))), vec![]), None);
    };
    bench.threads = run.threads;
    bench.unread.extend(run.unread);
    let (sampled, own) = run.readings.into_iter().partition(|r| r.name.starts_with(OF_PROCESS));
    bench.readings = own;
    ((run.outcome, sampled), Some(of))
}

/// Writes a message, its length before it.
fn send(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)
}

/// Reads a message; nothing at the end of the input.
fn receive(mut from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    if length > MAX_BYTES {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut message = vec![];
    from.take(length).read_to_end(&mut message)?;
    Ok((message.len() as u64 == length).then_some(message))
}

/// A pipe that is at its end when the user interrupts.
struct Patient<'a> {
    from: &'a PipeReader,
    cancel: &'a AtomicBool,
}

impl Read for Patient<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.cancel.load(Ordering::Relaxed) {
            if readable(self.from, Some(LOOK)) {
                return (&mut self.from).read(into);
            }
        }
        Ok(0)
    }
}

fn lost(status: Option<Status>) -> Reason {
    let how = status.map_or("it still runs".to_owned(), |status| status.to_string());
    Reason::mended_by(
        format!("the process of this visit gave no result: {how}"),
        "journalctl -k names processes that the kernel has killed",
    )
}

/// The other side: until `input` ends, measures the one case of each record in it once, and writes the record to `output`. Before
/// each record is a line with the number of the visit, the time scale, and the seconds for which it may be repeated.
///
/// # Errors
/// The line or the record are not those of a visit, or the output is closed.
pub fn answer(
    probes: &[Entry],
    clock: &(dyn Clock + Sync),
    mut input: impl Read,
    mut output: impl Write,
) -> Result<(), Reason> {
    let failed = |e: io::Error| Reason::new(e.to_string());
    let mut kept = Kept::default();
    while let Some(message) = receive(&mut input).map_err(failed)? {
        let result = visit(probes, clock, &message, &mut kept)?;
        send(&mut output, &result).map_err(failed)?;
    }
    Ok(())
}

fn visit(
    probes: &[Entry],
    clock: &(dyn Clock + Sync),
    message: &[u8],
    kept: &mut Kept,
) -> Result<Vec<u8>, Reason> {
    let wrong = || Reason::new("this is no visit; cpulens run starts one by itself");
    let end = message.iter().position(|byte| *byte == b'\n').ok_or_else(wrong)?;
    let line = std::str::from_utf8(&message[..end]).map_err(|_| wrong())?;
    let words: Vec<&str> = line.split(' ').collect();
    let [visit, time_scale, seconds] = words[..] else { return Err(wrong()) };
    let mut record =
        record::from_slice(&message[end + 1..]).map_err(|e| Reason::new(e.to_string()))?;
    let depth = record.provenance.depth.as_deref().and_then(Depth::named).ok_or_else(wrong)?;
    let [run] = &mut record.runs[..] else { return Err(wrong()) };
    let probe = plan::about(probes, run).ok_or_else(wrong)?;
    let number = |word: &str| word.parse::<f64>().map_err(|_| wrong());
    let (cancel, mut tick) = (AtomicBool::new(false), |_: f64| ());
    let mut bench = Bench {
        depth,
        visit: visit.parse().map_err(|_| wrong())?,
        repeat_until: clock.now() + number(seconds)?,
        seed: record.provenance.seed,
        time_scale: number(time_scale)?,
        kept: std::mem::take(kept),
        ..Bench::new(clock, &record.machine, Features::detect(), &cancel, &mut tick)
    };
    let mut scheduler = (samplers::scheduler::SAMPLER.open)()?;
    scheduler.start(&run.case.place.cpus);
    run.outcome = attempt(probe, &run.case, &mut bench);
    *kept = bench.kept;
    (run.threads, run.readings, run.unread) = (bench.threads, bench.readings, bench.unread);
    run.readings.extend(scheduler.stop());
    record::to_vec(&record).map_err(|e| Reason::new(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        probe::Setting,
        run::{End, Observer, RunContext, execute},
        time_left::TimeLeft,
    };
    use host::clock::Monotonic;
    use record::{Better, Machine, Metric, Series, Unit};

    static PROBES: &[Entry] = &[(
        "memory",
        &Probe {
            visits: 3,
            own_process: true,
            ..Probe::new(
                1,
                1,
                "",
                |setting| Ok((1..=2u32).map(|n| setting.single(&[("n", n.into())], 0.1)).collect()),
                |case, bench| {
                    bench.pin_first(case)?;
                    let mut series = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower);
                    series.samples = vec![(bench.visit + 1) as f64];
                    Ok(vec![series])
                },
            )
        },
    )];
    static NEVER: AtomicBool = AtomicBool::new(false);

    struct Silent;
    impl Observer for Silent {
        fn begins(&mut self, _: usize, _: &Record, _: TimeLeft) {}
        fn progress(&mut self, _: f64) {}
        fn ended(&mut self, _: usize, _: &Record) {}
    }

    fn record() -> Record {
        let machine = Machine::default();
        let setting = Setting::new(&machine, host::cpus::affinity().unwrap(), Depth::Quick);
        let runs = plan::plan(PROBES, &setting, &plan::Selection::default()).unwrap();
        Record::new(Provenance::default(), machine.clone(), runs)
    }

    /// The cases of a run whose later visits this command makes. All of them were visited three times.
    fn runs(own_process: &[&str]) -> Vec<Run> {
        let mut record = record();
        let context = RunContext {
            probes: PROBES,
            clock: &Monotonic::new(),
            cancel: &NEVER,
            depth: Depth::Quick,
            budget: None,
            patience: 0.0,
            own_process,
        };
        assert_eq!(execute(&mut record, &context, &mut Silent), End::Complete);
        assert!(record.runs.len() == 2 && record.runs.iter().all(|run| run.outstanding() == 0.0));
        record.runs
    }

    fn own_processes(run: &Run) -> Vec<bool> {
        run.visits.iter().map(|visit| visit.own_process).collect()
    }

    #[test]
    fn a_process_that_is_killed_fails_its_visit_and_no_other() {
        for (script, how) in [("kill -9 $$", "killed by signal 9"), ("exec cat", "exit code 0")] {
            for run in runs(&["sh", "-c", script]) {
                assert_eq!(
                    (&run.series()[0].samples[..], own_processes(&run)),
                    (&[1.0][..], vec![false, true, true])
                );
                for visit in ["visit.2", "visit.3"] {
                    assert!(run.unread[visit].why.contains(how), "{:?}", run.unread);
                }
            }
        }
    }

    #[test]
    fn where_no_process_starts_this_one_measures_and_says_so_once() {
        for run in runs(&["/no/such/program"]) {
            assert_eq!(run.series()[0].samples, [1.0, 2.0, 3.0]);
            assert_eq!(own_processes(&run), [false; 3]);
            let reasons: Vec<_> =
                run.unread.iter().filter(|(name, _)| name.contains("visit")).collect();
            assert!(
                reasons.len() == 1 && reasons[0].1.why.contains("no such program"),
                "{reasons:?}"
            );
        }
        assert!(runs(&[]).iter().all(|run| !run.unread.contains_key("visit.process")));
    }

    #[test]
    fn the_answer_is_the_record_with_its_case_measured() {
        let mut asked = record();
        asked.runs.truncate(1);
        asked.provenance.depth = Some("quick".into());
        let answer = |visits: &[(&str, &Record)]| {
            let (mut input, mut output) = (vec![], vec![]);
            for (line, record) in visits {
                let record = record::to_vec(record).unwrap();
                send(&mut input, &[line.as_bytes(), &record].concat()).unwrap();
            }
            answer(PROBES, &Monotonic::new(), &input[..], &mut output).map(|()| output)
        };
        let output = answer(&[("2 1 inf\n", &asked), ("0 1 inf\n", &asked)]).unwrap();
        let mut rest = &output[..];
        for sample in [3.0, 1.0] {
            let record = record::from_slice(&receive(&mut rest).unwrap().unwrap()).unwrap();
            let [run] = &record.runs[..] else { panic!("{:?}", record.runs) };
            assert_eq!((run.series()[0].samples[0], run.threads.len()), (sample, 1));
            assert!(run.readings.iter().any(|reading| reading.name == "scheduler.cpus"));
        }
        assert_eq!(receive(&mut rest).unwrap(), None);
        assert!(answer(&[]).unwrap().is_empty());
        for line in ["", "\n", "2 x inf\n", "2 1\n"] {
            assert!(answer(&[(line, &asked)]).is_err(), "{line:?}");
        }
        assert!(answer(&[("2 1 inf\n", &record())]).is_err(), "two cases are no visit");
    }

    #[test]
    fn a_message_of_more_than_a_record_has_is_refused() {
        let of = |length: u64| receive(&[&length.to_le_bytes()[..], b"{}"].concat()[..]);
        assert_eq!(of(2).unwrap(), Some(b"{}".to_vec()));
        assert_eq!(of(3).unwrap(), None, "it is cut short");
        assert!(of(MAX_BYTES + 1).is_err());
    }
}
