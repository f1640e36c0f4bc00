//! Suggestions for a mistyped name.

/// The names nearest to `asked`, three at most, the nearest first: those that contain it or differ by few letters.
pub fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let asked: Vec<char> = asked.to_lowercase().chars().take(80).collect();
    let most = (asked.len() / 3).max(2).min(asked.len());
    let text: String = asked.iter().collect();
    let names: Vec<&str> = names.collect();
    let mut found: Vec<(usize, &str)> = names
        .iter()
        .filter_map(|name| {
            let away = distance(&asked, name);
            let inside = asked.len() > 2 && name.contains(&text);
            // A part of a name is as near as a slip, however much is left out.
            (inside || away <= most).then_some((if inside { away.min(1) } else { away }, *name))
        })
        .collect();
    if found.is_empty() {
        // A slip in one word of a name.
        found.extend(names.iter().filter_map(|name| {
            let away = name.split(['_', '-']).map(|part| distance(&asked, part)).min()?;
            (away <= asked.len() / 3 && !asked.is_empty()).then_some((away, *name))
        }));
    }
    found.sort_unstable();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Letters to put in, take out or change (Levenshtein).
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_parts_of_names_are_found() {
        let names = ["intel-8163", "intel-8269cy-2node", "kunpeng-920-4826"];
        let near = |asked| nearest(asked, names.iter().copied());
        assert_eq!(near("intel-8136"), ["intel-8163"]);
        assert_eq!(near("kunpeng-920"), ["kunpeng-920-4826"]);
        assert_eq!(near("8269"), ["intel-8269cy-2node"]);
        assert_eq!(near("INTEL"), ["intel-8163", "intel-8269cy-2node"]);
        assert_eq!(near("kunpneg"), ["kunpeng-920-4826"]);
        assert!(near("power9").is_empty() && near("").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn any_text_may_be_asked(asked in ".{0,100}") {
            let found = nearest(&asked, crate::names());
            proptest::prop_assert!(found.len() <= 3);
            proptest::prop_assert!(found.iter().all(|f| crate::names().any(|n| n == *f)));
        }
        #[test]
        fn every_name_is_nearest_to_itself(at in 0usize..26) {
            let name = crate::names().nth(at).unwrap_or_default();
            proptest::prop_assert_eq!(nearest(name, crate::names())[0], name);
        }
    }

    #[test]
    fn distance_counts_edits() {
        let of = |a: &str, b| distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!((of("", "abc"), of("abc", ""), of("abc", "abc")), (3, 3, 0));
        assert_eq!((of("kitten", "sitting"), of("ab", "ba")), (3, 2));
    }
}
