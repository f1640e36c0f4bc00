//! Messages: `locales/LANGUAGE/*.ftl` become a function for each key, so that a missing key or argument does not compile
//! (docs/adr/0038), and `locales/LANGUAGE/prose/*.ftl` a table of patterns. Fluent's parser runs here and not in the program.
use flate2::{Compression, write::DeflateEncoder};
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::{env, fs, path::Path};

const LANGUAGES: [(&str, &str); 2] = [("en", "En"), ("zh", "Zh")];

/// A message in one language: its arguments, which of them are counts, and the expression that makes its text.
#[derive(Default)]
struct Message {
    args: BTreeSet<String>,
    counts: BTreeSet<String>,
    code: String,
}

type Resource = fluent_syntax::ast::Resource<String>;

/// The Fluent files of a folder with their names, in order.
fn resources(folder: &Path) -> Result<Vec<(String, Resource)>, Box<dyn std::error::Error>> {
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.sort();
    let mut all = vec![];
    for file in files.iter().filter(|f| f.extension().is_some_and(|x| x == "ftl")) {
        let shown = file.display().to_string();
        let parsed = fluent_syntax::parser::parse(fs::read_to_string(file)?);
        let resource = parsed.map_err(|(_, errors)| format!("{shown}: {errors:?}"))?;
        all.push((shown, resource));
    }
    Ok(all)
}

/// A pattern's text with its arguments between the control characters 1 and 2; their names.
fn prose(pattern: &Pattern<String>) -> Result<(String, BTreeSet<String>), String> {
    let (mut text, mut names) = (String::new(), BTreeSet::new());
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => text += value,
            PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                InlineExpression::StringLiteral { value } => text += value,
                InlineExpression::VariableReference { id } => {
                    text += &format!("\u{1}{}\u{2}", id.name);
                    names.insert(id.name.clone());
                }
                other => return Err(format!("{other:?} is not supported")),
            },
            PatternElement::Placeable { .. } => return Err("no selectors in prose".into()),
        }
    }
    if text.contains(['\t', '\n']) { Err("one line each".into()) } else { Ok((text, names)) }
}

/// Sentences: each with its text in Chinese.
fn sentences() -> Result<String, Box<dyn std::error::Error>> {
    let mut all: BTreeMap<String, Vec<(String, BTreeSet<String>)>> = BTreeMap::new();
    for (language, _) in LANGUAGES {
        for (shown, resource) in resources(&Path::new("locales").join(language).join("prose"))? {
            for entry in &resource.body {
                let Entry::Message(message) = entry else { continue };
                let id = &message.id.name;
                let value = message.value.as_ref().ok_or_else(|| format!("{shown}: {id}"))?;
                let made = prose(value).map_err(|e| format!("{shown}: {id}: {e}"))?;
                all.entry(id.clone()).or_default().push(made);
            }
        }
    }
    let (mut out, mut chinese) = (String::new(), String::new());
    for (id, texts) in &all {
        let [(english, names), (other, there)] = &texts[..] else {
            return Err(format!("{id} is not once in each of locales/*/prose").into());
        };
        if names != there {
            return Err(format!("{id}: arguments {names:?}, in the other {there:?}").into());
        }
        writeln!(out, "{english}")?;
        writeln!(chinese, "{other}")?;
    }
    // One language after the other takes 4 % less room than line by line.
    Ok(out + "\u{3}" + &chinese)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
    let folder = env::var("OUT_DIR")?;
    let mut prose = DeflateEncoder::new(vec![], Compression::best());
    prose.write_all(sentences()?.as_bytes())?;
    fs::write(Path::new(&folder).join("prose.deflate"), prose.finish()?)?;
    let mut all: BTreeMap<String, BTreeMap<&str, Message>> = BTreeMap::new();
    for (language, _) in LANGUAGES {
        for (shown, resource) in resources(&Path::new("locales").join(language))? {
            for entry in &resource.body {
                let Entry::Message(message) = entry else { continue };
                let id = &message.id.name;
                let parts = message.value.iter().map(|v| (id.clone(), v)).chain(
                    message.attributes.iter().map(|a| (format!("{id}.{}", a.id.name), &a.value)),
                );
                for (key, pattern) in parts {
                    let mut made = Message::default();
                    made.code =
                        code(pattern, &mut made).map_err(|e| format!("{shown}: {key}: {e}"))?;
                    if all.entry(key.clone()).or_default().insert(language, made).is_some() {
                        return Err(format!("{shown}: {key} is there twice").into());
                    }
                }
            }
        }
    }
    let mut out = String::new();
    let mut fixed = String::new();
    for (key, by_language) in &all {
        for (language, _) in LANGUAGES {
            if !by_language.contains_key(language) {
                return Err(format!("{key} is missing in locales/{language}").into());
            }
        }
        let args = &by_language["en"].args;
        if let Some((language, other)) = by_language.iter().find(|(_, m)| m.args != *args) {
            return Err(format!("{key}: arguments {args:?}, in {language} {:?}", other.args).into());
        }
        let counts: BTreeSet<&String> = by_language.values().flat_map(|m| &m.counts).collect();
        let name = key.replace(['-', '.'], "_").to_lowercase();
        let mut parameters = String::from("lang: Lang");
        for arg in args {
            let kind = if counts.contains(arg) { "u64" } else { "impl Display" };
            write!(parameters, ", {arg}: {kind}")?;
        }
        let arms: String = LANGUAGES
            .iter()
            .map(|(language, variant)| {
                format!("        Lang::{variant} => {},\n", by_language[language].code)
            })
            .collect();
        if args.is_empty() {
            writeln!(fixed, "        {key:?} => {name}(lang),")?;
        }
        let made = if args.is_empty() { "&'static str" } else { "String" };
        writeln!(
            out,
            "/// `{key}`.\npub fn {name}({parameters}) -> {made} {{\n    match lang {{\n{arms}    }}\n}}"
        )?;
    }
    writeln!(
        out,
        "/// A text without arguments, by its key.\npub fn text(lang: Lang, key: &str) -> Option<&'static str> {{\n    \
         Some(match key {{\n{fixed}        _ => return None,\n    }})\n}}"
    )?;
    fs::write(Path::new(&folder).join("messages.rs"), out)?;
    Ok(())
}

/// The Rust expression of a pattern: a literal where it has no arguments, else a `format!`, inside a `match` for each selector.
fn code(pattern: &Pattern<String>, made: &mut Message) -> Result<String, String> {
    if let [PatternElement::Placeable { expression: Expression::Select { selector, variants } }] =
        &pattern.elements[..]
    {
        let InlineExpression::VariableReference { id } = selector else {
            return Err("a selector must be an argument".into());
        };
        made.args.insert(id.name.clone());
        made.counts.insert(id.name.clone());
        let mut arms = String::new();
        for variant in variants {
            let value = code(&variant.value, made)?;
            let key = match &variant.key {
                VariantKey::Identifier { name } if name == "one" => "1",
                VariantKey::NumberLiteral { value } => value,
                VariantKey::Identifier { name } if name == "other" && variant.default => "_",
                _ => return Err("a variant is one, *other or a number".into()),
            };
            let value = if value.starts_with('"') { format!("{value}.to_owned()") } else { value };
            write!(arms, "{key} => {value}, ").map_err(|e| e.to_string())?;
        }
        return Ok(format!("match {} {{ {arms}}}", id.name));
    }
    let (mut text, mut plain) = (String::new(), true);
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => {
                text += &value.replace('{', "{{").replace('}', "}}");
            }
            PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                InlineExpression::VariableReference { id } => {
                    made.args.insert(id.name.clone());
                    plain = false;
                    write!(text, "{{{}}}", id.name).map_err(|e| e.to_string())?;
                }
                InlineExpression::StringLiteral { value } => text += value,
                other => return Err(format!("{other:?} is not supported")),
            },
            PatternElement::Placeable { .. } => {
                return Err("a selector must be the whole message".into());
            }
        }
    }
    Ok(match plain {
        true => format!("{:?}", text.replace("{{", "{").replace("}}", "}")),
        false => format!("format!({text:?})"),
    })
}
