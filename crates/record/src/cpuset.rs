//! Sets of CPU (or node) numbers in the list syntax of `taskset`, `numactl` and sysfs: `0-7,64-71`.
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt, str::FromStr};

/// A set of CPU or node numbers. Text form and JSON form are the kernel's list syntax.
///
/// ```
/// let set: record::CpuSet = "0-3,8,10-14:2".parse().unwrap();
/// assert_eq!(set.len(), 8);
/// assert_eq!(set.to_string(), "0-3,8,10,12,14");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CpuSet(Vec<Span>);

/// First and last of a run of numbers. Those of a set ascend and leave a gap between each other, so that a set takes no more
/// memory than its text.
type Span = (u32, u32);

/// The reason why a text is not a CPU list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuSetError {
    /// The part that could not be read.
    pub part: String,
}

impl fmt::Display for CpuSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, most) = (&self.part, CpuSet::MAX);
        write!(f, "'{part}' is not a CPU list like 0-7,64-71 (numbers up to {most})")
    }
}

impl std::error::Error for CpuSetError {}

impl CpuSet {
    /// The largest number accepted: far above any kernel's NR_CPUS (8192), small enough that hostile text
    /// cannot ask for gigabytes.
    pub const MAX: u32 = 65_535;

    /// Reads a mask in hexadecimal digits: one number, or words of 32 bits with commas, the highest first. Else gives the part
    /// that could not be read.
    ///
    /// ```
    /// let set = record::CpuSet::from_mask("0x00000001,0x000000ff").unwrap();
    /// assert_eq!(set.to_string(), "0-7,32");
    /// assert_eq!(record::CpuSet::from_mask("1ff").unwrap().len(), 9);
    /// ```
    pub fn from_mask(text: &str) -> Result<CpuSet, &str> {
        let several = text.contains(',');
        let mut ids = vec![];
        for (word, first) in text.trim().rsplit(',').zip((0..).step_by(32)) {
            let digits = word.trim().trim_start_matches("0x");
            if first > CpuSet::MAX || text.is_empty() || several && digits.len() > 8 {
                return Err(word);
            }
            for (digit, at) in digits.chars().rev().zip((first..=CpuSet::MAX).step_by(4)) {
                let bits = digit.to_digit(16).ok_or(word)?;
                ids.extend((0..4).filter(|bit| bits >> bit & 1 == 1).map(|bit| at + bit));
            }
        }
        Ok(ids.into_iter().collect())
    }
    /// The number of CPUs in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|(from, to)| (to - from) as usize + 1).sum()
    }
    /// Whether the set has no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Whether `id` is a member.
    pub fn contains(&self, id: u32) -> bool {
        self.span(id).is_some()
    }
    /// The smallest member.
    pub fn first(&self) -> Option<u32> {
        self.0.first().map(|(from, _)| *from)
    }
    /// Adds a member.
    pub fn insert(&mut self, id: u32) {
        if !self.contains(id) {
            self.0.push((id, id));
            merge(&mut self.0);
        }
    }
    /// The members in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.0.iter().flat_map(|(from, to)| *from..=*to)
    }
    /// The members that both sets have.
    pub fn intersection(&self, other: &CpuSet) -> CpuSet {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut both = vec![];
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let (from, to) = (x.0.max(y.0), x.1.min(y.1));
            if from <= to {
                both.push((from, to));
            }
            if x.1 < y.1 {
                a.next()
            } else {
                b.next()
            };
        }
        CpuSet(both)
    }
    /// Whether every member is also in `other`.
    pub fn is_subset(&self, other: &CpuSet) -> bool {
        self.0.iter().all(|(from, to)| other.span(*from).is_some_and(|(_, end)| to <= end))
    }
    /// The run that a number belongs to.
    fn span(&self, id: u32) -> Option<&Span> {
        let after = self.0.partition_point(|(from, _)| *from <= id);
        self.0[..after].last().filter(|(_, to)| id <= *to)
    }
}

/// Brings runs into ascending order and joins those that touch.
fn merge(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let touch = next.0 <= last.1.saturating_add(1);
        if touch {
            last.1 = last.1.max(next.1);
        }
        touch
    });
}

/// Orders by members, as sets of numbers are.
impl Ord for CpuSet {
    fn cmp(&self, other: &CpuSet) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl PartialOrd for CpuSet {
    fn partial_cmp(&self, other: &CpuSet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut spans: Vec<Span> = ids.into_iter().map(|id| (id, id)).collect();
        merge(&mut spans);
        CpuSet(spans)
    }
}

impl FromStr for CpuSet {
    type Err = CpuSetError;
    /// Reads `0-7,64-71`, with `a-b:step` as sysfs and `numactl` allow; empty text is the empty set.
    fn from_str(text: &str) -> Result<Self, CpuSetError> {
        let mut spans: Vec<Span> = vec![];
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
            match step {
                1 => spans.push((from, to)),
                _ => spans.extend((from..=to).step_by(step as usize).map(|id| (id, id))),
            }
            // However many parts there are, there are no more numbers than this.
            if spans.len() > 2 * CpuSet::MAX as usize {
                merge(&mut spans);
            }
        }
        merge(&mut spans);
        Ok(CpuSet(spans))
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (from, to)) in self.0.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match to - from {
                0 => write!(f, "{comma}{from}")?,
                1 => write!(f, "{comma}{from},{to}")?,
                _ => write!(f, "{comma}{from}-{to}")?,
            }
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
    /// Parses the list of a document: steps are never written, and a few bytes of them would be a megabyte.
    fn try_from(text: String) -> Result<Self, CpuSetError> {
        match text.contains(':') {
            true => Err(CpuSetError { part: text.chars().take(40).collect() }),
            false => text.parse(),
        }
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
            "pattern": "^([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

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

    proptest! {
        /// As a set of numbers does it.
        #[test]
        fn sets_are_sets(a in ids(), b in ids(), id in 0u32..70) {
            let of = |ids: &BTreeSet<u32>| ids.iter().copied().collect::<CpuSet>();
            let (x, y) = (of(&a), of(&b));
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(x.iter().next_back(), a.last().copied());
            prop_assert_eq!((x.first(), x.contains(id)), (a.first().copied(), a.contains(&id)));
            prop_assert_eq!(x.intersection(&y), of(&a.intersection(&b).copied().collect()));
            prop_assert_eq!((x.is_subset(&y), x.cmp(&y)), (a.is_subset(&b), a.cmp(&b)));
            let (mut more, mut also) = (x.clone(), a.clone());
            more.insert(id);
            also.insert(id);
            prop_assert_eq!(more, of(&also));
        }
    }

    fn ids() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(0u32..70, 0..40)
    }

    /// A hostile document could ask for gigabytes with a few bytes each.
    #[test]
    fn a_set_takes_no_more_memory_than_its_text() {
        let set = CpuSet::try_from("0-65535,7,9-12".to_owned()).unwrap();
        assert_eq!((set.len(), set.0.len()), (65_536, 1));
        assert!(CpuSet::try_from("0-65535:2".to_owned()).is_err(), "as no document of ours has it");
        let many = "0-65535:2,".repeat(50).parse::<CpuSet>().unwrap();
        assert_eq!((many.len(), many.0.len()), (32_768, 32_768));
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
