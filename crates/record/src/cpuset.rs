//! Sets of CPU (or node) numbers in the list syntax of `taskset`, `numactl` and sysfs: `0-7,64-71`.
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, str::FromStr};

/// A set of CPU or node numbers. Text form and JSON form are the kernel's list syntax.
///
/// ```
/// let set: record::CpuSet = "0-3,8,10-14:2".parse().unwrap();
/// assert_eq!(set.len(), 8);
/// assert_eq!(set.to_string(), "0-3,8,10,12,14");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CpuSet(BTreeSet<u32>);

/// Why a text is not a CPU list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuSetError {
    /// The part that could not be read.
    pub part: String,
}

impl fmt::Display for CpuSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a CPU list like 0-7,64-71 (numbers up to {})",
            self.part,
            CpuSet::MAX
        )
    }
}

impl std::error::Error for CpuSetError {}

impl CpuSet {
    /// The largest number accepted: far above any kernel's NR_CPUS (8192), small enough that hostile text
    /// cannot ask for gigabytes.
    pub const MAX: u32 = 65_535;

    /// How many numbers are in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether the set has no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Whether `id` is a member.
    pub fn contains(&self, id: u32) -> bool {
        self.0.contains(&id)
    }
    /// The smallest member.
    pub fn first(&self) -> Option<u32> {
        self.0.first().copied()
    }
    /// Adds a member.
    pub fn insert(&mut self, id: u32) {
        self.0.insert(id);
    }
    /// The members in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
    /// The members that both sets have.
    pub fn intersection(&self, other: &CpuSet) -> CpuSet {
        CpuSet(self.0.intersection(&other.0).copied().collect())
    }
    /// Whether every member is also in `other`.
    pub fn is_subset(&self, other: &CpuSet) -> bool {
        self.0.is_subset(&other.0)
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        CpuSet(ids.into_iter().collect())
    }
}

impl FromStr for CpuSet {
    type Err = CpuSetError;
    /// Reads `0-7,64-71`, with `a-b:step` as sysfs and `numactl` allow; empty text is the empty set.
    fn from_str(text: &str) -> Result<Self, CpuSetError> {
        let mut set = BTreeSet::new();
        for part in text.trim().split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let bad = || CpuSetError { part: part.chars().take(40).collect() };
            let (range, step) = match part.split_once(':') {
                Some((range, step)) => (range, step.parse::<u32>().map_err(|_| bad())?),
                None => (part, 1),
            };
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let from: u32 = from.parse().map_err(|_| bad())?;
            let to: u32 = to.parse().map_err(|_| bad())?;
            if to < from || to > CpuSet::MAX || step == 0 {
                return Err(bad());
            }
            set.extend((from..=to).step_by(step as usize));
        }
        Ok(CpuSet(set))
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ids = self.0.iter().copied().peekable();
        let mut comma = "";
        while let Some(from) = ids.next() {
            let mut to = from;
            while to.checked_add(1).is_some_and(|next| ids.next_if_eq(&next).is_some()) {
                to += 1;
            }
            match to - from {
                0 => write!(f, "{comma}{from}")?,
                1 => write!(f, "{comma}{from},{to}")?,
                _ => write!(f, "{comma}{from}-{to}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

impl From<CpuSet> for String {
    fn from(set: CpuSet) -> String {
        set.to_string()
    }
}

impl TryFrom<String> for CpuSet {
    type Error = CpuSetError;
    fn try_from(text: String) -> Result<Self, CpuSetError> {
        text.parse()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CpuSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CpuSet".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "CPU or node numbers in list syntax, such as 0-7,64-71; empty for none.",
            "pattern": "^([0-9]+(-[0-9]+(:[0-9]+)?)?(,[0-9]+(-[0-9]+(:[0-9]+)?)?)*)?$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn text_round_trips(ids in proptest::collection::btree_set(0u32..300, 0..60)) {
            let set: CpuSet = ids.iter().copied().collect();
            prop_assert_eq!(set.to_string().parse::<CpuSet>().unwrap(), set);
        }
        #[test]
        fn any_text_is_a_set_or_an_error(text in "[-0-9,: x]{0,30}") {
            if let Ok(set) = text.parse::<CpuSet>() {
                prop_assert_eq!(set.to_string().parse::<CpuSet>().unwrap(), set);
            }
        }
    }

    #[test]
    fn the_largest_number_is_written() {
        let set: CpuSet = [u32::MAX - 1, u32::MAX].into_iter().collect();
        assert_eq!(set.to_string(), "4294967294,4294967295");
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for bad in ["a", "3-1", "0-99999", "1-2:0", "-1", "0--2"] {
            let error = bad.parse::<CpuSet>().unwrap_err();
            assert!(error.to_string().contains(bad), "{error}");
        }
    }
}
