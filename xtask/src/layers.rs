//! `cargo xtask layers`: who may depend on whom, where `unsafe` may be, and which files have grown too long.
use serde_json::Value;
use xtask::tree::{self, entries, name, read, relative, root, sources};

/// The table of crates says in its last column who may depend on whom. Anything else is an error, however convenient.
const ARCHITECTURE: &str = include_str!("../../ARCHITECTURE.md");

/// The crates that may contain `unsafe`; the compiler forbids it in the rest, if they ask it to.
const UNSAFE: &[&str] = &["kernels", "host"];

/// A file longer than this should become two.
const LONG: usize = 500;

/// The package of `crates/cli` has the program's name.
const PROGRAM: &str = "cpulens";

pub(crate) fn chore() -> Result<(), String> {
    for warning in long_files()? {
        println!("warning: {warning}");
    }
    let errors = errors()?;
    for error in &errors {
        println!("error: {error}");
    }
    if errors.is_empty() { Ok(()) } else { Err(format!("{} broken layers", errors.len())) }
}

/// Every breach of the layers, worded for its author.
pub(crate) fn errors() -> Result<Vec<String>, String> {
    let mut errors = Vec::new();
    for folder in entries(&root().join("crates")) {
        let manifest = folder.join("Cargo.toml");
        if manifest.is_file() {
            errors.extend(breaches(&name(&folder), &read(&manifest)?));
        }
    }
    errors.extend(breaches("xtask", &read(&root().join("xtask/Cargo.toml"))?));
    for file in all_sources() {
        let path = relative(&file);
        if !UNSAFE.iter().any(|c| path.starts_with(&format!("crates/{c}/"))) {
            let belongs = format!("`unsafe` belongs in {} only", UNSAFE.join(" and "));
            errors.extend(unsafe_lines(&read(&file)?).map(|n| format!("{path}:{n}: {belongs}")));
        }
    }
    Ok(errors)
}

/// Each crate and those it may depend on.
fn layers() -> Vec<(&'static str, Vec<&'static str>)> {
    let words = |cell: &'static str| cell.split('`').skip(1).step_by(2);
    let rows = ARCHITECTURE.lines().skip_while(|l| !l.starts_with("| crate |")).skip(2);
    rows.map_while(|row| row.strip_prefix('|')?.strip_suffix('|'))
        .filter_map(|row| {
            let (name, allowed) = (row.split('|').next()?, row.rsplit('|').next()?);
            Some((words(name).next()?, words(allowed).collect()))
        })
        .collect()
}

/// The faults of one crate's manifest.
fn breaches(krate: &str, manifest: &str) -> Vec<String> {
    let layers = layers();
    let allowed = match layers.iter().find(|(name, _)| *name == krate) {
        Some((_, allowed)) => allowed.as_slice(),
        None if krate == "xtask" => &[],
        None => return vec![format!("crates/{krate} has no line in ARCHITECTURE.md")],
    };
    let manifest: Value = match basic_toml::from_str(manifest) {
        Ok(manifest) => manifest,
        Err(why) => return vec![format!("{krate}: {why}")],
    };
    let mut breaches: Vec<String> = dependencies(&manifest)
        .filter(|d| layers.iter().any(|(name, _)| name == d) || *d == PROGRAM || *d == "xtask")
        .filter(|d| !allowed.contains(&d.as_str()))
        .map(|d| format!("{krate} must not depend on {d}"))
        .collect();
    let inherits = manifest["lints"]["workspace"] == true;
    if !inherits && !UNSAFE.contains(&krate) {
        breaches.push(format!("{krate} must have `[lints] workspace = true`"));
    }
    breaches
}

/// The dependencies of a crate. Tests may use what they like; cargo refuses circles by itself.
fn dependencies(manifest: &Value) -> impl Iterator<Item = &String> {
    let targets = manifest["target"].as_object().into_iter().flat_map(|all| all.values());
    let all = targets.chain([manifest]);
    all.flat_map(|of| ["dependencies", "build-dependencies"].map(|kind| of[kind].as_object()))
        .flatten()
        .flat_map(|named| named.keys())
}

/// The lines that hold `unsafe` code, counted from 1. A comment may say the word.
fn unsafe_lines(text: &str) -> impl Iterator<Item = usize> {
    const AFTER: &[&str] = &["{", "fn", "impl", "trait", "extern"];
    text.lines().enumerate().filter_map(|(n, line)| {
        let code = line.split("//").next().unwrap_or_default();
        let found = AFTER.iter().any(|word| code.contains(&["unsafe", word].join(" ")))
            || code.contains(concat!("#[", "unsafe("));
        found.then_some(n + 1)
    })
}

/// The files that should become two.
pub(crate) fn long_files() -> Result<Vec<String>, String> {
    let mut warnings = Vec::new();
    for file in all_sources() {
        let lines = read(&file)?.lines().count();
        if lines > LONG {
            warnings.push(format!("{} has {lines} lines; split it", relative(&file)));
        }
    }
    Ok(warnings)
}

fn all_sources() -> Vec<std::path::PathBuf> {
    ["crates", "xtask"].iter().flat_map(|f| sources(&tree::root().join(f))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_hold() {
        assert_eq!(errors(), Ok(Vec::new()));
    }

    const LINTS: &str = "[lints]\nworkspace = true\n";

    #[test]
    fn a_shortcut_is_named() {
        let text = format!("[dependencies]\nserde = \"1\"\nrecord.workspace = true\n{LINTS}");
        assert_eq!(breaches("render", &text), Vec::<String>::new());
        assert_eq!(breaches("stats", &text), ["stats must not depend on record"]);
    }

    #[test]
    fn every_way_to_depend_is_seen() {
        for way in [
            "[dependencies]\nhost = { path = \"../host\" }\n",
            "[dependencies.host]\npath = \"../host\"\n",
            "[build-dependencies]\nhost.workspace = true\n",
            "[target.'cfg(unix)'.dependencies]\n# reason\nhost = { workspace = true }\n",
        ] {
            let text = format!("{way}{LINTS}");
            assert_eq!(breaches("analyse", &text), ["analyse must not depend on host"], "{way}");
        }
        let tests = format!("[dev-dependencies]\nhost.workspace = true\n{LINTS}");
        assert_eq!(breaches("analyse", &tests), Vec::<String>::new());
    }

    #[test]
    fn a_crate_without_a_layer_or_without_lints_is_refused() {
        assert_eq!(breaches("misc", LINTS), ["crates/misc has no line in ARCHITECTURE.md"]);
        assert_eq!(breaches("stats", ""), ["stats must have `[lints] workspace = true`"]);
        assert_eq!(breaches("kernels", ""), Vec::<String>::new());
    }

    #[test]
    fn code_is_told_from_comments() {
        let word = "unsafe";
        let text = format!("// {word} {{\nlet x = {word} {{ y }};\n#[{word}(no_mangle)]\n");
        assert_eq!(unsafe_lines(&text).collect::<Vec<_>>(), [2, 3]);
    }
}
