//! The files that a package installs.
use crate::archive;
use std::{collections::BTreeSet, fs, path::Path};
use xtask::{
    children::{child, output},
    dist::{self, Arch},
    tree,
};

pub(crate) struct Installed {
    /// Below `/`, without a leading slash.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// Permission bits.
    pub(crate) mode: u32,
}

pub(crate) struct Payload {
    pub(crate) arch: Arch,
    pub(crate) files: Vec<Installed>,
}

impl Payload {
    /// The binary of one architecture, and what the binary of this machine prints: manual pages and completions.
    pub(crate) fn read(arch: Arch) -> Result<Payload, String> {
        let binary = dist::shipped(arch);
        let mut files = vec![];
        let mut add = |path: &str, bytes: Vec<u8>, mode| {
            files.push(Installed { path: path.to_owned(), bytes, mode });
        };
        add("usr/bin/cpulens", read(&binary)?, 0o755);
        for (shell, path) in [
            ("bash", "usr/share/bash-completion/completions/cpulens"),
            ("fish", "usr/share/fish/vendor_completions.d/cpulens.fish"),
            ("zsh", "usr/share/zsh/vendor-completions/_cpulens"),
        ] {
            add(path, printed(&["completions", shell])?.into_bytes(), 0o644);
        }
        for (name, page) in pages()? {
            let gz = archive::gzip(page.as_bytes())?;
            add(&format!("usr/share/man/man1/{name}.1.gz"), gz, 0o644);
        }
        for (from, to) in [("LICENSE", "copyright"), ("README.md", "README.md")] {
            let text = tree::read(&tree::root().join(from))?;
            add(&format!("usr/share/doc/cpulens/{to}"), text.into_bytes(), 0o644);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Payload { arch, files })
    }

    /// Every folder that the files need, parents first.
    pub(crate) fn folders(&self) -> Vec<String> {
        let above = self.files.iter().flat_map(|f| Path::new(&f.path).ancestors().skip(1));
        let above = above.map(|folder| folder.display().to_string());
        let all: BTreeSet<String> = above.filter(|folder| !folder.is_empty()).collect();
        all.into_iter().collect()
    }
}

/// One page for the program, and one for each command: the main page lists them as `cpulens-NAME(1)`.
fn pages() -> Result<Vec<(String, String)>, String> {
    let main = printed(&["man"])?;
    let names = main.split("cpulens\\-").skip(1).filter_map(|rest| rest.split("(1)").next());
    let is_command = |name: &&str| *name != "help" && name.chars().all(|c| c.is_ascii_lowercase());
    let names: BTreeSet<&str> = names.filter(is_command).collect();
    let mut pages = vec![("cpulens".to_owned(), main.clone())];
    for name in names {
        pages.push((format!("cpulens-{name}"), printed(&["man", name])?));
    }
    Ok(pages)
}

/// The program's output on this machine, which may need an emulator.
fn printed(args: &[&str]) -> Result<String, String> {
    let native = Arch::ALL.into_iter().find(|a| a.name() == std::env::consts::ARCH);
    let arch = native.ok_or("a release is made on x86-64 or aarch64")?;
    output(child(dist::shipped(arch)).args(args))
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|e| format!("cannot read {} (cargo xtask dist): {e}", file.display()))
}
