//! Every package, installed or unpacked by the tool of its kind into a folder of its own, and the program in it run.
//! Needs the binaries of `cargo xtask dist`, and what `cargo xtask setup` installs.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};
use xtask::{
    children::{child, find, output},
    dist::Arch,
};

/// All packages, made twice: the second time proves that they are the same.
static RELEASE: LazyLock<(tempfile::TempDir, Vec<String>)> = LazyLock::new(|| {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let names: Vec<_> = folders.iter().map(|f| release::release(f.path()).unwrap()).collect();
    assert_eq!(names[0], names[1]);
    for name in &names[0] {
        let [a, b] = folders.each_ref().map(|f| fs::read(f.path().join(name)).unwrap());
        assert!(a == b, "{name} differs from one time to the next");
    }
    let [first, _] = folders;
    (first, names.into_iter().next().unwrap())
});

fn ours() -> Arch {
    Arch::ALL.into_iter().find(|a| a.name() == std::env::consts::ARCH).unwrap()
}

/// The package whose name contains all of these.
fn package(words: &[&str]) -> PathBuf {
    let (folder, names) = &*RELEASE;
    let mut found = names.iter().filter(|n| words.iter().all(|w| n.contains(w)));
    let name = found.next().unwrap_or_else(|| panic!("no package {words:?} in {names:?}"));
    assert!(found.next().is_none(), "two packages {words:?} in {names:?}");
    folder.path().join(name)
}

fn run(program: &str, args: &[&str]) -> String {
    output(child(program).args(args)).unwrap()
}

/// The installed program says its version, and the pages and completions are there.
fn works(root: &Path) {
    let version = run(root.join("usr/bin/cpulens").to_str().unwrap(), &["--version"]);
    assert_eq!(version.trim(), concat!("cpulens ", env!("CARGO_PKG_VERSION")));
    for file in ["man/man1/cpulens.1.gz", "man/man1/cpulens-scale.1.gz", "doc/cpulens/copyright"] {
        assert!(root.join("usr/share").join(file).is_file(), "{file}");
    }
    let page = root.join("usr/share/man/man1/cpulens-scale.1.gz");
    if find("man").is_some() {
        let text = run("man", &["--warnings", "-l", page.to_str().unwrap()]);
        assert!(text.contains("--policy"), "{text}");
    }
}

#[test]
#[ignore = "needs dist/"]
fn checksums_hold() {
    let sums = package(&["SHA256SUMS"]);
    let mut command = Command::new("sha256sum");
    command.args(["--check", "--strict", "--quiet"]).arg(&sums);
    assert!(command.current_dir(sums.parent().unwrap()).status().unwrap().success());
    let lines = fs::read_to_string(&sums).unwrap().lines().count();
    assert_eq!(lines + 1, RELEASE.1.len());
}

#[test]
#[ignore = "needs dist/"]
fn the_archive_runs_where_it_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let archive = package(&[ours().name(), ".tar.zst"]);
    let at = folder.path().to_str().unwrap();
    run("tar", &["--zstd", "-xf", archive.to_str().unwrap(), "-C", at, "--strip-components=1"]);
    let version = run(&format!("{at}/cpulens"), &["--version"]);
    assert!(version.starts_with("cpulens "), "{version}");
    for file in [
        "LICENSE",
        "README.md",
        "man/cpulens.1.gz",
        "completions/cpulens.bash",
        "completions/cpulens.zsh",
    ] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

/// Into a root of its own, whose list of packages is empty before and names ours afterwards.
#[test]
#[ignore = "needs dist/"]
fn dpkg_installs_and_removes_it() {
    if find("dpkg").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    fs::write(root.join("var/lib/dpkg/status"), "").unwrap();
    let to = format!("--root={}", root.display());
    let deb = package(&[ours().debian(), ".deb"]);
    let force = "--force-not-root,script-chrootless,architecture";
    let log = "--log=/dev/null";
    run("dpkg", &[&to, force, log, "--install", deb.to_str().unwrap()]);
    works(root);
    let owned = run(
        "dpkg-query",
        &[&format!("--admindir={}/var/lib/dpkg", root.display()), "-L", "cpulens"],
    );
    assert!(owned.lines().any(|l| l == "/usr/bin/cpulens"), "{owned}");
    run("dpkg", &[&to, force, log, "--purge", "cpulens"]);
    assert!(!root.join("usr/bin/cpulens").exists());
}

#[test]
#[ignore = "needs dist/"]
fn rpm_installs_and_removes_it() {
    if find("rpm").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let rpm = package(&[ours().name(), ".rpm"]);
    let file = rpm.to_str().unwrap();
    let digests = run("rpm", &["--checksig", "--nosignature", file]);
    assert!(digests.contains("digests OK"), "{digests}");
    let (root, database) = (folder.path().join("root"), folder.path().join("db"));
    let [root_arg, database_arg] =
        [("--root", &root), ("--dbpath", &database)].map(|(name, path)| {
            fs::create_dir_all(path).unwrap();
            format!("{name}={}", path.display())
        });
    // As root, rpm changes its root folder; as a user it can only be unpacked.
    if run("id", &["-u"]).trim() == "0" {
        let common = [root_arg.as_str(), "--nodeps", "--noscripts"];
        run("rpm", &[&common[..], &["--install", "--ignorearch", file]].concat());
        works(&root);
        let names = run("rpm", &[&root_arg, "--query", "--all"]);
        assert!(names.starts_with("cpulens-"), "{names}");
        run("rpm", &[&common[..], &["--erase", "cpulens"]].concat());
        assert!(!root.join("usr/bin/cpulens").exists());
    } else {
        let names = run("rpm", &[&database_arg, "--query", "--list", "--package", file]);
        assert!(names.lines().any(|l| l == "/usr/bin/cpulens"), "{names}");
    }
}

/// The image has an entry for each architecture, and its only layer holds a program that runs.
#[test]
#[ignore = "needs dist/"]
fn the_image_is_read_by_another_program() {
    if find("skopeo").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_str().unwrap();
    let image = package(&["oci.tar"]);
    let from = format!("oci-archive:{}", image.display());
    for arch in Arch::ALL {
        let only = format!("--override-arch={}", arch.debian());
        let seen = run("skopeo", &[&only, "inspect", "--tmpdir", at, "--config", &from]);
        let seen: serde_json::Value = serde_json::from_str(&seen).unwrap();
        assert_eq!(seen["architecture"], arch.debian());
        assert_eq!(seen["config"]["Entrypoint"], serde_json::json!(["/usr/bin/cpulens"]));
    }
    let only = format!("--override-arch={}", ours().debian());
    let to = format!("dir:{at}/image");
    run("skopeo", &[&only, "--insecure-policy", "copy", "--tmpdir", at, "--quiet", &from, &to]);
    let manifest = fs::read_to_string(folder.path().join("image/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let digest = manifest["layers"][0]["digest"].as_str().unwrap().trim_start_matches("sha256:");
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    run("tar", &["-xzf", &format!("{at}/image/{digest}"), "-C", root.to_str().unwrap()]);
    works(&root);
}

/// It names what is linked, the C libraries among them, and nothing that only tests need.
#[test]
#[ignore = "needs dist/"]
fn the_list_of_components_is_whole() {
    let text = fs::read_to_string(package(&["cdx.json"])).unwrap();
    let bom: serde_json::Value = serde_json::from_str(&text).unwrap();
    let components = bom["components"].as_array().unwrap();
    let names: Vec<&str> = components.iter().filter_map(|c| c["name"].as_str()).collect();
    for name in ["clap", "serde", "openssl", "sqlite", "rusqlite"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    for name in ["insta", "assert_cmd", "rpm"] {
        assert!(!names.contains(&name), "{name}");
    }
    let unlicensed = components.iter().filter(|c| c["licenses"].is_null());
    assert_eq!(
        unlicensed.map(|c| &c["name"]).collect::<Vec<_>>(),
        Vec::<&serde_json::Value>::new()
    );
}
