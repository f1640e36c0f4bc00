//! Items in groups, in the order in which the keys of the groups were met.

/// The items of each key.
///
/// ```
/// let words = estimates::groups::by_key(["a", "bb", "c"], |word| word.len());
/// assert_eq!(words, [(1, vec!["a", "c"]), (2, vec!["bb"])]);
/// ```
pub fn by_key<T, K: PartialEq>(
    items: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = vec![];
    for item in items {
        let of = key(&item);
        match groups.iter_mut().find(|(known, _)| *known == of) {
            Some((_, all)) => all.push(item),
            None => groups.push((of, vec![item])),
        }
    }
    groups
}
