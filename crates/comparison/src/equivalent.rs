//! Which of our series may stand beside which figure of another tool, and how well the two agree: the rows of
//! `data/equivalents.toml`, read by comparisons and by the search for the nearest machines (`docs/adr/0027`).
use crate::say;
use crate::{grade::Grade, software};
use record::{Between, Metric, ProbeId, Reason, Text, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Parameters and coordinates of a quantity.
pub(crate) type At = BTreeMap<String, Value>;

/// A figure of another tool, and the series of ours that is made to its definition.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// The definition, in the tool's words.
    pub what: String,
    /// The imported or published quantity.
    pub theirs: Form,
    /// Ours.
    pub ours: Form,
    /// The version of our probe that was set beside the original.
    #[serde(default = "first")]
    pub version: u32,
    /// The statistic of its repetitions that the tool prints.
    #[serde(default)]
    pub printed: Printed,
    /// The factor from our unit to theirs.
    #[serde(default = "one")]
    pub factor: f64,
    /// The agreement of ours with the original.
    #[serde(default)]
    pub shown: Shown,
    /// The remaining difference of the two.
    pub differs: Option<Differs>,
    /// The command that measures ours.
    pub command: String,
    /// What it is called where machines are sought that are like this one; nothing where too much but the machine decides it.
    pub near: Option<Near>,
}

/// The shape of a quantity: a name that is not listed here may not be there, but for the software around it.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Ids of probes or importers, one of which it is.
    pub probes: Vec<ProbeId>,
    /// The metric.
    pub metric: Metric,
    /// Parameters and coordinates.
    pub at: BTreeMap<String, Match>,
}

/// A condition on a parameter or coordinate.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// One of these words, in large or small letters.
    One(Vec<String>),
    /// The same, or nothing is said.
    OneOrUnstated(Vec<String>),
    /// One of these tools, or a version that begins so: `UnixBench 6` is 6.0.0 and not 60.
    Tool(Vec<String>),
    /// Text that holds this.
    Holds(String),
    /// A number that is not less than theirs of that name.
    NoLess(String),
    /// As theirs of that name.
    Theirs(String),
    /// As many as theirs of that name, where nothing is one; or all CPUs of both machines.
    AsMany(String),
    /// A step of as many cores as theirs of that name says, with so many threads of each.
    CoresOf(String, usize),
    /// Anything, or nothing.
    Any,
}

/// The statistic of its repetitions that a tool prints.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Printed {
    /// The least.
    Least,
    /// The most.
    Most,
    /// Their mean, for which the median of ours stands.
    #[default]
    Mean,
}

/// The agreement of ours with the original.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Within this share, as the page says.
    Within(f64, String),
    /// The original was not to be had: the quantity is the same, and nobody has set the two beside each other.
    #[default]
    Never,
}

/// The remaining difference of two definitions, its weight, and the remedy.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differs {
    /// Its weight.
    pub grade: Grade,
    /// A clause that follows a semicolon.
    pub why: String,
    /// A command or setting.
    pub remedy: String,
}

/// A figure by which machines are found to be alike.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// Its name.
    pub what: String,
    /// Further conditions on theirs; ours follows from it.
    pub at: BTreeMap<String, String>,
}

/// Rows with what the tool states for all of them.
#[derive(Default, Deserialize)]
struct Table {
    tool: Vec<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    row: Vec<serde_json::Value>,
    #[serde(flatten)]
    all: serde_json::Value,
}

fn first() -> u32 {
    1
}

fn one() -> f64 {
    1.0
}

const TEXT: &str = include_str!("../data/equivalents.toml");

/// The file; a test refuses one that cannot be read.
static TABLE: LazyLock<Vec<Equivalent>> = LazyLock::new(|| read(TEXT).unwrap_or_default());

fn read(text: &str) -> Result<Vec<Equivalent>, String> {
    let table: Table = record::from_toml(text)?;
    let rows = table.tool.into_iter().flat_map(|Tool { row, all }| {
        row.into_iter().map(move |own| {
            let mut row = all.clone();
            merge(&mut row, own);
            serde_json::from_value(row).map_err(|e| e.to_string())
        })
    });
    rows.collect()
}

/// Adds what a row states to what its tool states, or puts it in its place.
fn merge(all: &mut serde_json::Value, own: serde_json::Value) {
    match (all, own) {
        (serde_json::Value::Object(all), serde_json::Value::Object(own)) => {
            for (name, value) in own {
                merge(all.entry(name).or_insert(serde_json::Value::Null), value);
            }
        }
        (all, own) => *all = own,
    }
}

/// Every figure of theirs that something of ours may stand beside. Of two rows of one figure the first that a record can fill counts.
pub fn all() -> impl Iterator<Item = &'static Equivalent> {
    TABLE.iter()
}

/// The rows of the table that a foreign quantity has.
pub fn of(probe: ProbeId, metric: Metric, at: &At) -> impl Iterator<Item = &'static Equivalent> {
    all().filter(move |row| row.is_theirs(probe, metric, at))
}

/// The numbers of threads, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Crowd {
    /// CPUs.
    pub cpus: usize,
    /// Cores that they belong to.
    pub cores: usize,
    /// Whether these are all of the machine.
    pub whole: bool,
}

impl serde::Serialize for Equivalent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.what)
    }
}

impl Equivalent {
    /// The reason of the mark on a row of the two.
    pub fn reason(&self) -> Reason {
        let why = match &self.shown {
            Shown::Within(share, page) => {
                say::ours_within(&self.what, format!("{:.0}", share * 100.0), page)
            }
            Shown::Never => say::ours_never(&self.what),
        };
        match (&self.differs, &self.shown) {
            (Some(differs), _) => {
                let why = Text::list([why, differs.why.as_str().into()], Between::Semicolon);
                Reason::mended_by(why, differs.remedy.as_str())
            }
            (None, Shown::Never) => Reason::mended_by(why, say::FIX_NEVER),
            (None, Shown::Within(..)) => Reason::new(why),
        }
    }
    /// The weight of the mark.
    pub fn grade(&self) -> Grade {
        match (&self.differs, &self.shown) {
            (Some(differs), Shown::Within(..)) => differs.grade,
            (Some(differs), Shown::Never) => differs.grade.max(Grade::Unclaimed),
            (None, Shown::Within(..)) => Grade::Noted,
            (None, Shown::Never) => Grade::Unclaimed,
        }
    }
    /// Differences up to this may be the two implementations'.
    pub fn tolerance(&self) -> f64 {
        match &self.shown {
            Shown::Within(share, _) => *share,
            Shown::Never => 0.0,
        }
    }
    /// Our value in the tool's terms, from its least, middle and most.
    pub fn value(&self, [least, middle, most]: [f64; 3]) -> f64 {
        self.factor
            * match self.printed {
                Printed::Least => least,
                Printed::Most => most,
                Printed::Mean => middle,
            }
    }
    /// Whether a quantity of this probe and metric at this place is theirs.
    pub fn is_theirs(&self, probe: ProbeId, metric: Metric, at: &At) -> bool {
        self.theirs.fits(probe, metric, at, |name, is| match is {
            Match::NoLess(of) => {
                let number = |name: &str| at.get(name).and_then(Value::number);
                number(name).zip(number(of)).is_some_and(|(a, b)| a >= b)
            }
            is => alone(is, at.get(name)),
        })
    }
    /// Whether a quantity of ours is the one that stands beside theirs; where the number of threads belongs to it, `crowds`
    /// says who took part, ours first.
    pub fn is_ours(
        &self,
        (probe, metric, at): (ProbeId, Metric, &At),
        theirs: &At,
        crowds: (Crowd, Crowd),
    ) -> bool {
        self.ours.fits(probe, metric, at, |name, is| match is {
            Match::Theirs(of) => match (at.get(name), theirs.get(of)) {
                (Some(a), Some(b)) => plain(a).eq_ignore_ascii_case(&plain(b)),
                _ => false,
            },
            Match::AsMany(of) => {
                let (ours, other) =
                    (counted(at.get(name), crowds.0), counted(theirs.get(of), crowds.1));
                let all =
                    |crowd: Crowd, count: Option<usize>| crowd.whole && count == Some(crowd.cpus);
                ours.is_some() && (ours == other || all(crowds.0, ours) && all(crowds.1, other))
            }
            Match::CoresOf(of, threads) => {
                let cores = theirs.get(of).and_then(Value::integer).map(|n| n as usize);
                let Crowd { cpus, cores: ours, .. } = crowds.0;
                ours > 0 && cores == Some(ours) && cpus == ours * threads
            }
            is => alone(is, at.get(name)),
        })
    }
    /// The number of our threads, where that belongs to the definition.
    pub fn threads(&self, at: &At, crowd: Crowd) -> Option<usize> {
        let name = self.ours.at.iter().find(|(_, is)| matches!(is, Match::AsMany(_)))?.0;
        counted(at.get(name), crowd)
    }
}

impl Form {
    fn fits(
        &self,
        probe: ProbeId,
        metric: Metric,
        at: &At,
        holds: impl Fn(&str, &Match) -> bool,
    ) -> bool {
        self.metric == metric
            && self.probes.contains(&probe)
            && at.keys().all(|name| self.at.contains_key(name) || software::is_of_it(name))
            && self.at.iter().all(|(name, is)| holds(name, is))
    }
}

/// Whether a value is what it has to be, whatever stands beside it.
fn alone(is: &Match, value: Option<&Value>) -> bool {
    let one = |words: &[String], v: &Value| {
        let v = v.to_string();
        words.iter().any(|w| v.eq_ignore_ascii_case(w))
    };
    match (is, value) {
        (Match::Any, _) => true,
        (Match::OneOrUnstated(words), value) => value.is_none_or(|v| one(words, v)),
        (Match::One(words), Some(v)) => one(words, v),
        (Match::Holds(part), Some(v)) => v.text().is_some_and(|text| text.contains(part.as_str())),
        (Match::Tool(tools), Some(v)) => {
            let v = v.to_string();
            let begins = |tool: &String| {
                v.strip_prefix(tool).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            tools.iter().any(begins)
        }
        _ => false,
    }
}

/// Threads by number or word; nothing said is one.
fn counted(value: Option<&Value>, crowd: Crowd) -> Option<usize> {
    match value {
        None => Some(1),
        Some(value) => match value.to_string().as_str() {
            "one" => Some(1),
            "all" => Some(crowd.cpus),
            digits => digits.parse().ok(),
        },
    }
}

/// Commands are written with and without their quotes.
fn plain(value: &Value) -> String {
    value.to_string().replace(['\'', '"'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_and_no_row_hides_another() {
        let rows = read(TEXT).unwrap();
        assert_eq!(rows.len(), 50);
        for (i, row) in rows.iter().enumerate() {
            assert!(!rows[..i].contains(row), "{row:?} is there twice");
        }
        assert!(rows.iter().any(|row| row.ours.probes == record::unixbench::IDS));
        assert!(read(&TEXT.replace("factor = ", "times = ")).is_err());
    }
}
