//! The components of the program as CycloneDX 1.5: the crates it is linked from, and the C libraries that two of them bring.
//! Source: cyclonedx.org/docs/1.5/json.
use crate::About;
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};

pub(crate) fn sbom(metadata: &Value, about: &About) -> Result<Vec<u8>, String> {
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let linked = linked(metadata)?;
    let mut components = vec![];
    let foreign = |p: &&Value| {
        !p["source"].is_null() && linked.contains(&p["id"].as_str().unwrap_or_default())
    };
    for package in packages.iter().filter(foreign) {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, version) = (text("name"), text("version"));
        components.push(library("cargo", name, version, text("license"))?);
        if let Some(library) = bundled(name, version, Path::new(text("manifest_path")))? {
            components.push(library);
        }
    }
    let mut program = component("application", "cpulens", &about.version, &about.license)?;
    program["description"] = about.description.as_str().into();
    // No serial number: a random one would make each release differ.
    let bom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": program },
        "components": components,
    });
    serde_json::to_vec_pretty(&bom).map_err(|e| format!("CycloneDX: {e}"))
}

/// Ids of all packages that the program needs: its dependencies of any depth, without those of tests.
fn linked(metadata: &Value) -> Result<BTreeSet<&str>, String> {
    let nodes = metadata["resolve"]["nodes"].as_array().ok_or("cargo metadata resolves nothing")?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let program = packages.find(|p| p["name"] == "cpulens").and_then(|p| p["id"].as_str());
    let mut waiting = vec![program.ok_or("cargo metadata names no package `cpulens`")?];
    let mut found: BTreeSet<&str> = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !found.insert(id) {
            continue;
        }
        let Some(node) = nodes.iter().find(|n| n["id"] == id) else { continue };
        let only_dev = |kinds: &Vec<Value>| kinds.iter().all(|k| k["kind"] == "dev");
        let for_tests = |dep: &Value| dep["dep_kinds"].as_array().is_some_and(only_dev);
        let deps = node["deps"].as_array().into_iter().flatten();
        waiting.extend(deps.filter(|d| !for_tests(d)).filter_map(|d| d["pkg"].as_str()));
    }
    Ok(found)
}

/// The C library whose sources a crate contains.
fn bundled(name: &str, version: &str, manifest: &Path) -> Result<Option<Value>, String> {
    match name {
        // 300.5.4+3.5.4: its own version, and OpenSSL's.
        "openssl-src" => {
            let (_, version) =
                version.split_once('+').ok_or("openssl-src has no OpenSSL version")?;
            library("generic", "openssl", version, "Apache-2.0").map(Some)
        }
        "libsqlite3-sys" => {
            let header = manifest.with_file_name("sqlite3").join("sqlite3.h");
            let text = xtask::tree::read(&header)?;
            let version = text
                .lines()
                .find_map(|l| l.strip_prefix("#define SQLITE_VERSION "))
                .ok_or("sqlite3.h states no version")?;
            library("generic", "sqlite", version.trim().trim_matches('"'), "blessing").map(Some)
        }
        _ => Ok(None),
    }
}

/// With its package URL, in which a plus sign is encoded.
fn library(kind: &str, name: &str, version: &str, license: &str) -> Result<Value, String> {
    let mut library = component("library", name, version, license)?;
    library["purl"] = format!("pkg:{kind}/{name}@{}", version.replace('+', "%2B")).into();
    Ok(library)
}

fn component(kind: &str, name: &str, version: &str, license: &str) -> Result<Value, String> {
    // Some crates still write `MIT/Apache-2.0`, which means OR.
    let license = license.replace('/', " OR ");
    spdx::Expression::parse(&license).map_err(|e| format!("the license of {name}: {e}"))?;
    let licenses = [json!({ "expression": license })];
    Ok(json!({ "type": kind, "name": name, "version": version, "licenses": licenses }))
}
