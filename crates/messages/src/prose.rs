//! Sentences of analyses and records in another language. Records hold English reasons, also those of other machines and
//! versions, so a sentence is recognised by the English pattern of a message in `locales/en/prose`, and the text of the
//! same key in the other language is filled in (docs/adr/0038). What no pattern matches stays English.
use crate::Lang;
use flate2::read::DeflateDecoder;
use record::{Sort, Text};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Read;
use std::sync::LazyLock;
use unicode_width::UnicodeWidthChar;

/// Literal texts with the names of arguments between them: one literal more than names.
#[derive(Debug)]
struct Pattern {
    literals: Vec<&'static str>,
    names: Vec<&'static str>,
}

/// A message: its English pattern, and its text in Chinese.
#[derive(Debug)]
struct Message {
    english: Pattern,
    chinese: Pattern,
}

/// The deepest nesting of reasons within sentences.
const DEEPEST: usize = 24;
/// Words that a quantity has at most: `at least 1.5 to 2 GHz`.
const WORDS: usize = 6;
/// Longer texts are no sentences of ours.
const LONGEST: usize = 2000;
/// Ends of arguments that are tried for one pattern: a hostile text could have any number.
const TRIES: usize = 500;
/// How arguments begin that stay as they are, such as the value of a setting or a machine's name, which may be a word of ours.
const VERBATIM: &str = "verbatim";
/// Lists of sentences and their marks in Chinese, the loosest first. What follows a colon may hold others.
const MARKS: [(&str, &str); 4] = [("; ", "；"), (": ", "："), (", ", "，"), (" and ", "和")];

/// The English patterns, one on each line, and after the control character 3 their texts in Chinese. The build script wrote it;
/// it cannot be damaged.
static TABLE: LazyLock<String> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/prose.deflate"));
    let mut text = String::new();
    let _ = DeflateDecoder::new(&packed[..]).read_to_string(&mut text);
    text
});

/// The messages whose English begins with a letter, those that begin with a number, and those that begin with any text.
/// The pattern with most text of its own comes first in each.
#[derive(Debug, Default)]
struct Messages {
    by_letter: HashMap<char, Vec<Message>>,
    numbered: Vec<Message>,
    open: Vec<Message>,
}

static MESSAGES: LazyLock<Messages> = LazyLock::new(|| {
    let (english, chinese) = TABLE.split_once('\u{3}').unwrap_or_default();
    let mut all: Vec<Message> = english
        .lines()
        .zip(chinese.lines())
        .map(|(en, zh)| Message { english: Pattern::new(en), chinese: Pattern::new(zh) })
        .collect();
    all.order_by_key(|message| std::cmp::Reverse(message.english.own()));
    let mut messages = Messages::default();
    for message in all {
        let first = message.english.literals[0].chars().next();
        match first {
            Some(c) => messages.by_letter.entry(c.to_ascii_lowercase()).or_default().push(message),
            None if counts(message.english.names[0]) => messages.numbered.push(message),
            None => messages.open.push(message),
        }
    }
    messages
});

impl Messages {
    /// The message of a text, with its arguments: of all that match the one with most text of its own. `open` ones may begin
    /// with any text.
    fn of<'t>(&self, english: &'t str, open: bool) -> Option<(&Message, Vec<&'t str>)> {
        let first = english.chars().next()?.to_ascii_lowercase();
        let lettered = self.by_letter.get(&first).map_or(&[][..], Vec::as_slice);
        let numbered = if is_numeral(english) { &self.numbered[..] } else { &[] };
        let open = if open { &self.open[..] } else { &[] };
        let found = [lettered, numbered, open]
            .into_iter()
            .filter_map(|all| all.iter().find_map(|m| Some((m, m.english.arguments(english)?))));
        found.max_by_key(|(message, _)| message.english.own())
    }
}

impl Message {
    /// Whether a machine's name comes first, which is no word.
    fn begins_with_name(&self) -> bool {
        let Pattern { literals, names } = &self.english;
        literals[0].is_empty() && names[0].starts_with(VERBATIM)
    }
}

impl Pattern {
    /// The length of its own text.
    fn own(&self) -> usize {
        self.literals.iter().map(|literal| literal.len()).sum()
    }
    /// Parses a text whose arguments stand between the control characters 1 and 2.
    fn new(text: &'static str) -> Pattern {
        let (mut literals, mut names) = (vec![], vec![]);
        let mut rest = text;
        while let Some((before, (name, after))) =
            rest.split_once('\u{1}').and_then(|(b, a)| Some((b, a.split_once('\u{2}')?)))
        {
            literals.push(before);
            names.push(name);
            rest = after;
        }
        literals.push(rest);
        Pattern { literals, names }
    }
    /// The arguments of a text; nothing where it is another text.
    fn arguments<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        // Looking for what stands between takes longer than to see that a text ends in another way.
        let last = self.literals.last().filter(|_| !self.names.is_empty());
        if last.is_some_and(|last| !text.ends_with(last)) {
            return None;
        }
        let rest = after_first(text, self.literals[0])?;
        let (mut found, mut tries) = (vec![], TRIES);
        self.from(0, rest, &mut found, &mut tries).then_some(found)
    }
    fn from<'t>(
        &self,
        at: usize,
        text: &'t str,
        found: &mut Vec<&'t str>,
        tries: &mut usize,
    ) -> bool {
        let Some(name) = self.names.get(at) else { return text.is_empty() };
        let next = self.literals[at + 1];
        if at + 1 == self.names.len() {
            let value = text.strip_suffix(next).filter(|v| fits(name, v));
            found.extend(value);
            return value.is_some();
        }
        for (end, _) in text.match_indices(next).filter(|_| !next.is_empty()) {
            let Some(left) = tries.checked_sub(1) else { return false };
            *tries = left;
            if !fits(name, &text[..end]) {
                continue;
            }
            found.push(&text[..end]);
            if self.from(at + 1, &text[end + next.len()..], found, tries) {
                return true;
            }
            found.truncate(at);
        }
        false
    }
}

/// The text after a beginning, whose first letter may be a capital or not.
fn after_first<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    let (Some(theirs), Some(ours)) = (text.chars().next(), beginning.chars().next()) else {
        return text.strip_prefix(beginning);
    };
    if !theirs.eq_ignore_ascii_case(&ours) {
        return None;
    }
    text[theirs.len_utf8()..].strip_prefix(&beginning[ours.len_utf8()..])
}

/// Whether an argument may have this text: one sentence at most, and a quantity where it is called `n`.
fn fits(name: &str, text: &str) -> bool {
    let one = || !text.contains(". ") || sentences(text).len() == 1;
    !text.is_empty() && (!counts(name) || is_quantity(text)) && one()
}

fn counts(name: &str) -> bool {
    name.strip_prefix('n').is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
}

fn is_quantity(text: &str) -> bool {
    let one = [": ", "; "].iter().all(|mark| !text.contains(mark)) && !text.ends_with(',');
    let one = one && (!text.contains(" (") || text.ends_with(')'));
    let one = one && !text.split(", ").skip(1).any(|p| p.starts_with(char::is_alphabetic));
    one && is_numeral(text) && text.split(' ').count() <= WORDS
}

/// Whether it begins with a number.
fn is_numeral(text: &str) -> bool {
    const ABOUT: [&str; 5] = ["about ", "at least ", "at most ", "up to ", "over "];
    let number = ABOUT.iter().find_map(|about| text.strip_prefix(about)).unwrap_or(text);
    let number = number.strip_prefix(['<', '>', '~', '±', '+', '-']).unwrap_or(number);
    let number = number.strip_prefix('.').unwrap_or(number);
    number.starts_with(|c: char| c.is_ascii_digit())
}

/// The positions of a mark outside brackets.
fn outside<'t>(text: &'t str, mark: &str) -> impl Iterator<Item = usize> + 't {
    let mut depth = 0_usize;
    let found: Vec<usize> = text
        .char_indices()
        .filter(|(i, c)| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && text[*i..].starts_with(mark)
        })
        .map(|(i, _)| i)
        .collect();
    found.into_iter()
}

/// The parts between marks that stand in no brackets.
fn apart<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    let mut start = 0;
    let mut all = vec![];
    for at in outside(text, mark) {
        all.push(&text[start..at]);
        start = at + mark.len();
    }
    all.push(&text[start..]);
    all
}

/// Text up to each full stop after a letter and before a capital, a number or a quotation, stop included.
fn sentences(text: &str) -> Vec<&str> {
    let (mut all, mut start) = (vec![], 0);
    for at in outside(text, ". ") {
        let (before, after) = (text[..at].chars().next_back(), text[at + 2..].chars().next());
        let ends = before.is_some_and(|c| !c.is_ascii_digit());
        let begins =
            after.is_some_and(|c| c.is_uppercase() || ends && (c == '\'' || c.is_ascii_digit()));
        // `1. Heading` is one text.
        let numbered = text[start..at].chars().all(|c| c.is_ascii_digit());
        if begins && !numbered {
            all.push(&text[start..=at]);
            start = at + 2;
        }
    }
    all.push(&text[start..]);
    all
}

/// A text without its last brackets, and what is in these.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_suffix(')')?;
    let mut depth = 1_usize;
    let opens = inside.char_indices().rev().find(|(_, c)| {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let before = inside[..opens?.0].strip_suffix(' ').filter(|before| !before.is_empty())?;
    Some((before, &inside[before.len() + 2..]))
}

thread_local! {
    /// Translations so far: the same cells and reasons come again and again.
    static KNOWN: RefCell<HashMap<String, Option<String>>> = RefCell::default();
}

/// What can be said in another language: a text by its message, else by the patterns.
pub trait Words {
    /// The text in a language; nothing where it stays as it is.
    fn translated(&self, lang: Lang) -> Option<String>;
}

impl Words for str {
    fn translated(&self, lang: Lang) -> Option<String> {
        // Most cells are numbers.
        let word = self.as_bytes().windows(2).any(|w| w.iter().all(u8::is_ascii_alphabetic));
        if lang == Lang::En || !word || self.len() > LONGEST {
            return None;
        }
        chinese(self, 0).map(|text| closed_up(&text))
    }
}

impl<T: Words + ?Sized> Words for &T {
    fn translated(&self, lang: Lang) -> Option<String> {
        T::translated(self, lang)
    }
}

impl Words for String {
    fn translated(&self, lang: Lang) -> Option<String> {
        self.as_str().translated(lang)
    }
}

impl Words for Text {
    fn translated(&self, lang: Lang) -> Option<String> {
        let made = self.in_language(lang, &mut |english| english.translated(lang));
        made.map(|text| closed_up(&text))
    }
}

/// A text in a language; nothing where it stays as it is.
pub fn translated(lang: Lang, text: &(impl Words + ?Sized)) -> Option<String> {
    text.translated(lang)
}

/// A text in a language; as it is where nothing matches.
pub fn in_language<T: Words + AsRef<str> + ?Sized>(lang: Lang, text: &T) -> String {
    translated(lang, text).unwrap_or_else(|| text.as_ref().to_owned())
}

fn chinese(english: &str, depth: usize) -> Option<String> {
    if depth > DEEPEST || english.trim().is_empty() {
        return None;
    }
    if let Some(known) = KNOWN.with_borrow(|known| known.get(english).cloned()) {
        return known;
    }
    let made = made(english, depth);
    KNOWN.with_borrow_mut(|known| known.insert(english.to_owned(), made.clone()));
    made
}

fn made(english: &str, depth: usize) -> Option<String> {
    // Capitals are a name that stands for another, such as PID.
    let word = crate::translated(Lang::Zh, english);
    if let Some(word) = word.filter(|_| english.chars().any(|c| c.is_ascii_lowercase())) {
        return Some(word.to_owned());
    }
    // `1. Heading`, and `[1] A note`.
    let numbered = [("", ". "), ("[", "] ")].into_iter().find_map(|(opens, mark)| {
        let (number, text) = english.strip_prefix(opens)?.split_once(mark)?;
        let is_number = number.chars().all(|c| c.is_ascii_digit());
        is_number.then(|| (english.len() - text.len(), text))
    });
    if let Some((length, text)) = numbered {
        return Some(english[..length].to_owned() + &chinese(text, depth + 1)?);
    }
    let parts = sentences(english);
    if parts.len() > 1 {
        return listed(&parts, "", depth);
    }
    if let Some(inside) = english.strip_suffix('.').filter(|s| !s.is_empty()) {
        return Some(chinese(inside, depth + 1)? + "。");
    }
    // A name before a reason: `rule_id: reason`, `file:3: warning`, `probe kernel=read: reason`.
    let named = |head: &str| head.split(' ').skip(1).all(|word| word.contains('='));
    let headed = english.split_once(": ").filter(|(head, _)| named(head));
    let parts = apart(english, "; ");
    let own = |text: &&str| MESSAGES.of(text, true).map_or(0, |(message, _)| message.english.own());
    // A list of sentences may look like one sentence that has some of them as arguments.
    let whole = |message: &Message| {
        let first = parts.first().map_or(0, own);
        parts.len() < 2
            || first == 0
            || message.english.own() >= parts.iter().map(own).sum::<usize>()
    };
    let of_name = || MESSAGES.of(english, true).filter(|(message, _)| message.begins_with_name());
    let found = MESSAGES.of(english, headed.is_none()).or_else(of_name);
    let found = found.filter(|(message, _)| whole(message));
    if let Some((message, arguments)) = found {
        return Some(filled(message, &arguments, depth));
    }
    // What is in brackets may belong to the last of a list only.
    let in_brackets = |(before, inside)| Some(listed(&[before, inside], "（", depth)? + "）");
    let brackets = bracketed(english);
    let is_known = |before| MESSAGES.of(before, headed.is_none()).is_some();
    if let Some(brackets) = brackets.filter(|(before, _)| is_known(before)) {
        return in_brackets(brackets);
    }
    if let Some((head, reason)) = headed {
        return listed(&[head, reason], "：", depth).or_else(|| {
            let (message, arguments) = MESSAGES.of(english, true)?;
            Some(filled(message, &arguments, depth))
        });
    }
    let of_list = MARKS.iter().find_map(|(between, mark)| {
        let mut parts = apart(english, between);
        if *between == ": " && parts.len() > 1 {
            let head = parts[0];
            parts = vec![head, &english[head.len() + between.len()..]];
        }
        if parts.len() > 1 { listed(&parts, mark, depth) } else { None }
    });
    of_list.or_else(|| in_brackets(brackets?))
}

/// A message's text with these arguments.
fn filled(message: &Message, arguments: &[&str], depth: usize) -> String {
    let of = |name: &str| message.english.names.iter().position(|n| *n == name);
    let mut text = message.chinese.literals[0].to_owned();
    for (name, literal) in message.chinese.names.iter().zip(&message.chinese.literals[1..]) {
        text += &of(name).map_or(String::new(), |i| match *name {
            name if name.starts_with(VERBATIM) => arguments[i].to_owned(),
            _ => or_same(arguments[i], depth),
        });
        text += literal;
    }
    text
}

/// All of them with a mark between; nothing where none is known.
fn listed(parts: &[&str], mark: &str, depth: usize) -> Option<String> {
    let known: Vec<_> = parts.iter().map(|part| chinese(part, depth + 1)).collect();
    known.iter().any(Option::is_some).then(|| {
        let each =
            parts.iter().zip(known).map(|(part, known)| known.unwrap_or_else(|| (*part).into()));
        each.collect::<Vec<String>>().join(mark)
    })
}

fn or_same(english: &str, depth: usize) -> String {
    chinese(english, depth + 1).unwrap_or_else(|| english.to_owned())
}

/// Without spaces between Chinese characters, which arguments bring.
fn closed_up(text: &str) -> String {
    let wide = |c: Option<char>| c.is_some_and(|c| c.width().unwrap_or(0) > 1);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != ' ' || !(wide(out.chars().next_back()) && wide(rest.peek().copied())) {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests;
