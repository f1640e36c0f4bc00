//! A macro that makes a function for each message of `crates/messages/locales/*/texts` (docs/adr/0038).
#![deny(missing_docs)]
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use proc_macro::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs};

/// English first: its order of arguments is that of a function's parameters.
const LANGUAGES: [&str; 2] = ["en", "zh"];

/// A message in one language: its text as `record::Message` reads it.
#[derive(Default)]
struct Text {
    template: String,
    /// Names of arguments in the order of the text, or in that of the first language.
    arguments: Vec<String>,
    /// Arguments that a variant is chosen by.
    counts: Vec<String>,
}

/// The functions and constants of `locales/*/texts/NAME.ftl` for `messages!("NAME")`: a function where a message has arguments, in
/// the order of the English text, else a constant. A name that begins with `verbatim` is not translated.
///
/// A key or an argument that is not in each language, or that the format does not have, is an error of the compiler.
#[proc_macro]
pub fn messages(input: TokenStream) -> TokenStream {
    let name = match input.into_iter().next() {
        Some(TokenTree::Literal(name)) => name.to_string().trim_matches('"').to_owned(),
        _ => String::new(),
    };
    let made = items(&name).unwrap_or_else(|why| format!("compile_error!({why:?});"));
    made.parse().unwrap_or_default()
}

fn items(name: &str) -> Result<String, String> {
    let folder = env::var("CARGO_MANIFEST_DIR").map_err(|e| e.to_string())?;
    let (mut files, mut out) = (vec![], String::new());
    for language in LANGUAGES {
        let path = format!("{folder}/../messages/locales/{language}/texts/{name}.ftl");
        let text = fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
        // The compiler reads them again when they change.
        out += &format!("const _: &str = include_str!({path:?});\n");
        files.push((path, text));
    }
    for (key, texts) in messages_of(&files)? {
        item(&key, &texts, &mut out).map_err(|e| e.to_string())?;
    }
    Ok(out)
}

/// The messages of files, of which there is one in each language, with their names.
fn messages_of(files: &[(String, String)]) -> Result<BTreeMap<String, Vec<Text>>, String> {
    let mut all: BTreeMap<String, Vec<Text>> = BTreeMap::new();
    for (number, (path, text)) in files.iter().enumerate() {
        let parsed = fluent_syntax::parser::parse(text.as_str());
        let resource = parsed.map_err(|(_, errors)| format!("{path}: {errors:?}"))?;
        for entry in &resource.body {
            let Entry::Message(message) = entry else { continue };
            let key = message.id.name;
            let wrong = |why: String| format!("{path}: {key}: {why}");
            let pattern = message.value.as_ref().ok_or_else(|| wrong("no text".into()))?;
            let texts = all.entry(key.into()).or_default();
            if texts.len() != number {
                return Err(wrong("it is there twice, or not in English".into()));
            }
            let arguments = texts.first().map_or(vec![], |first| first.arguments.clone());
            let mut made = Text { arguments, ..Text::default() };
            let known = made.arguments.len();
            made.read(pattern).map_err(wrong)?;
            if number > 0 && made.arguments.len() > known {
                return Err(wrong(format!("English has no {:?}", made.arguments.last())));
            }
            let unused = |name: &&String| number > 0 && !made.uses(name);
            if let Some(unused) = made.arguments.iter().find(unused) {
                return Err(wrong(format!("{unused} is not in it")));
            }
            texts.push(made);
        }
    }
    match all.iter().find(|(_, texts)| texts.len() < files.len()) {
        Some((key, _)) => Err(format!("{key} is in English only")),
        None => Ok(all),
    }
}

fn item(key: &str, texts: &[Text], out: &mut String) -> std::fmt::Result {
    let templates: Vec<&str> = texts.iter().map(|t| t.template.as_str()).collect();
    let message = format!("::record::Message::new({:?})", templates.join("\u{8}"));
    let english = &texts[0];
    let name = key.replace('-', "_").to_lowercase();
    if english.arguments.is_empty() {
        let name = name.to_uppercase();
        return writeln!(
            out,
            "#[doc = {key:?}] pub(crate) const {name}: ::record::Message = {message};"
        );
    }
    let is_count = |argument| texts.iter().any(|text| text.counts.contains(argument));
    let kind = |argument| if is_count(argument) { "usize" } else { "impl Into<::record::Text>" };
    let parameters: Vec<String> =
        english.arguments.iter().map(|a| format!("{a}: {}", kind(a))).collect();
    let values: Vec<String> = english.arguments.iter().map(|a| format!("{a}.into()")).collect();
    writeln!(
        out,
        "#[doc = {key:?}] #[allow(clippy::too_many_arguments)] pub(crate) fn {name}({}) -> ::record::Text {{ \
         ::record::Text::new({message}, [{}]) }}",
        parameters.join(", "),
        values.join(", ")
    )
}

impl Text {
    fn uses(&self, argument: &str) -> bool {
        let at = self.arguments.iter().position(|a| a == argument);
        at.is_some_and(|at| {
            let marks = ['\u{1}', '\u{2}', '\u{3}'];
            marks.iter().any(|mark| self.template.contains(&format!("{mark}{}", letter(at))))
        })
    }
    /// The letter that stands for an argument in a template.
    fn argument(&mut self, name: &str) -> char {
        let name = name.replace('-', "_");
        let at = self.arguments.iter().position(|a| *a == name);
        letter(at.unwrap_or_else(|| {
            self.arguments.push(name);
            self.arguments.len() - 1
        }))
    }
    /// Adds a pattern: `\u{1}A` is the first argument, `\u{2}A` the same verbatim, and `\u{3}A` begins variants chosen by it:
    /// `\u{4}KEY\u{5}TEXT` each, the default without a key, and `\u{6}` after the last.
    fn read(&mut self, pattern: &Pattern<&str>) -> Result<(), String> {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } if value.contains(char::is_control) => {
                    return Err("one line each".into());
                }
                PatternElement::TextElement { value } => self.template += value,
                PatternElement::Placeable { expression: Expression::Inline(inline) } => {
                    match inline {
                        InlineExpression::StringLiteral { value } => self.template += value,
                        InlineExpression::VariableReference { id } => {
                            let mark =
                                if id.name.starts_with("verbatim") { '\u{2}' } else { '\u{1}' };
                            let letter = self.argument(id.name);
                            self.template.extend([mark, letter]);
                        }
                        other => return Err(format!("{other:?} is not supported")),
                    }
                }
                PatternElement::Placeable {
                    expression: Expression::Select { selector, variants },
                } => {
                    let InlineExpression::VariableReference { id } = selector else {
                        return Err("a selector must be an argument".into());
                    };
                    let letter = self.argument(id.name);
                    self.counts.push(id.name.replace('-', "_"));
                    self.template.extend(['\u{3}', letter]);
                    for variant in variants {
                        let key = match &variant.key {
                            _ if variant.default => "",
                            VariantKey::Identifier { name: "one" } => "1",
                            VariantKey::NumberLiteral { value } => value,
                            VariantKey::Identifier { .. } => {
                                return Err("a variant is one, a number or the default".into());
                            }
                        };
                        self.template += &format!("\u{4}{key}\u{5}");
                        self.read(&variant.value)?;
                    }
                    self.template.push('\u{6}');
                }
            }
        }
        Ok(())
    }
}

fn letter(argument: usize) -> char {
    char::from(b'A' + argument as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(english: &str, chinese: &str) -> Result<String, String> {
        let files = [english, chinese].map(|text| ("file".to_owned(), text.to_owned()));
        let mut out = String::new();
        for (key, texts) in messages_of(&files)? {
            item(&key, &texts, &mut out).map_err(|e| e.to_string())?;
        }
        Ok(out)
    }

    #[test]
    fn parameters_are_in_the_order_of_the_english_text() {
        let out =
            made("a-b = { $x } of { $verbatim-y }\n", "a-b = { $verbatim-y } { $x }\n").unwrap();
        assert!(out.contains("fn a_b(x: impl Into<::record::Text>, verbatim_y: "), "{out}");
        assert!(out.contains(r#"("\u{1}A of \u{2}B\u{8}\u{2}B \u{1}A")"#), "{out}");
        let out = made("no-arguments = One\n", "no-arguments = \u{4e00}\n").unwrap();
        assert!(out.contains("const NO_ARGUMENTS: ::record::Message"), "{out}");
    }

    #[test]
    fn a_variant_is_chosen_by_a_number() {
        let english = "a = { $n ->\n    [one] 1 core\n   *[other] { $n } cores\n} used\n";
        let out = made(english, "a = { $n } \u{6838}\n").unwrap();
        assert!(out.contains("fn a(n: usize)"), "{out}");
        assert!(out.contains(r"\u{3}A\u{4}1\u{5}1 core\u{4}\u{5}\u{1}A cores\u{6} used"), "{out}");
    }

    #[test]
    fn messages_that_differ_between_languages_are_errors() {
        for (english, chinese, why) in [
            ("a = A\n", "b = B\n", "not in English"),
            ("a = A\nb = B\n", "a = A\n", "b is in English only"),
            ("a = { $x }\n", "a = A\n", "x is not in it"),
            ("a = A\n", "a = { $x }\n", "English has no"),
            ("a = A\na = B\n", "a = A\n", "twice"),
            ("a = { NUMBER($x) }\n", "a = A\n", "not supported"),
            ("a = A\n B\n", "a = A\n", "one line each"),
        ] {
            let found = made(english, chinese).unwrap_err();
            assert!(found.contains(why), "{english}: {found}");
        }
    }
}
