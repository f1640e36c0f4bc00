//! Messages: `locales/LANGUAGE/*.ftl` become a function for each key, so that a missing key or argument does not compile
//! (docs/adr/0038). Fluent's parser runs here and not in the program.
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs, path::Path};

const LANGUAGES: [(&str, &str); 2] = [("en", "En"), ("zh", "Zh")];

/// A message in one language: its arguments, which of them are counts, and the expression that makes its text.
#[derive(Default)]
struct Message {
    args: BTreeSet<String>,
    counts: BTreeSet<String>,
    code: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
    let mut all: BTreeMap<String, BTreeMap<&str, Message>> = BTreeMap::new();
    for (language, _) in LANGUAGES {
        let mut files: Vec<_> = fs::read_dir(Path::new("locales").join(language))?
            .map(|entry| entry.map(|e| e.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|x| x == "ftl")) {
            let shown = file.display().to_string();
            let text = fs::read_to_string(file)?;
            let resource = fluent_syntax::parser::parse(text.as_str())
                .map_err(|(_, errors)| format!("{shown}: {errors:?}"))?;
            for entry in &resource.body {
                let Entry::Message(message) = entry else { continue };
                let id = message.id.name;
                let parts = message.value.iter().map(|v| (id.to_owned(), v)).chain(
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
            "/// `{key}`.\npub(crate) fn {name}({parameters}) -> {made} {{\n    match lang {{\n{arms}    }}\n}}"
        )?;
    }
    writeln!(
        out,
        "/// A text without arguments, by its key.\npub(crate) fn text(lang: Lang, key: &str) -> Option<&'static str> {{\n    \
         Some(match key {{\n{fixed}        _ => return None,\n    }})\n}}"
    )?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("messages.rs"), out)?;
    Ok(())
}

/// The Rust expression of a pattern: a literal where it has no arguments, else a `format!`, inside a `match` for each selector.
fn code(pattern: &Pattern<&str>, made: &mut Message) -> Result<String, String> {
    if let [PatternElement::Placeable { expression: Expression::Select { selector, variants } }] =
        &pattern.elements[..]
    {
        let InlineExpression::VariableReference { id } = selector else {
            return Err("a selector must be an argument".into());
        };
        made.args.insert(id.name.to_owned());
        made.counts.insert(id.name.to_owned());
        let mut arms = String::new();
        for variant in variants {
            let value = code(&variant.value, made)?;
            let key = match variant.key {
                VariantKey::Identifier { name: "one" } => "1",
                VariantKey::NumberLiteral { value } => value,
                VariantKey::Identifier { name: "other" } if variant.default => "_",
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
                    made.args.insert(id.name.to_owned());
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
