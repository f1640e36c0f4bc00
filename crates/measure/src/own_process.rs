//! Visits in a process of their own (docs/adr/0039): this program, started anew, reads a record with one planned case, measures
//! it once, and writes the record with the result. It is supervised: it ends with the process that started it.
use crate::{
    bench::Bench,
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
    io::{self, ErrorKind, PipeReader, Read, Write},
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
}

impl<'a> OwnProcesses<'a> {
    /// Started by this command, which calls [`answer`]; none if it is empty.
    pub(crate) fn new(command: &'a [&'a str]) -> OwnProcesses<'a> {
        OwnProcesses { command, refused: None }
    }
    /// Measures a later visit in a process of its own, if the probe asks for that: its outcome, and what samplers in that process
    /// read. Nothing if this process has to measure it.
    pub(crate) fn measure(
        &mut self,
        probe: &Probe,
        case: &Case,
        bench: &mut Bench<'_>,
    ) -> Option<(Outcome, Vec<Reading>)> {
        if !probe.own_process || bench.visit == 0 || self.command.is_empty() {
            return None;
        }
        let measured = match self.refused.take() {
            Some(why) => Err(why),
            None => measure(self.command, case, bench).map_err(|refused| refused.why),
        };
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

fn measure(
    command: &[&str],
    case: &Case,
    bench: &mut Bench<'_>,
) -> Result<(Outcome, Vec<Reading>), Refused> {
    let pipe = || io::pipe().map_err(|e| Reason::new(format!("cannot open a pipe: {e}")));
    let ((input, mut request), (result, output)) = (pipe()?, pipe()?);
    let seconds = bench.repeat_until - bench.clock.now();
    let options = [bench.visit.to_string(), bench.time_scale.to_string(), seconds.to_string()];
    let words: Vec<&str> =
        command.iter().copied().chain(options.iter().map(String::as_str)).collect();
    let mut process = Supervised::start(&Program::new(&words)?.between(input, output))?;
    let planned = Run::new(case.clone(), Outcome::NotReached(Reason::new("")));
    let depth = Some(bench.depth.name().to_owned());
    let provenance = Provenance { depth, seed: bench.seed, ..Provenance::default() };
    let record = Record::new(provenance, bench.machine.clone(), vec![planned]);
    if let Ok(bytes) = record::to_vec(&record) {
        // A process that has ended meanwhile gives no result, either.
        let _ = request.write_all(&bytes);
    }
    drop(request);
    let Some(bytes) = read(&result, bench.cancel) else {
        return Ok((Outcome::Failed(Reason::new("interrupted")), vec![]));
    };
    let result = record::from_slice(&bytes).ok().and_then(|mut record| record.runs.pop());
    let whole = |run: &Run| run.case == *case && !matches!(run.outcome, Outcome::NotReached(_));
    let Some(run) = result.filter(whole) else {
        return Ok((Outcome::Failed(lost(process.wait(GONE))), vec![]));
    };
    bench.threads = run.threads;
    bench.unread.extend(run.unread);
    let (sampled, own) = run.readings.into_iter().partition(|r| r.name.starts_with(OF_PROCESS));
    bench.readings = own;
    Ok((run.outcome, sampled))
}

/// Reads to the end; nothing if the user interrupts.
fn read(mut from: &PipeReader, cancel: &AtomicBool) -> Option<Vec<u8>> {
    let (mut all, mut part) = (vec![], vec![0; 64 << 10]);
    while !cancel.load(Ordering::Relaxed) {
        if !readable(from, Some(LOOK)) {
            continue;
        }
        match from.read(&mut part) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(bytes @ 1..) if all.len() as u64 <= MAX_BYTES => all.extend(&part[..bytes]),
            _ => return Some(all),
        }
    }
    None
}

fn lost(status: Option<Status>) -> Reason {
    let how = status.map_or("it still runs".to_owned(), |status| status.to_string());
    Reason::mended_by(
        format!("the process of this visit gave no result: {how}"),
        "journalctl -k names processes that the kernel has killed",
    )
}

/// The other side: measures the one case of the record in `input` once, and writes the record to `output`. The words are the
/// number of the visit, the time scale, and the seconds for which it may be repeated.
///
/// # Errors
/// The words or the record are not those of a visit, or the output is closed.
pub fn answer(
    probes: &[Entry],
    clock: &(dyn Clock + Sync),
    words: &[String],
    mut input: impl Read,
    mut output: impl Write,
) -> Result<(), Reason> {
    let wrong = || Reason::new("this is no visit; cpulens run starts one by itself");
    let [visit, time_scale, seconds] = words else { return Err(wrong()) };
    let mut bytes = vec![];
    input.read_to_end(&mut bytes).map_err(|e| Reason::new(e.to_string()))?;
    let mut record = record::from_slice(&bytes).map_err(|e| Reason::new(e.to_string()))?;
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
        ..Bench::new(clock, &record.machine, Features::detect(), &cancel, &mut tick)
    };
    let mut scheduler = (samplers::scheduler::SAMPLER.open)()?;
    scheduler.start(&run.case.place.cpus);
    run.outcome = attempt(probe, &run.case, &mut bench);
    (run.threads, run.readings, run.unread) = (bench.threads, bench.readings, bench.unread);
    run.readings.extend(scheduler.stop());
    let bytes = record::to_vec(&record).map_err(|e| Reason::new(e.to_string()))?;
    output.write_all(&bytes).map_err(|e| Reason::new(e.to_string()))
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
        let answer = |words: &[&str], record: &Record| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let (bytes, mut output) = (record::to_vec(record).unwrap(), vec![]);
            answer(PROBES, &Monotonic::new(), &words, &bytes[..], &mut output).map(|()| output)
        };
        let run = record::from_slice(&answer(&["2", "1", "inf"], &asked).unwrap()).unwrap().runs;
        assert_eq!((run[0].series()[0].samples[0], run[0].threads.len()), (3.0, 1));
        assert!(run[0].readings.iter().any(|reading| reading.name == "scheduler.cpus"));
        assert!(answer(&[], &asked).is_err());
        assert!(answer(&["2", "x", "inf"], &asked).is_err());
        assert!(answer(&["2", "1", "inf"], &record()).is_err(), "two cases are no visit");
    }
}
