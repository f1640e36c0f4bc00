//! Bytes to record and back. A record may come from anywhere, so reading it is bounded and explains itself.
use crate::{Case, Outcome, Record, Run, SCHEMA};
use serde::{Deserialize, Serialize};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use serde_json::value::RawValue;
use std::{
    borrow::Cow,
    fmt,
    io::{self, Write},
};

/// The largest document that is read, in bytes: a thorough run of a 1024-CPU machine takes a tenth of it.
pub const MAX_BYTES: u64 = 256 << 20;

/// The reason why bytes are not a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// Larger than [`MAX_BYTES`].
    TooLarge(u64),
    /// Ends in the middle.
    Truncated {
        /// Line at which it ends.
        line: usize,
    },
    /// Made by a newer program.
    Newer {
        /// Its schema version.
        schema: u64,
    },
    /// JSON, but not a record.
    NotARecord(String),
    /// Not JSON.
    NotJson(String),
    /// Compressed, and not whole.
    Damaged,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::TooLarge(bytes) => {
                write!(f, "is {bytes} bytes long; records of up to {MAX_BYTES} bytes are read")
            }
            LoadError::Truncated { line } => {
                write!(
                    f,
                    "is cut short: the JSON ends in the middle, at line {line}; copy the file again"
                )
            }
            LoadError::Newer { schema } => write!(
                f,
                "has schema {schema}, made by a newer cpulens; this one reads up to {SCHEMA}: use the newer program"
            ),
            LoadError::NotARecord(why) => write!(f, "is JSON but not a cpulens record: {why}"),
            LoadError::NotJson(why) => write!(f, "is not JSON: {why}"),
            LoadError::Damaged => write!(f, "is cut short or damaged; copy the file again"),
        }
    }
}

impl std::error::Error for LoadError {}

/// Reads a record, compressed or not.
///
/// # Errors
/// Says which of the ways it is not a record, in one line.
pub fn from_slice(bytes: &[u8]) -> Result<Record, LoadError> {
    let record = parsed(text(&document(bytes)?)?)?;
    check(&record).map_err(LoadError::NotARecord)?;
    Ok(record)
}

/// [`from_slice`] with the series of the wanted cases alone: those of others must be JSON, and are not looked into.
///
/// # Errors
/// As [`from_slice`].
pub fn from_slice_of(bytes: &[u8], wanted: fn(&Case) -> bool) -> Result<Record, LoadError> {
    let document = document(bytes)?;
    let text = text(&document)?;
    let Record { schema, provenance, machine, judgement, runs, reference_samples } =
        parsed::<&RawValue>(text)?;
    let read = |run: Run<&RawValue>| {
        let series = |series: &RawValue| match wanted(&run.case) {
            true => serde_json::from_str(series.get()),
            false => Ok(vec![]),
        };
        Ok(Run {
            outcome: match run.outcome {
                Outcome::Measured(all) => Outcome::Measured(series(all)?),
                Outcome::Skipped(why) => Outcome::Skipped(why),
                Outcome::Failed(why) => Outcome::Failed(why),
                Outcome::NotReached(why) => Outcome::NotReached(why),
            },
            case: run.case,
            threads: run.threads,
            readings: run.readings,
            unread: run.unread,
            began: run.began,
            took: run.took,
            origin: run.origin,
            visits: run.visits,
        })
    };
    let runs: serde_json::Result<Vec<Run>> = runs.into_iter().map(read).collect();
    // An error in a part has the place in that part.
    let Ok(runs) = runs else { return from_slice(&document) };
    let record = Record { schema, provenance, machine, judgement, runs, reference_samples };
    check(&record).map_err(LoadError::NotARecord)?;
    Ok(record)
}

fn document(bytes: &[u8]) -> Result<Cow<'_, [u8]>, LoadError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(LoadError::TooLarge(bytes.len() as u64));
    }
    crate::zst::plain(bytes)
}

fn text(document: &[u8]) -> Result<&str, LoadError> {
    if !document.trim_ascii_start().starts_with(b"{") {
        return Err(LoadError::NotJson("it does not begin with {".into()));
    }
    match std::str::from_utf8(document) {
        Ok(text) => Ok(text),
        Err(error) => {
            head(document)?;
            let at = error.valid_up_to();
            Err(LoadError::NotARecord(format!("byte {at} is no UTF-8")))
        }
    }
}

fn parsed<'a, S: Deserialize<'a>>(text: &'a str) -> Result<Record<S>, LoadError> {
    let bytes = text.as_bytes();
    // Nearly all are records: what is wrong with the others is looked for when it is known that something is.
    match serde_json::from_str::<Record<S>>(text) {
        Ok(record) if (1..=SCHEMA).contains(&record.schema) => Ok(record),
        Ok(_) => {
            Err(head(bytes).err().unwrap_or_else(|| LoadError::NotARecord("odd schema".into())))
        }
        Err(error) => {
            head(bytes)?;
            Err(LoadError::NotARecord(one_line(&error)))
        }
    }
}

/// Refuses a document whose head is not that of a readable record.
fn head(bytes: &[u8]) -> Result<(), LoadError> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: Option<u64>,
    }
    let head: Head = serde_json::from_slice(bytes).map_err(|e| {
        if e.is_eof() || at_end(bytes, &e) {
            LoadError::Truncated { line: e.line() }
        } else if e.is_data() {
            LoadError::NotARecord(one_line(&e))
        } else {
            LoadError::NotJson(one_line(&e))
        }
    })?;
    match head.schema {
        None => Err(LoadError::NotARecord("it has no \"schema\"".into())),
        Some(0) => Err(LoadError::NotARecord("there is no schema 0".into())),
        Some(schema) if schema > u64::from(SCHEMA) => Err(LoadError::Newer { schema }),
        Some(_) => Ok(()),
    }
}

/// Whether the error lies at the very end: `1e-` cut short is a syntax error to the parser, not an end of file.
fn at_end(bytes: &[u8], error: &serde_json::Error) -> bool {
    let last = bytes.rsplit(|b| *b == b'\n').next().unwrap_or(bytes);
    error.line() == bytes.iter().filter(|b| **b == b'\n').count() + 1
        && error.column() >= last.len()
}

/// Checks beyond those of the types: marks point at samples, origins at sources.
fn check(record: &Record) -> Result<(), String> {
    for run in &record.runs {
        if run.origin.is_some_and(|o| o.source as usize >= record.provenance.sources.len()) {
            return Err(format!("{} comes from a source it does not have", run.case.label()));
        }
        let crate::Outcome::Measured(series) = &run.outcome else { continue };
        for s in series {
            let (label, metric, samples) = (|| run.case.label(), s.metric, s.samples.len());
            let of_visits: u64 = s.visits.iter().map(|n| u64::from(*n)).sum();
            if samples == 0 {
                return Err(format!("{}: {metric} has no samples", label()));
            }
            if !s.visits.is_empty() && of_visits != samples as u64 {
                let label = label();
                return Err(format!(
                    "{label}: the visits of {metric} do not add up to its samples"
                ));
            }
            if s.disturbed.iter().any(|m| m.sample as usize >= samples) {
                return Err(format!("{}: {metric} marks a sample it does not have", label()));
            }
        }
    }
    Ok(())
}

/// serde's message.
fn one_line(error: &serde_json::Error) -> String {
    bounded(&error.to_string())
}

/// A message without control characters, of 300 characters at most: parts of it come from the file.
pub(crate) fn bounded(message: &str) -> String {
    message.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Writes a record: JSON, indented down to a series, which is one line, with a final newline; equal bytes for equal records.
///
/// # Errors
/// Only if a number is not finite.
pub fn to_vec(record: &Record) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = vec![];
    let layout = Layout { depth: 0, indented: PrettyFormatter::new() };
    record.serialize(&mut Serializer::with_formatter(&mut bytes, layout))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The depth of a series in a record. Indenting samples and marks, too, doubles the document and the time it takes to be read.
const LINES: usize = 5;

/// Indented down to [`LINES`], and without spaces below.
struct Layout {
    depth: usize,
    indented: PrettyFormatter<'static>,
}

/// Each step as the one of the two formatters does it that is responsible at this depth; so much deeper before it, and so much
/// less deep after it.
macro_rules! steps {
    ($($enters:literal $step:ident($($argument:ident: $Type:ty)?) $leaves:literal;)*) => {$(
        fn $step<W: ?Sized + Write>(&mut self, to: &mut W $(, $argument: $Type)?) -> io::Result<()> {
            self.depth += $enters;
            let written = match self.depth <= LINES {
                true => self.indented.$step(to $(, $argument)?),
                false => CompactFormatter.$step(to $(, $argument)?),
            };
            self.depth -= $leaves;
            written
        }
    )*};
}

impl Formatter for Layout {
    steps! {
        1 begin_array() 0;
        0 begin_array_value(first: bool) 0;
        0 end_array_value() 0;
        0 end_array() 1;
        1 begin_object() 0;
        0 begin_object_key(first: bool) 0;
        0 begin_object_value() 0;
        0 end_object_value() 0;
        0 end_object() 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;
    use proptest::prelude::*;

    fn small() -> Record {
        let mut machine = Machine::default();
        machine.set("cpu.model", "Test 1", "/proc/cpuinfo");
        machine.unknown(
            "memory.dimms",
            Reason::mended_by("denied", "run as root"),
            "/sys/firmware/dmi",
        );
        let mut series = Series::new("load_to_use", Unit::Seconds, Better::Lower)
            .at(param::WORKING_SET, 4096u64);
        series.samples = vec![1.1e-9, 1.2e-9];
        series.disturbed = vec![Disturbed { sample: 1, why: "migration".into() }];
        let case = Case {
            probe: "load_latency".into(),
            version: 1,
            params: [("pages".to_string(), Value::from("base"))].into(),
            place: Placement { cpus: "0".parse().unwrap(), ..Default::default() },
            estimate: 1.0,
        };
        let run = Run {
            threads: vec![Thread { asked: 0, found: 0, node: None }],
            took: 1.0,
            ..Run::new(case, Outcome::Measured(vec![series]))
        };
        Record::new(Provenance::default(), machine, vec![run])
    }

    #[test]
    fn a_record_round_trips() {
        let record = small();
        assert_eq!(from_slice(&to_vec(&record).unwrap()).unwrap(), record);
    }

    /// Of a record with two cases one is read; what is wrong with the other, or with its own series, is said as ever.
    #[test]
    fn series_of_other_cases_are_not_looked_into() {
        let mut record = small();
        let mut other = record.runs[0].clone();
        other.case.version = 2;
        record.runs.push(other);
        let text = String::from_utf8(to_vec(&record).unwrap()).unwrap();
        let wanted: [fn(&Case) -> bool; 2] = [|c| c.version == 1, |c| c.version == 2];
        let of = |text: &str, version: usize| from_slice_of(text.as_bytes(), wanted[version - 1]);
        let mut expected = record.clone();
        expected.runs[1].outcome = Outcome::Measured(vec![]);
        assert_eq!(of(&text, 1).unwrap(), expected);
        let broken = text.replacen("[1.1e-9,1.2e-9]", "[\"a\"]", 1);
        assert_eq!(of(&broken, 2).unwrap().runs[1], record.runs[1]);
        assert_eq!(of(&broken, 1), from_slice(broken.as_bytes()));
        assert!(matches!(of(&broken, 1), Err(LoadError::NotARecord(_))));
        let cut = text.replacen("1.2e-9", "1.2e-", 1);
        assert_eq!(of(&cut, 2), from_slice(cut.as_bytes()));
    }

    #[test]
    fn the_layout_has_a_line_for_a_series() {
        let text = String::from_utf8(to_vec(&small()).unwrap()).unwrap();
        let series: Vec<&str> = text.lines().filter(|line| line.contains("\"samples\"")).collect();
        assert!(series.len() == 1 && series[0].starts_with("          {\"metric\":"), "{text}");
        let plain: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(plain, serde_json::to_value(small()).unwrap());
    }

    #[test]
    fn marked_samples_stay_but_do_not_count() {
        let Outcome::Measured(series) = &small().runs[0].outcome else { panic!() };
        assert_eq!(series[0].undisturbed(), [1.1e-9]);
        assert_eq!(series[0].samples.len(), 2);
    }

    #[test]
    fn every_truncation_is_named_so() {
        let bytes = to_vec(&small()).unwrap();
        for cut in 1..bytes.len() - 2 {
            match from_slice(&bytes[..cut]) {
                Err(LoadError::Truncated { .. }) => {}
                other => panic!("cut at {cut}: {other:?}"),
            }
        }
    }

    #[test]
    fn newer_foreign_and_inconsistent_documents_are_told_apart() {
        let text = String::from_utf8(to_vec(&small()).unwrap()).unwrap();
        let newer = text.replacen("\"schema\": 1", "\"schema\": 99", 1);
        assert_eq!(from_slice(newer.as_bytes()), Err(LoadError::Newer { schema: 99 }));
        assert!(matches!(from_slice(b"{\"a\": 1}"), Err(LoadError::NotARecord(_))));
        assert!(matches!(from_slice(b"hello"), Err(LoadError::NotJson(_))));
        assert!(matches!(from_slice(b"[1, 2]"), Err(LoadError::NotJson(_))));
        let bad_mark = text.replacen("\"sample\":1", "\"sample\":7", 1);
        assert!(matches!(from_slice(bad_mark.as_bytes()), Err(LoadError::NotARecord(_))));
        let deep = "[".repeat(100_000);
        assert!(from_slice(deep.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn garbled_bytes_never_panic(at in 0usize..2000, with in any::<u8>()) {
            let mut bytes = to_vec(&small()).unwrap();
            let at = at % bytes.len();
            bytes[at] = with;
            if let Err(error) = from_slice(&bytes) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
