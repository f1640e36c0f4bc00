//! Limits that a machine's figures must keep, each with the reason why it is where it is: read from TOML, made from a record that
//! is known to be good, or from what is published of the processor.
use crate::group::Key;
use crate::headline::Headline;
use crate::say;
use analyse::expected::Quantity;
use analyse::{AsExpected, Report};
use record::{Better, Text};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Limits for a kind of machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// Faults that this kind of machine may have, by rule, such as `thp_never`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// The kind of machine that it is for; any where it says none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Key>,
    /// The limits.
    #[serde(default, rename = "limit")]
    pub limits: Vec<Limit>,
    /// Reasons why figures have no limit, by name; not written to the file.
    #[serde(skip)]
    pub without: BTreeMap<String, Text>,
    /// The reason why all other figures have none.
    #[serde(skip)]
    pub otherwise: Text,
}

/// Between what a figure shall lie, in its base unit (seconds, hertz, bytes per second).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The figure's name.
    pub metric: String,
    /// Below this it is a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warn_min: Option<f64>,
    /// Above this it is a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warn_max: Option<f64>,
    /// Below this it is critical.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical_min: Option<f64>,
    /// Above this it is critical.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical_max: Option<f64>,
    /// The derivation of the limits.
    pub why: Text,
}

/// A figure that is worse than that of a good machine by this share is a warning: healthy servers of one kind differ by less
/// than 5 % in memory bandwidth (SuperBench, ATC'24, and its default rule).
pub const WARN: f64 = 0.05;
/// By this share it is critical: twice that.
pub const CRITICAL: f64 = 0.10;

/// Bytes of a line, and brackets of values, at most.
const LINE: usize = 2000;
const BRACKETS: usize = 200;
/// Bytes of a profile at most.
pub const MAX_BYTES: u64 = 1 << 16;

impl Profile {
    /// The limit of a figure.
    pub fn limit(&self, name: &str) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.metric == name)
    }
    /// Reads a profile.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Profile, String> {
        // The parser calls itself for each bracket, and takes long for a name of many parts.
        if let Some(number) = text.lines().position(|line| line.len() > LINE) {
            return Err(format!("line {} is longer than {LINE} bytes", number + 1));
        }
        let values = text.lines().filter(|line| !line.starts_with("[[limit]]"));
        if values.flat_map(str::chars).filter(|c| matches!(c, '[' | '{')).count() > BRACKETS {
            return Err(format!("it has over {BRACKETS} brackets beside those of its limits"));
        }
        let mut profile: Profile = basic_toml::from_str(text).map_err(|e| e.to_string())?;
        profile.otherwise = say::NO_LIMIT_PROFILE.into();
        if profile.limits.is_empty() {
            return Err("it has no limit".into());
        }
        if let Some(name) = profile.ignore.iter().find(|name| !crate::check::is_fault(name)) {
            return Err(format!("ignore: there is no fault {name}"));
        }
        let mut seen = BTreeSet::new();
        for limit in &profile.limits {
            let name = &limit.metric;
            let ends = [limit.warn_min, limit.warn_max, limit.critical_min, limit.critical_max];
            if ends.iter().all(Option::is_none) {
                return Err(format!(
                    "{name} has no limit: give warn_min, warn_max, critical_min or critical_max"
                ));
            }
            if ends.iter().flatten().any(|x| !x.is_finite()) {
                return Err(format!("{name}: a limit is not a finite number"));
            }
            let crossed = |inner: Option<f64>, outer: Option<f64>| {
                inner.zip(outer).is_some_and(|(inner, outer)| inner < outer)
            };
            if crossed(limit.warn_max, limit.warn_min)
                || crossed(limit.critical_max, limit.critical_min)
            {
                return Err(format!("{name}: the least lies above the most"));
            }
            if crossed(limit.warn_min, limit.critical_min)
                || crossed(limit.critical_max, limit.warn_max)
            {
                return Err(format!("{name}: the warning lies beyond the critical limit"));
            }
            if !seen.insert(name) {
                return Err(format!("{name} has two limits"));
            }
        }
        Ok(profile)
    }
    /// The same as TOML.
    ///
    /// # Errors
    /// None that is known.
    pub fn to_toml(&self) -> Result<String, String> {
        basic_toml::to_string(self).map_err(|e| e.to_string())
    }
    /// As good as another machine, within [`WARN`] and [`CRITICAL`].
    pub fn as_good_as(name: &str, of: &[Headline]) -> Profile {
        let why = say::worse_than(name);
        let limits = of.iter().filter_map(|h| worse(h, h.value, [WARN, CRITICAL], &why));
        Profile {
            title: Some(say::as_good(name)),
            limits: limits.collect(),
            otherwise: say::no_limit_record(name),
            ..Profile::default()
        }
    }
    /// Limits from published figures of the processor, for the caches whose latency was measured.
    pub fn expected(report: &Report<'_>, headlines: &[Headline]) -> Profile {
        let expected = report.get::<AsExpected>();
        let mut limits = vec![];
        for level in 1..=3 {
            let name = format!("l{level}_latency");
            let Some(h) = headlines.iter().find(|h| h.name == name) else { continue };
            let Some(of) = expected.of(&Quantity::CacheLatency(level)) else { continue };
            if of.measured > 0.0 {
                // Published in cycles; the limit is in seconds of the frequency that was measured.
                let published = h.value * of.high / of.measured;
                let why = say::latency_published(&name, &of.microarchitecture, &of.source);
                // The tolerance of the report's own judgement, and twice that: the last cache is shared.
                let beyond = if level < 3 { [0.1, 0.2] } else { [0.2, 0.4] };
                limits.extend(worse(h, published, beyond, &why));
            }
        }
        let title = expected.microarchitecture.as_ref().ok().map(say::as_published);
        let otherwise = say::NO_LIMIT_PUBLISHED.into();
        Profile { title, limits, otherwise, ..Profile::default() }
    }
}

/// Limits at these shares beyond a value, on the bad side; nothing where no side is bad.
pub(crate) fn worse(
    of: &Headline,
    value: f64,
    [warn, critical]: [f64; 2],
    why: &Text,
) -> Option<Limit> {
    let limit = Limit { metric: of.name.clone(), why: why.into(), ..Limit::default() };
    match of.better {
        Better::Higher => Some(Limit {
            warn_min: Some(value * (1.0 - warn)),
            critical_min: Some(value * (1.0 - critical)),
            ..limit
        }),
        Better::Lower => Some(Limit {
            warn_max: Some(value * (1.0 + warn)),
            critical_max: Some(value * (1.0 + critical)),
            ..limit
        }),
        Better::Neither => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Unit;

    #[test]
    fn a_profile_is_read_and_written_back() {
        let text = "ignore = [\"thp_never\"]\n[[limit]]\nmetric = \"read_bandwidth\"\nwarn_min = 380e9\ncritical_min = 350e9\nwhy = \"the contract\"\n";
        let profile = Profile::parse(text).unwrap();
        assert_eq!(profile.limits[0].warn_min, Some(380e9));
        assert_eq!(Profile::parse(&profile.to_toml().unwrap()).unwrap(), profile);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (limits, words) in [
            ("why = \"x\"", "metric"),
            ("metric = \"a\"\nwhy = \"x\"", "no limit"),
            ("metric = \"a\"\nwarn_min = 1.0\ncritical_min = 2.0\nwhy = \"x\"", "beyond"),
            ("metric = \"a\"\nwarn_max = 3.0\ncritical_max = 2.0\nwhy = \"x\"", "beyond"),
            ("metric = \"a\"\nwarn_max = 3.0", "why"),
            ("metric = \"a\"\nwarn_max = inf\nwhy = \"x\"", "finite"),
            ("metric = \"a\"\nminimum = 3.0\nwhy = \"x\"", "minimum"),
            (
                "metric = \"a\"\nwarn_max = 3.0\nwhy = \"\"\n[[limit]]\nmetric = \"a\"\nwarn_max = 3.0\nwhy = \"\"",
                "two",
            ),
        ] {
            let error = Profile::parse(&format!("[[limit]]\n{limits}")).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_profile_without_meaning_is_refused() {
        let limit = "[[limit]]\nmetric = \"a\"\nwarn_max = 3.0\nwhy = \"x\"\n";
        for (text, words) in [
            (String::new(), "no limit"),
            ("title = \"x\"".into(), "no limit"),
            (format!("ignore = [\"nonsense\"]\n{limit}"), "nonsense"),
            (format!("{limit}warn_min = 4.0"), "above"),
            (format!("title = {}", "[\n".repeat(50_000)), "brackets"),
            (format!("title = {}", "{a=".repeat(500)), "brackets"),
            (format!("title = {}", "[".repeat(BRACKETS)), "expected"),
            (format!("[{}a]", "a.".repeat(100_000)), "longer"),
            (format!("[{}a]\n", "a.".repeat(990)).repeat(5), ""),
        ] {
            let error = Profile::parse(&text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        for fault in ["thp_never", "memory_errors", "unfit"] {
            assert!(Profile::parse(&format!("ignore = [\"{fault}\"]\n{limit}")).is_ok());
        }
    }

    #[test]
    fn a_limit_lies_on_the_bad_side() {
        let of = |better| Headline {
            name: "x".into(),
            unit: Unit::Seconds,
            better,
            value: 100.0,
            interval: None,
        };
        let all = [Better::Lower, Better::Higher, Better::Neither].map(of);
        let profile = Profile::as_good_as("db1", &all);
        assert_eq!(profile.limits.len(), 2);
        assert_eq!((profile.limits[0].warn_max, profile.limits[0].warn_min), (Some(105.0), None));
        assert_eq!(
            (profile.limits[1].critical_min, profile.limits[1].critical_max),
            (Some(90.0), None)
        );
    }
}
