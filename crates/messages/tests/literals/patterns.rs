//! The English patterns of `locales/en/prose`, and where texts with holes stand in others.
use crate::data::files;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

/// Stands for an argument.
pub(crate) const HOLE: char = '\u{1}';

/// Each message's key with its English text, whose arguments are holes.
pub(crate) fn english() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales/en/prose");
    let mut all = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let message = line.split_once(" = ").filter(|_| !line.starts_with('#'));
            all.extend(message.map(|(key, text)| (key.to_owned(), with_holes(text))));
        }
    }
    all
}

/// Words of small letters that Chinese texts have, such as names of programs.
pub(crate) fn words_of_chinese() -> BTreeSet<String> {
    let mut all = vec![];
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("locales/zh"), ".ftl", &mut all);
    let texts = all.iter().map(|path| fs::read_to_string(path).unwrap());
    let values = texts.flat_map(|text| {
        let lines = text.lines().filter_map(|line| Some(with_holes(line.split_once(" = ")?.1)));
        lines.collect::<Vec<_>>()
    });
    let words = values.flat_map(|text| {
        let words = text.split(|c: char| !c.is_ascii_lowercase()).map(str::to_owned);
        words.collect::<Vec<_>>()
    });
    words.collect()
}

fn with_holes(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, (inside, after))) =
        rest.split_once("{ ").and_then(|(b, a)| Some((b, a.split_once(" }")?)))
    {
        out += before;
        match inside.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(text) => out += text,
            None => out.push(HOLE),
        }
        rest = after;
    }
    out + rest
}

/// A text whose names, numbers and quantities are holes as its arguments are.
pub(crate) fn canonical(text: &str) -> String {
    const UNITS: [&str; 12] =
        ["%", "s", "ns", "us", "ms", "MB", "MiB", "KiB", "GiB", "MHz", "MB/s", "x"];
    let mut out: Vec<String> = vec![];
    for token in text.split(' ') {
        let bare = token.trim_matches(['(', ')', ',', ';', ':', '.', '\'']);
        let capitals = bare.chars().filter(char::is_ascii_uppercase).count();
        let names = bare.contains(|c: char| c.is_ascii_digit()) || capitals > 1;
        let token =
            if names { token.replacen(bare, &HOLE.to_string(), 1) } else { token.to_owned() };
        let before = out.last().is_some_and(|last| last.ends_with(HOLE));
        if before && (UNITS.contains(&bare) || token.starts_with(HOLE)) {
            let marks = token.trim_start_matches(bare).trim_start_matches(HOLE).to_owned();
            if let Some(last) = out.last_mut() {
                *last += &marks;
            }
        } else {
            out.push(token);
        }
    }
    out.join(" ")
}

/// A name of the code as words: `TimePerCall` and `time_per_call` are `time per call`.
pub(crate) fn spelt(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() || c == '_' {
            out.push(' ');
        }
        out.extend(Some(c.to_ascii_lowercase()).filter(|c| *c != '_'));
    }
    out.trim().to_owned()
}

/// The words of a text in small letters and without the ending of a plural.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let all = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    all.map(|word| word.to_lowercase().trim_end_matches('s').to_owned())
}

/// Texts by their words.
#[derive(Debug)]
pub(crate) struct Index<'t> {
    texts: &'t [String],
    /// Texts that have this word.
    having: HashMap<String, Vec<usize>>,
    /// Texts whose longest word this is.
    longest: HashMap<String, Vec<usize>>,
}

impl<'t> Index<'t> {
    pub(crate) fn new(texts: &'t [String]) -> Self {
        let (mut having, mut longest) = (HashMap::new(), HashMap::new());
        for (at, text) in texts.iter().enumerate() {
            for word in words(text) {
                let all: &mut Vec<usize> = having.entry(word).or_default();
                if all.last() != Some(&at) {
                    all.push(at);
                }
            }
            if let Some(word) = words(text).max_by_key(String::len) {
                longest.entry(word).or_insert_with(Vec::new).push(at);
            }
        }
        Index { texts, having, longest }
    }
    /// Those that may hold a text as a part.
    pub(crate) fn around(&self, inner: &str) -> impl Iterator<Item = &'t String> {
        let all = |word| self.having.get(&word).map_or(&[][..], Vec::as_slice);
        let fewest = words(inner).map(all).min_by_key(|all| all.len()).unwrap_or_default();
        fewest.iter().map(|at| &self.texts[*at])
    }
    /// Whether these texts together have all words of one.
    pub(crate) fn cover(&self, text: &str) -> bool {
        let mut covered = vec![false; text.len()];
        for part in self.within(text) {
            for (start, end) in places(part, text).into_iter().flatten() {
                let plural = usize::from(text[end..].starts_with('s'));
                covered[start..end + plural].fill(true);
            }
        }
        text.char_indices().all(|(at, c)| covered[at] || !c.is_ascii_alphabetic())
    }
    /// Those that may be parts of a text.
    fn within(&self, outer: &str) -> impl Iterator<Item = &'t String> {
        let mut all: Vec<usize> =
            words(outer).filter_map(|word| self.longest.get(&word)).flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|at| &self.texts[at])
    }
}

/// Where the fixed parts of a text stand in another, in order and without cutting a word: ranges of bytes of each place.
pub(crate) fn places(inner: &str, text: &str) -> Vec<Vec<(usize, usize)>> {
    let fixed: Vec<&str> = inner.split(HOLE).filter(|part| !part.is_empty()).collect();
    let Some((first, rest)) = fixed.split_first() else { return vec![] };
    let Some(letter) = first.chars().next() else { return vec![] };
    let tail = &first[letter.len_utf8()..];
    let starts = text.char_indices().filter(|(start, c)| {
        c.eq_ignore_ascii_case(&letter)
            && text[start + c.len_utf8()..].starts_with(tail)
            && whole(text, *start, first)
    });
    let all = starts.filter_map(|(start, _)| {
        let mut at = start + first.len();
        let mut found = vec![(start, at)];
        for part in rest {
            let mut next = text[at..].match_indices(part).map(|(i, _)| at + i);
            let next = next.find(|i| whole(text, *i, part))?;
            at = next + part.len();
            found.push((next, at));
        }
        Some(found)
    });
    all.collect()
}

/// Whether no word is cut where a part stands, but for the ending of a plural.
fn whole(text: &str, start: usize, part: &str) -> bool {
    let joined = |before: Option<char>, after: Option<char>| {
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    };
    let (before, after) = (&text[..start], &text[start + part.len()..]);
    let after = after.strip_prefix('s').unwrap_or(after);
    let begins = joined(before.chars().next_back(), part.chars().next());
    let ends = joined(part.chars().next_back(), after.chars().next());
    !begins && !ends
}
