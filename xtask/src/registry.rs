//! `cargo xtask registry`: lists each plural folder in its generated, committed `mod.rs`.
//! Adding an instance is adding a file; `cargo test -p xtask` notices, rewrites the list and fails once.
use InstanceKind::{Arch, Static, Toml};
use std::path::{Path, PathBuf};
use xtask::tree::{self, refresh, relative, root};

/// The kind of instances that a plural folder holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InstanceKind {
    /// A static of this type, or of one that implements this trait (`dyn`), with this name in every file.
    Static(&'static str, &'static str),
    /// One architecture's primitives; the file's name is the `target_arch`.
    Arch,
    /// TOML, as text.
    Toml,
}

/// The singular file defines a concept, the plural folder beside it holds its instances.
pub(crate) const FOLDERS: &[(&str, InstanceKind)] = &[
    ("crates/probes/src/probes", Static("measure::probe::Probe", "PROBE")),
    ("crates/database/src/engines", Static("dyn crate::engine::Engine", "ENGINE")),
    ("crates/measure/src/families", Toml),
    ("crates/measure/src/samplers", Static("crate::sampler::Sampler", "SAMPLER")),
    ("crates/estimates/src/analyses", Static("crate::analysis::Entry", "ANALYSIS")),
    ("crates/estimates/src/microarchitectures", Toml),
    ("crates/benchmarks/src/analyses", Static("estimates::analysis::Entry", "ANALYSIS")),
    ("crates/analyse/src/analyses", Static("estimates::analysis::Entry", "ANALYSIS")),
    ("crates/diagnose/src/analyses", Static("estimates::analysis::Entry", "ANALYSIS")),
    ("crates/diagnose/src/rules", Static("crate::rule::Rule", "RULE")),
    ("crates/diagnose/tests/rules/fixtures", Static("crate::fixture::Fixture", "FIXTURE")),
    ("crates/import/src/importers", Static("crate::importer::Importer", "IMPORTER")),
    ("crates/render/src/renderers", Static("crate::renderer::Renderer", "RENDERER")),
    ("crates/sections/src/sections", Static("crate::section::ReportSection", "SECTION")),
    (
        "crates/sections/src/comparison_sections",
        Static("crate::section::ComparisonSection", "SECTION"),
    ),
    ("crates/sections/src/exporters", Static("crate::exporter::Exporter", "EXPORTER")),
    ("crates/kernels/src/arch", Arch),
];

const HEADER: &str = "//! Generated from this folder by `cargo xtask registry`. Do not edit.\n\n";

/// Brings every list up to date; returns the files that were not.
pub(crate) fn rewrite() -> Result<Vec<String>, String> {
    let mut changed = Vec::new();
    for (folder, holds) in lists() {
        let file = folder.join("mod.rs");
        if refresh(&file, &listing(&ids(&folder, holds), holds, visibility(&folder)))? {
            changed.push(relative(&file));
        }
    }
    Ok(changed)
}

/// The folders that exist and hold at least one instance.
pub(crate) fn lists() -> Vec<(PathBuf, InstanceKind)> {
    FOLDERS
        .iter()
        .map(|(folder, holds)| (root().join(folder), *holds))
        .filter(|(folder, holds)| !ids(folder, *holds).is_empty())
        .collect()
}

/// The instances of a folder: its `.rs` (`.toml`) files and the folders with a `mod.rs`.
pub(crate) fn ids(folder: &Path, holds: InstanceKind) -> Vec<String> {
    let ending = match holds {
        Toml => "toml",
        Static(..) | Arch => "rs",
    };
    tree::entries(folder)
        .iter()
        .filter(|p| p.join("mod.rs").is_file() || p.extension().is_some_and(|x| x == ending))
        .map(|p| tree::name(p))
        .filter(|id| id != "mod")
        .collect()
}

/// A list is as visible as the crate makes its folder, or `unreachable_pub` objects.
fn visibility(folder: &Path) -> &'static str {
    let lib = folder.with_file_name("lib.rs");
    let public = format!("pub mod {};", tree::name(folder));
    match tree::read(&lib) {
        Ok(text) if text.lines().any(|l| l.trim() == public) => "pub",
        _ => "pub(crate)",
    }
}

fn listing(ids: &[String], holds: InstanceKind, vis: &str) -> String {
    match holds {
        Static(path, name) => table(ids, vis, path, name),
        Arch => arch(ids, vis),
        Toml => texts(ids, vis),
    }
}

/// Files that are read when they are wanted, not parsed when the program is built.
fn texts(ids: &[String], vis: &str) -> String {
    let row = |id: &String| format!("    (\"{id}\", include_str!(\"{id}.toml\")),\n");
    let rows: String = ids.iter().map(row).collect();
    format!(
        "{HEADER}/// Every file's name and text.\n#[rustfmt::skip]\n\
         {vis} static ALL: &[(&str, &str)] = &[\n{rows}];\n"
    )
}

/// One line per entry, so that two developers adding instances rarely collide; skipped by rustfmt,
/// which would fold short lists.
fn table(ids: &[String], vis: &str, path: &str, name: &str) -> String {
    let (kind, path) = path.split_at(if path.starts_with("dyn ") { 4 } else { 0 });
    // `Rule` of `crate::rule::Rule`.
    let short = path.rsplit("::").next().unwrap_or(path);
    let mods: String = ids.iter().map(|id| format!("{vis} mod {id};\n")).collect();
    let rows: String = ids.iter().map(|id| format!("    (\"{id}\", &{id}::{name}),\n")).collect();
    let noun = words(short);
    format!(
        "{HEADER}{mods}\nuse {path};\n\n/// Every {noun} and its id, which is its file's name.\n\
         #[rustfmt::skip]\n{vis} static ALL: &[(&str, &{kind}{short})] = &[\n{rows}];\n"
    )
}

/// Miri knows no machine instructions, so it sees the portable primitives everywhere.
fn arch(ids: &[String], vis: &str) -> String {
    let mut out = String::from(HEADER);
    let named: Vec<&String> = ids.iter().filter(|id| *id != "portable").collect();
    for id in &named {
        out += &format!(
            "#[cfg(all(target_arch = \"{id}\", not(miri)))]\n#[path = \"{id}.rs\"]\nmod this;\n"
        );
    }
    if ids.len() > named.len() {
        let portable = "#[path = \"portable.rs\"]\nmod this;\n";
        out += &format!("#[cfg(miri)]\n{portable}");
        let named = named.iter().map(|id| format!("target_arch = \"{id}\""));
        let cfgs: Vec<String> = ["miri".to_owned()].into_iter().chain(named).collect();
        let mut line = format!("#[cfg(not(any({})))]\n", cfgs.join(", "));
        if line.len() > 100 {
            line = format!("#[cfg(not(any(\n    {},\n)))]\n", cfgs.join(",\n    "));
        }
        out += &format!("{line}{portable}");
    }
    out + &format!("\n{vis} use this::*;\n")
}

/// `ReportSection` → `report section`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{io::Write, process::*};

    #[test]
    fn registry_is_current() {
        let changed = rewrite().unwrap();
        assert!(changed.is_empty(), "updated {changed:?}; look at the change and run again");
    }

    #[test]
    fn an_instance_is_a_static_of_its_file() {
        let ids = ["core_rate".to_owned(), "stream".to_owned()];
        assert_eq!(
            listing(&ids, Static("dyn crate::probe::Probe", "PROBE"), "pub"),
            "//! Generated from this folder by `cargo xtask registry`. Do not edit.\n\n\
             pub mod core_rate;\npub mod stream;\n\nuse crate::probe::Probe;\n\n\
             /// Every probe and its id, which is its file's name.\n#[rustfmt::skip]\n\
             pub static ALL: &[(&str, &dyn Probe)] = &[\n    (\"core_rate\", &core_rate::PROBE),\n    \
             (\"stream\", &stream::PROBE),\n];\n"
        );
    }

    /// rustfmt must have nothing to say, however many instances there are.
    #[test]
    fn lists_are_formatted() {
        let few = ["chase", "l10", "l2", "l2_hit", "l2b"].map(String::from);
        let cpus =
            ["aarch64", "loongarch64", "portable", "riscv64", "s390x", "x86_64"].map(String::from);
        for arches in [&cpus[..1], &cpus[..3], &cpus[..], &[&cpus[..1], &cpus[2..3]].concat()] {
            assert_formatted(&listing(arches, Arch, "pub"));
        }
        for vis in ["pub", "pub(crate)"] {
            assert_formatted(&listing(&few, Static("crate::rule::Rule", "RULE"), vis));
            assert_formatted(&listing(&few[..1], Static("dyn crate::probe::Probe", "PROBE"), vis));
        }
    }

    fn assert_formatted(text: &str) {
        let config = root().join("rustfmt.toml");
        let mut rustfmt = Command::new("rustfmt")
            .args(["--edition", "2024", "--config-path"])
            .arg(config)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        rustfmt.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let out = rustfmt.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(out.stdout).unwrap(), text);
    }
}
