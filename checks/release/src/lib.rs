//! The packages of a release: one file for each kind of package.
mod archive;
mod deb;
mod image;
mod payload;
mod rpms;
mod sbom;

use payload::Payload;
use sha2::{Digest, Sha256};
use std::path::Path;
use xtask::{
    children::{cargo, child, output},
    dist::Arch,
    tree::{make, write},
};

/// The description in every package.
struct About {
    version: String,
    description: String,
    license: String,
    /// Seconds since 1970 of the commit: the time of every packaged file.
    time: u32,
}

impl About {
    /// From `cargo metadata` and `git log`.
    fn read(metadata: &serde_json::Value) -> Result<About, String> {
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        let package = packages.find(|p| p["name"] == "cpulens");
        let package = package.ok_or("cargo metadata names no package `cpulens`")?;
        let text = |key: &str| {
            package[key].as_str().map(str::to_owned).ok_or(format!("cpulens has no {key}"))
        };
        let root = xtask::tree::root();
        let log = output(child("git").arg("-C").arg(root).args(["log", "-1", "--format=%ct"]))?;
        let time = log.trim().parse().map_err(|e| format!("git log: {e}: {log}"))?;
        Ok(About {
            version: text("version")?,
            description: text("description")?,
            license: text("license")?,
            time,
        })
    }
}

/// Writes all packages and returns their names. The binaries are those that `cargo xtask dist` made.
///
/// # Errors
/// A binary is missing, or a file cannot be written.
pub fn release(folder: &Path) -> Result<Vec<String>, String> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--locked", "--filter-platform"]);
    command.arg(Arch::X86_64.triple());
    let metadata = output(&mut command)?;
    let metadata = serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let about = About::read(&metadata)?;
    make(folder)?;
    let mut files = vec![];
    let mut add = |name: String, bytes: Vec<u8>| {
        write(&folder.join(&name), &bytes)?;
        files.push((name, bytes));
        Ok::<(), String>(())
    };
    let mut payloads = vec![];
    for arch in Arch::ALL {
        let payload = Payload::read(arch)?;
        let name = |rest: &str| format!("cpulens-{}-{rest}", about.version);
        let linux = format!("{}-linux", arch.name());
        add(name(&format!("{linux}.tar.zst")), archive::tar_zst(&payload, &about, &linux)?)?;
        let package = format!("cpulens_{}_{}.deb", about.version, arch.debian());
        add(package, deb::deb(&payload, &about)?)?;
        add(name(&format!("1.{}.rpm", arch.name())), rpms::rpm(&payload, &about)?)?;
        payloads.push(payload);
    }
    let image = format!("cpulens-{}-oci.tar", about.version);
    add(image, image::layout(&payloads, &about)?)?;
    add(format!("cpulens-{}.cdx.json", about.version), sbom::sbom(&metadata, &about)?)?;
    let sums: String =
        files.iter().map(|(name, bytes)| format!("{}  {name}\n", sha256(bytes))).collect();
    let mut names: Vec<String> = files.into_iter().map(|(name, _)| name).collect();
    write(&folder.join("SHA256SUMS"), sums)?;
    names.push("SHA256SUMS".into());
    Ok(names)
}

/// In hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
