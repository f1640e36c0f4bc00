//! Every sentence that the code or its data may print has its pattern, and every pattern has its sentence (docs/adr/0038).
#![allow(clippy::unwrap_used, reason = "a test that cannot read a source has failed")]
mod data;
mod exceptions;
mod patterns;
mod sources;
use messages::Lang;
use messages::prose::in_language;
use patterns::{HOLE, Index, canonical, places};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Each text in Chinese.
fn in_chinese(texts: Vec<String>) -> Vec<String> {
    texts.iter().map(|text| in_language(Lang::Zh, text)).collect()
}

/// Whether two English words follow each other, the second in small letters, but for command lines.
fn has_words(text: &str) -> bool {
    let is_word =
        |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'');
    let (mut before, mut command) = (false, false);
    for word in text.split(' ') {
        let begins = word.trim_start_matches(['(', '\'', '"', '`']);
        let bare = begins.trim_end_matches([',', ';', ':', '.', ')', '\'', '"', '`']);
        command |= exceptions::PROGRAMS.contains(&bare);
        let capital = bare.starts_with(|c: char| c.is_ascii_uppercase());
        if is_word(bare) && before && !command {
            return true;
        }
        before = is_word(bare) || capital && is_word(&bare[1..]);
        if begins.ends_with([',', ';', ':', '.', ')']) {
            before &= begins.ends_with(',');
            command = false;
        }
    }
    false
}

/// Whether English words are left in a Chinese text: two in a row, or one that no Chinese text of ours has.
fn is_english(chinese: &str) -> bool {
    let known = &*CHINESE;
    let tokens = chinese.split(|c: char| !(c.is_ascii() && c != ' '));
    let words = tokens.map(|t| t.trim_matches(['(', ')', ',', ';', ':', '.', '\'', '"', '`']));
    let mut words = words.filter(|w| w.len() > 2 && w.chars().all(|c| c.is_ascii_lowercase()));
    has_words(chinese) || words.any(|word| !known.contains(word))
}

/// The words of small letters in the Chinese texts.
static CHINESE: LazyLock<BTreeSet<String>> = LazyLock::new(patterns::words_of_chinese);

/// Words of small letters, but for those of a command line, which a mark ends.
fn words(text: &str) -> Vec<&str> {
    let (mut all, mut command) = (vec![], false);
    for word in text.split(' ') {
        let bare = word.trim_matches(MARKS);
        command |= exceptions::PROGRAMS.contains(&bare);
        let is_word = bare.len() > 2 && bare.chars().all(|c| c.is_ascii_lowercase());
        all.extend(Some(bare).filter(|_| is_word && !command));
        command &= !word.ends_with([',', ';', ':', '.', ')']);
    }
    all
}

/// What stands for an argument: a number, a name, a quantity, or nothing.
const FILLERS: [&str; 4] = ["7", "Xq", "7 ns", ""];
/// Arguments of which each combination is tried.
const EACH: usize = 3;

/// A text with its holes filled in several ways, the first by numbers.
fn filled(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(HOLE).collect();
    let (holes, kinds) = (parts.len() - 1, FILLERS.len());
    let ways = if holes <= EACH { kinds.pow(holes as u32) } else { kinds };
    let each = (0..ways).map(|way| {
        let (mut text, mut rest) = (parts[0].to_owned(), way);
        for after in &parts[1..] {
            let filler = FILLERS[rest % kinds];
            rest = if holes <= EACH { rest / kinds } else { rest };
            // The ending of a plural.
            let plural = filler.is_empty() && text.ends_with(|c: char| c.is_ascii_alphabetic());
            text += if plural { "s" } else { filler };
            text += after;
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    each.filter(|text| !text.is_empty()).collect()
}

/// Those that keep English words however they are filled.
fn not_translated(texts: BTreeSet<String>) -> BTreeSet<String> {
    let texts: Vec<String> = texts.into_iter().filter(|text| !filled(text).is_empty()).collect();
    let chinese = in_chinese(texts.iter().map(|text| filled(text).swap_remove(0)).collect());
    let first = texts.into_iter().zip(chinese).filter(|(_, chinese)| is_english(chinese));
    let mut left: Vec<String> = first.map(|(text, _)| text).collect();
    let mut chinese = in_chinese(left.iter().flat_map(|text| filled(text)).collect()).into_iter();
    left.retain(|text| {
        let ways: Vec<String> = chinese.by_ref().take(filled(text).len()).collect();
        ways.iter().all(|text| is_english(text))
    });
    left.into_iter().collect()
}

/// Where a text is cut into parts, of which each may be a sentence or stand in one: nowhere, at first.
const CUTS: [&[&str]; 4] = [
    &[],
    &[". ", ".\u{1}", ".\n", "; "],
    &[". ", ".\u{1}", ".\n", "; ", ": ", " ("],
    &[". ", ".\u{1}", ".\n", "; ", ": ", " (", ", "],
];
const MARKS: [char; 10] = [' ', ',', ';', ':', '.', '\n', '(', ')', '%', HOLE];

/// The parts of a text without the marks around them.
fn parts(text: &str, cuts: &[&str]) -> Vec<String> {
    let mut all = vec![text];
    for cut in cuts {
        all = all.iter().flat_map(|text| text.split(cut)).collect();
    }
    all.iter().map(|part| part.trim_matches(MARKS).to_owned()).collect()
}

/// Texts that neither are translated nor stand in a pattern, whole or in parts.
fn left_english(texts: BTreeSet<String>) -> BTreeSet<String> {
    // A pattern of one text says nothing of others.
    let alike = |text: &str| canonical(text).trim_matches(MARKS).to_owned();
    let whole: BTreeSet<String> = texts.iter().map(|text| alike(text)).collect();
    let patterns = patterns::english().into_values().map(|pattern| alike(&pattern));
    let (same, of_parts): (Vec<String>, Vec<String>) = patterns.partition(|p| whole.contains(p));
    let index = Index::new(&of_parts);
    let inside = |part: &String| {
        let part = alike(part);
        same.contains(&part)
            || index.around(&part).any(|pattern| !places(&part, pattern).is_empty())
    };
    let mut left = not_translated(texts);
    for cuts in CUTS {
        let all = left.iter().flat_map(|text| parts(text, cuts));
        let unknown = not_translated(all.filter(|p| !words(p).is_empty() && !inside(p)).collect());
        left.retain(|text| parts(text, cuts).iter().any(|part| unknown.contains(part)));
    }
    left
}

/// A table's column is named `#own`, or `@own`.
fn without_mark(text: &str) -> &str {
    text.strip_prefix(['#', '@']).filter(|text| !text.starts_with(' ')).unwrap_or(text)
}

fn shown(text: &str) -> String {
    text.replace(HOLE, "{}").escape_debug().to_string()
}

#[track_caller]
fn none(what: &str, all: &[String]) {
    assert!(all.is_empty(), "{} {what}:\n{}", all.len(), all.join("\n"));
}

#[test]
fn every_sentence_is_translated() {
    let (all, _) = sources::all();
    let data = data::sentences();
    // What begins so is written to standard error, or is a script.
    let begins = ["cpulens: ", "cpulens spread: ", "#!"];
    let said = |text: &str| begins.iter().all(|begin| !text.starts_with(begin));
    let of_words: Vec<_> = all
        .iter()
        .filter(|l| !l.is_error && said(&l.text))
        .map(|l| (without_mark(&l.text), l.place.as_str()))
        .chain(data.iter().map(|(text, file)| (text.as_str(), file.as_str())))
        .filter(|(text, _)| has_words(text) || words(text).len() > 1)
        .collect();
    assert!(data.len() > 300 && of_words.len() > 2000, "{} and {}", data.len(), of_words.len());
    let left = left_english(of_words.iter().map(|(text, _)| (*text).to_owned()).collect());
    let of_tools = data::of_tools();
    let left = of_words.into_iter().filter(|(text, place)| {
        let read = place.starts_with("import/") || place.starts_with("inventory/");
        left.contains(*text) && !(read && of_tools.have(text))
    });
    let mut unneeded: BTreeSet<&str> = exceptions::FILES.map(|(file, _)| file).into();
    let texts = || exceptions::TEXTS.iter().flat_map(|(_, texts)| *texts).copied();
    unneeded.extend(texts());
    let mut english = vec![];
    for (text, place) in left {
        let shown = shown(text);
        let of_file =
            exceptions::FILES.iter().map(|(file, _)| *file).find(|f| place.starts_with(f));
        let of_text = texts().find(|text| *text == shown);
        match of_file.or(of_text) {
            Some(exception) => drop(unneeded.remove(exception)),
            None => english.push(format!("{place}: {shown}")),
        }
    }
    none("texts have no pattern in locales/en/prose", &english);
    none(
        "exceptions are not needed",
        &unneeded.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>(),
    );
}

#[test]
fn every_pattern_has_its_sentence() {
    let (mut all, names) = sources::all();
    // Series and parameters are printed by their names, as operations of kernels are.
    let [kernels, record] = ["kernels", "record"].map(sources::of_crate);
    let words = names.iter().filter(|name| patterns::spelt(name).contains(' '));
    let names = words.chain(&kernels.names).chain(&record.names);
    let mut texts: BTreeSet<String> = names.map(|name| patterns::spelt(name)).collect();
    all.extend(kernels.found);
    for literal in &all {
        let text = without_mark(&literal.text);
        texts.extend(CUTS[..3].iter().flat_map(|cuts| parts(text, cuts)));
        texts.insert(text.replace(['_', '.', '-'], " "));
    }
    let lines = data::lines();
    texts.extend(
        lines.iter().flat_map(|line| line.split('"')).flat_map(|text| parts(text, CUTS[2])),
    );
    texts.extend(lines);
    let texts: Vec<String> = texts.into_iter().filter(|text| text.len() > 1).collect();
    let same: Vec<String> = texts.iter().map(|text| canonical(text)).collect();
    let [texts, same] = [Index::new(&texts), Index::new(&same)];
    let mut unneeded = BTreeSet::from(exceptions::OF_OTHERS.map(|(key, _)| key));
    let mut unused = vec![];
    for (key, pattern) in patterns::english() {
        let like = canonical(&pattern);
        let is_whole =
            |index: &Index<'_>, p: &str| index.around(p).any(|t| !places(p, t).is_empty());
        if is_whole(&texts, &pattern) || is_whole(&same, &like) || same.cover(&like) {
            continue;
        }
        match exceptions::OF_OTHERS.iter().find(|(begins, _)| key.starts_with(begins)) {
            Some((begins, _)) => drop(unneeded.remove(begins)),
            None => unused.push(format!("{key} = {}", shown(&pattern))),
        }
    }
    none("patterns have no sentence in the code or its data", &unused);
    none(
        "exceptions are not needed",
        &unneeded.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>(),
    );
}

/// The compiler sees all functions of a library as used.
#[test]
fn every_message_with_arguments_is_used() {
    let made = include_str!(concat!(env!("OUT_DIR"), "/messages.rs"));
    let functions = made.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split_once('('));
    let with_arguments: Vec<&str> = functions
        .filter(|(_, rest)| rest.starts_with("lang: Lang, "))
        .map(|(name, _)| name)
        .collect();
    assert!(with_arguments.len() > 100, "{}", with_arguments.len());
    let [messages, render] = ["messages", "render"].map(|name| sources::of_crate(name).names);
    let used = |name: &str| messages.contains(name) || render.contains(name);
    let unused = with_arguments.iter().filter(|name| !used(name)).map(|name| (*name).to_owned());
    none("messages are not used", &unused.collect::<Vec<_>>());
}
