//! Texts for a reader: a message and its arguments, which a renderer words in the reader's language. Serialised, a text is its
//! English; one that was read is that English alone.
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// A language of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

impl Lang {
    /// All of them.
    pub const ALL: &'static [Lang] = &[Lang::En, Lang::Zh];
    /// The language of a locale's name such as `zh_CN.UTF-8`; English where there are no messages in it.
    pub fn of_locale(locale: &str) -> Lang {
        match locale.split(['_', '.', '@', '-']).next() {
            Some("zh") => Lang::Zh,
            _ => Lang::En,
        }
    }
}

/// A sentence or a part of one with places for arguments: the English one, `\u{8}` and the Chinese one. The macro
/// `messages` of `i18n` makes them from Fluent files and says what the marks in them are. One string takes less of the program
/// than two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message(&'static str);

impl Message {
    /// What stands between the languages.
    const APART: u8 = 8;
    /// A message with its template in each language.
    pub const fn new(templates: &'static str) -> Message {
        Message(templates)
    }
    /// A text that is the same in every language, such as a command.
    pub const fn verbatim(text: &'static str) -> Message {
        Message(text)
    }
    /// The English text of a message without arguments.
    pub const fn english(self) -> &'static str {
        let mut at = 0;
        while at < self.0.len() && self.0.as_bytes()[at] != Message::APART {
            at += 1;
        }
        self.0.split_at(at).0
    }
    fn template(self, lang: Lang) -> &'static str {
        match (lang, self.0.split_once(char::from(Message::APART))) {
            (Lang::En, Some((english, _))) => english,
            (Lang::Zh, Some((_, chinese))) => chinese,
            (_, None) => self.0,
        }
    }
    /// The text in a language, each argument worded by `word`; as the argument is where that gives nothing.
    fn write(
        template: &str,
        arguments: &[Text],
        word: &mut dyn FnMut(&Text) -> Option<String>,
        out: &mut String,
    ) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once(['\u{1}', '\u{2}', '\u{3}', '\u{7}']) {
            *out += before;
            let mark = rest.as_bytes()[before.len()];
            let mut letters = after.chars();
            let at = letters.next().map_or(0, |letter| letter as usize - 'A' as usize);
            rest = letters.as_str();
            let Some(argument) = arguments.get(at) else { continue };
            match mark {
                1 => *out += word(argument).as_deref().unwrap_or(argument),
                2 => *out += argument,
                7 => {
                    let worded = word(argument);
                    let text = worded.as_deref().unwrap_or(argument);
                    *out += text.trim_end_matches(['.', '。']);
                }
                _ => {
                    let (all, after) = rest.split_once('\u{6}').unwrap_or((rest, ""));
                    rest = after;
                    let variants = || all.split('\u{4}').filter_map(|v| v.split_once('\u{5}'));
                    let fits = |wanted: &str| variants().find(|(key, _)| *key == wanted);
                    let chosen = fits(argument).or_else(|| fits(""));
                    let text = chosen.map_or("", |(_, text)| text);
                    Message::write(text, arguments, word, out);
                }
            }
        }
        *out += rest;
    }
}

/// A text: its English, and the message and arguments that it was made of. It is compared and read as its English. It becomes a
/// `String` by `to_string` alone, which loses the message.
#[derive(Clone, Default)]
pub struct Text {
    english: String,
    made_of: Option<Box<(Message, Box<[Text]>)>>,
}

/// What stands between the texts of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// A comma.
    Comma,
    /// A semicolon.
    Semicolon,
    /// A colon.
    Colon,
    /// Nothing: sentences that end by themselves.
    Sentences,
}

impl Between {
    const fn message(self) -> Message {
        Message::new(match self {
            Between::Comma => "\u{1}A, \u{1}B\u{8}\u{1}A，\u{1}B",
            Between::Semicolon => "\u{1}A; \u{1}B\u{8}\u{1}A；\u{1}B",
            Between::Colon => "\u{1}A: \u{1}B\u{8}\u{1}A：\u{1}B",
            Between::Sentences => "\u{1}A \u{1}B\u{8}\u{1}A\u{1}B",
        })
    }
}

impl Text {
    /// A message with its arguments.
    #[inline(never)]
    pub fn new<const N: usize>(message: Message, arguments: [Text; N]) -> Text {
        Text::of(message, Box::new(arguments))
    }
    fn of(message: Message, arguments: Box<[Text]>) -> Text {
        let mut english = String::new();
        Message::write(message.template(Lang::En), &arguments, &mut |_| None, &mut english);
        Text { english, made_of: Some(Box::new((message, arguments))) }
    }
    /// Texts in a row; empty where there are none. Neighbours are joined pair by pair, so that a long list is not deep.
    pub fn list<T: Into<Text>>(all: impl IntoIterator<Item = T>, between: Between) -> Text {
        let mut all: Vec<Text> = all.into_iter().map(Into::into).collect();
        while all.len() > 1 {
            let mut rest = all.into_iter();
            let pair = || {
                let first = rest.next()?;
                Some(match rest.next() {
                    Some(second) => Text::new(between.message(), [first, second]),
                    None => first,
                })
            };
            all = std::iter::from_fn(pair).collect();
        }
        all.pop().unwrap_or_default()
    }
    /// The text in a language: what no message says is worded by `word`, and stays English where that gives nothing. Nothing
    /// where all of it stays so.
    pub fn in_language(
        &self,
        lang: Lang,
        word: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Option<String> {
        if lang == Lang::En {
            return None;
        }
        let Some(made_of) = self.made_of.as_deref() else { return word(&self.english) };
        let (message, arguments) = made_of;
        let mut out = String::new();
        let template = message.template(lang);
        Message::write(template, arguments, &mut |a| a.in_language(lang, word), &mut out);
        Some(out)
    }
    /// The text without the full stop at its end.
    #[must_use]
    pub fn unended(self) -> Text {
        Text::new(Message("\u{7}A"), [self])
    }
    /// The text at the beginning of a sentence.
    #[must_use]
    pub fn capital(mut self) -> Text {
        let mut letters = self.english.chars();
        if let Some(first) = letters.next() {
            self.english = first.to_uppercase().chain(letters).collect();
        }
        self
    }
    /// The text in the middle of a sentence: its first letter is small, but of names such as SMT.
    #[must_use]
    pub fn in_sentence(mut self) -> Text {
        let mut letters = self.english.chars();
        if let (Some(first), Some(second)) = (letters.next(), letters.clone().next())
            && (second.is_lowercase() || second == ' ')
        {
            self.english = first.to_lowercase().chain(letters).collect();
        }
        self
    }
    /// Its English, to be changed; a change makes it a text of no message.
    pub fn change(&mut self, change: impl FnOnce(&mut String)) {
        let mut changed = self.english.clone();
        change(&mut changed);
        if changed != self.english {
            *self = Text::from(changed);
        }
    }
    /// Its English.
    pub fn as_str(&self) -> &str {
        &self.english
    }
}

crate::name::of_text!(Text);

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.english
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.english, f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.english == other.english
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.english == other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.english == *other
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.english.hash(state);
    }
}

impl From<String> for Text {
    fn from(english: String) -> Text {
        Text { english, made_of: None }
    }
}

impl From<Message> for Text {
    fn from(message: Message) -> Text {
        Text::new(message, [])
    }
}

impl From<&Message> for Text {
    fn from(message: &Message) -> Text {
        Text::from(*message)
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Text {
        text.clone()
    }
}

macro_rules! from {
    ($($kind:ty),+) => {
        $(impl From<$kind> for Text {
            fn from(text: $kind) -> Text {
                Text::from(text.to_string())
            }
        })+
    };
}
from!(
    &str,
    std::borrow::Cow<'_, str>,
    &String,
    &&str,
    char,
    usize,
    u32,
    u64,
    i64,
    f64,
    &usize,
    &u32,
    &u64,
    &i64,
    &f64,
    &&Text,
    &std::borrow::Cow<'_, str>
);

#[cfg(test)]
mod tests {
    use super::*;

    /// "1 curve of memory, as it is", with a variant by its first argument.
    const CURVES: Message = Message::new(
        "\u{1}A \u{3}A\u{4}1\u{5}curve\u{4}\u{5}curves\u{6} of \u{1}B, \u{2}C\u{8}\u{1}B\u{1}A 条曲线，\u{2}C",
    );

    fn in_chinese(text: &Text) -> String {
        let word = |text: &str| (text == "memory").then(|| "内存".to_owned());
        text.in_language(Lang::Zh, &mut { word }).unwrap_or_else(|| text.to_string())
    }

    #[test]
    fn arguments_are_worded_and_choose_variants() {
        let of = |n: usize| Text::new(CURVES, [n.into(), "memory".into(), "memory".into()]);
        assert_eq!(of(1), "1 curve of memory, memory");
        assert_eq!(of(12), "12 curves of memory, memory");
        assert_eq!(in_chinese(&of(12)), "内存12 条曲线，memory");
        let inside = Text::new(CURVES, ["2".into(), of(1), "x\u{1}A".into()]);
        assert_eq!(inside, "2 curves of 1 curve of memory, memory, x\u{1}A");
        let ended = Text::new(Message::new("It ends.\u{8}结束。"), []).unended();
        assert_eq!((ended.as_str(), in_chinese(&ended)), ("It ends", "结束".into()));
    }

    #[test]
    fn lists_have_the_marks_of_the_language() {
        let both = Text::list(["memory", "L3"], Between::Comma);
        assert_eq!((both.as_str(), in_chinese(&both)), ("memory, L3", "内存，L3".into()));
        assert_eq!(Text::list(Vec::<Text>::new(), Between::Colon), "");
        assert_eq!(in_chinese(&Text::list(["memory"], Between::Colon)), "内存");
        let long = Text::list((0..100_001).map(|_| "L3"), Between::Comma);
        assert_eq!(in_chinese(&long), long.replace(", ", "，"));
    }

    #[test]
    fn a_text_that_was_changed_or_read_is_of_no_message() {
        let mut text = Text::list(["memory", "L3"], Between::Comma);
        text.change(|_| {});
        assert_eq!(in_chinese(&text), "内存，L3");
        let read: Text = serde_json::from_str(&serde_json::to_string(&text).unwrap()).unwrap();
        assert_eq!((read.as_str(), in_chinese(&read)), ("memory, L3", "memory, L3".into()));
        text.change(|text| text.push('!'));
        assert_eq!(in_chinese(&text), "memory, L3!");
    }

    #[test]
    fn locales_choose_the_language() {
        assert_eq!(Lang::of_locale("zh_CN.UTF-8"), Lang::Zh);
        assert_eq!(Lang::of_locale("zh"), Lang::Zh);
        for other in ["C", "", "de_DE.UTF-8", "en_US", "POSIX", "zhuang"] {
            assert_eq!(Lang::of_locale(other), Lang::En, "{other}");
        }
    }
}
