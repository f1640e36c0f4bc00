//! Detours and repeated work inside a guest, beside those of its host: the guest is this program, which runs the same probe and
//! sends what it found as a record, piece by piece over its serial line.
use crate::{
    noise::{self, Binding},
    undisturbed_speed::{answer, booted, found},
};
use host::{clock::Monotonic, cpus};
use kernels::Features;
use measure::{
    bench::Bench,
    plan,
    probe::{Depth, Setting},
};
use record::{Case, Machine, Outcome, Provenance, Reason, Record, Run, Series, Value, param};
use std::{sync::atomic::AtomicBool, time::Duration};

/// The probes that a guest is asked to run.
const PROBES: [&str; 2] = ["noise_detours", "noise_fwq"];
/// The word before it.
pub(crate) const WORD: &str = "measure";
/// The word for a further piece of the answer.
pub(crate) const NEXT: &str = "next";
/// Parameters that are the host's business.
const OURS: [&str; 2] = ["system", "kernel"];
/// Bytes of a piece: a console's line holds 4096, and JSON may double what is in it.
const PIECE: usize = 2000;
/// The longest that is waited for beyond what was asked to be watched: an emulated guest counts primes meanwhile.
const PATIENCE: Duration = Duration::from_secs(180);
/// Seconds of the plan for booting it and for counting primes in it.
const BOOTED: f64 = 20.0;

/// Parameters of a case that a guest is to do.
fn params(kernel: &str) -> [(&'static str, Value); 2] {
    [param::SYSTEM.set("guest"), param::KERNEL.set(kernel)]
}

/// The case of a probe in a guest, if one was asked for.
pub(crate) fn cases(
    setting: &Setting<'_>,
    options: &noise::Options,
    seconds: f64,
    own_params: &[(&str, Value)],
) -> Vec<Case> {
    let Some(kernel) = &options.guest else { return vec![] };
    let all = [own_params, &params(kernel)].concat();
    let cases = noise::cases(setting, &[Binding::Bound], seconds, &all);
    let longer = |c: Case| Case { estimate: c.estimate + BOOTED, ..c };
    cases.into_iter().map(longer).collect()
}

/// Whether a case is a guest's.
pub(crate) fn is_guest_case(case: &Case) -> bool {
    case.get(param::SYSTEM) == Some("guest")
}

/// Boots a guest, has it do the case, and gives its series, which say that they are a guest's.
///
/// # Errors
/// There is no guest, or it cannot.
pub(crate) fn measured(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let kernel = case.get(param::KERNEL).unwrap_or_default();
    let (mut guest, accelerator) =
        booted(kernel, None, case.place.cpus.len(), &mut |name, why| {
            bench.unread.insert(format!("{}.{name}", case.probe), why);
        })?;
    bench.done(0.5);
    let mut ask = |line: &str| guest.0.ask(line, PATIENCE).and_then(|answer| found(&answer));
    let mut text: String = ask(&line(case))?;
    // An empty piece is the end.
    loop {
        let piece = ask(NEXT)?;
        if piece.is_empty() {
            break;
        }
        text += &piece;
    }
    let record = record::from_slice(text.as_bytes())
        .map_err(|e| Reason::new(format!("the guest's record {e}")))?;
    let mut found = vec![];
    for run in record.runs {
        match run.outcome {
            Outcome::Measured(series) => found.extend(series),
            Outcome::Skipped(why) | Outcome::Failed(why) | Outcome::NotReached(why) => {
                return Err(why);
            }
        }
    }
    let of_guest =
        |s: Series| s.at(param::SYSTEM, "guest").at(param::ACCELERATOR, accelerator.name());
    Ok(found.into_iter().map(of_guest).collect())
}

/// `measure noise detours binding=bound seconds=3`
fn line(case: &Case) -> String {
    let mut line = format!("{WORD} {}", case.probe);
    for (name, value) in case.params.iter().filter(|(name, _)| !OURS.contains(&name.as_str())) {
        line += &match value {
            Value::Number(x) => format!(" {name}={x:e}"),
            value => format!(" {name}={value}"),
        };
    }
    line
}

/// The guest's side: what it has still to say.
#[derive(Debug, Default)]
pub(crate) struct Answers(String);

impl Answers {
    /// The answer to a line, if it is one of these.
    pub(crate) fn reply(&mut self, line: &str) -> Option<String> {
        let mut words = line.split_whitespace();
        match words.next()? {
            WORD => {
                let probe = words.next().unwrap_or_default();
                match here(probe, &words.collect::<Vec<_>>()) {
                    Ok(record) => self.0 = String::from_utf8_lossy(&record).replace('\n', " "),
                    Err(why) => return Some(answer::<()>(&Err(why))),
                }
            }
            NEXT => {}
            _ => return None,
        }
        let mut end = self.0.len().min(PIECE);
        while !self.0.is_char_boundary(end) {
            end -= 1;
        }
        let rest = self.0.split_off(end);
        Some(answer(&Ok(std::mem::replace(&mut self.0, rest))))
    }
}

/// Runs such a probe on all CPUs of this machine; a record of nothing else.
fn here(probe: &str, words: &[&str]) -> Result<Vec<u8>, Reason> {
    let id = PROBES.into_iter().find(|id| *id == probe);
    let known = id.and_then(|id| Some((id, plan::find(crate::probes::ALL, id)?)));
    let (id, probe) = known.ok_or("that is not measured here")?;
    let cpus = cpus::affinity().map_err(|e| Reason::new(format!("no CPUs: {e}")))?;
    let params: Vec<(&str, Value)> = words.iter().filter_map(|w| param(w)).collect();
    let (clock, machine, cancel) = (Monotonic::new(), Machine::default(), AtomicBool::new(false));
    let case = Setting::new(&machine, cpus.clone(), Depth::Quick).case(cpus, &params, 1.0);
    let case = Case { probe: id.into(), version: probe.version, ..case };
    if let Some(why) = (probe.lacks)(&case) {
        return Err(why);
    }
    let mut tick = |_| ();
    let mut bench = Bench::new(&clock, &machine, Features::detect(), &cancel, &mut tick);
    let series = (probe.run)(&case, &mut bench)?;
    let run = Run {
        threads: bench.threads,
        readings: bench.readings,
        unread: bench.unread,
        ..Run::new(case, Outcome::Measured(series))
    };
    let record = Record::new(Provenance::default(), Machine::default(), vec![run]);
    record::to_vec(&record).map_err(|e| Reason::new(format!("the record cannot be written: {e}")))
}

/// `seconds=3`, as a number where it is one.
fn param(word: &str) -> Option<(&str, Value)> {
    let (name, value) = word.split_once('=')?;
    let whole = value.parse::<u64>().map(Value::Integer);
    let value = whole.or_else(|_| value.parse().map(Value::Number));
    Some((name, value.unwrap_or_else(|_| word[name.len() + 1..].into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(answers: &mut Answers, first: &str) -> Result<String, Reason> {
        let mut ask = |line: &str| found::<String>(&answers.reply(line).unwrap());
        let mut text = ask(first)?;
        loop {
            match ask(NEXT)?.as_str() {
                "" => return Ok(text),
                piece => text += piece,
            }
        }
    }

    #[test]
    fn what_a_guest_measures_comes_back_whole() {
        let machine = Machine::default();
        let cpus = cpus::affinity().unwrap();
        let own = [param::BINDING.set("bound"), param::SECONDS.set(0.05)];
        let params = [&own[..], &params("/k")[..]];
        let setting = Setting::new(&machine, cpus.clone(), Depth::Quick);
        let case = setting.case(cpus.clone(), &params.concat(), 1.0);
        let case = Case { probe: "noise_detours".into(), ..case };
        assert!(is_guest_case(&case));
        let line = line(&case);
        assert_eq!(line, "measure noise_detours binding=bound seconds=5e-2");
        let text = asked(&mut Answers::default(), &line).unwrap();
        let record = record::from_slice(text.as_bytes()).unwrap();
        let Outcome::Measured(series) = &record.runs[0].outcome else { panic!("{record:?}") };
        assert_eq!(series.len(), cpus.len());
        let detours = series[0].detours.as_ref().unwrap();
        assert!((0.04..5.0).contains(&detours.elapsed), "{detours:?}");
        assert!(!is_guest_case(&record.runs[0].case));
    }

    #[test]
    fn nothing_else_is_done_there() {
        let mut answers = Answers::default();
        assert!(asked(&mut answers, "measure stream").unwrap_err().why.contains("in the guest"));
        assert_eq!(answers.reply("user on bound"), None);
        assert_eq!(answers.reply(""), None);
        assert!(found::<String>("ok").is_err());
    }
}
