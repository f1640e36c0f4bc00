//! Members counted, and put together, by a key; and each of them once.
use crate::CpuSet;
use std::collections::BTreeMap;

/// How often each of these is there.
///
/// ```
/// assert_eq!(record::counts(["b", "a", "b"]), [("a", 1), ("b", 2)].into());
/// ```
pub fn counts<K: Ord>(all: impl IntoIterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    all.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    counts
}

/// The members of each key, in their order.
///
/// ```
/// assert_eq!(record::groups([(2, "b"), (1, "a"), (2, "c")]), [(1, vec!["a"]), (2, vec!["b", "c"])].into());
/// ```
pub fn groups<K: Ord, T>(all: impl IntoIterator<Item = (K, T)>) -> BTreeMap<K, Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    all.into_iter().for_each(|(key, member)| groups.entry(key).or_default().push(member));
    groups
}

/// The CPUs, or nodes, of each key.
///
/// ```
/// assert_eq!(record::sets([("a", 1), ("b", 0), ("a", 0)])["a"].to_string(), "0,1");
/// ```
pub fn sets<K: Ord>(all: impl IntoIterator<Item = (K, u32)>) -> BTreeMap<K, CpuSet> {
    groups(all).into_iter().map(|(key, ids)| (key, ids.into_iter().collect())).collect()
}

/// Each of these once, in the order in which they come first.
///
/// ```
/// assert_eq!(record::distinct(["b", "a", "b"]), ["b", "a"]);
/// ```
pub fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    all.into_iter().fold(vec![], |mut kept, one| {
        if !kept.contains(&one) {
            kept.push(one);
        }
        kept
    })
}
