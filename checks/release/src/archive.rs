//! Archives: `.tar` with fixed times and owners, compressed.
use crate::{About, payload::Payload};
use flate2::{Compression, GzBuilder};
use std::{
    io::{self, Write},
    process::Stdio,
    thread,
};
use xtask::children::child;

/// For machines without a package manager: the binary and its pages in one folder.
pub(crate) fn tar_zst(payload: &Payload, about: &About, suffix: &str) -> Result<Vec<u8>, String> {
    let top = format!("cpulens-{}-{suffix}", about.version);
    let mut tar = Tar::new(about.time);
    tar.folder(&format!("{top}/"))?;
    for file in &payload.files {
        let name = match file.path.rsplit_once('/') {
            Some((folder, "cpulens" | "_cpulens" | "cpulens.fish")) if folder != "usr/bin" => {
                let shell = ["bash", "fish"].into_iter().find(|shell| folder.contains(shell));
                format!("completions/cpulens.{}", shell.unwrap_or("zsh"))
            }
            Some((folder, name)) if folder.ends_with("man1") => format!("man/{name}"),
            Some((_, "copyright")) => "LICENSE".to_owned(),
            Some((_, name)) => name.to_owned(),
            None => file.path.clone(),
        };
        tar.file(&format!("{top}/{name}"), &file.bytes, file.mode)?;
    }
    zstd(&tar.done()?)
}

/// By the program, whose library takes as long to build as all else here.
fn zstd(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let failed = |e: io::Error| format!("zstd: {e} (`cargo xtask setup` installs it)");
    let mut zstd = child("zstd");
    zstd.args(["-9", "--quiet", "--stdout"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = zstd.spawn().map_err(failed)?;
    let mut to = running.stdin.take();
    let (written, done) = thread::scope(|scope| {
        let written = scope.spawn(move || to.take().map_or(Ok(()), |mut to| to.write_all(bytes)));
        let done = running.wait_with_output();
        (written.join(), done)
    });
    let done = done.map_err(failed)?;
    match written {
        Ok(Ok(())) if done.status.success() => Ok(done.stdout),
        _ => Err(format!("zstd: {}", done.status)),
    }
}

/// The files where they are installed, with their folders.
pub(crate) fn tree(payload: &Payload, time: u32, prefix: &str) -> Result<Vec<u8>, String> {
    let mut tar = Tar::new(time);
    for folder in payload.folders() {
        tar.folder(&format!("{prefix}{folder}/"))?;
    }
    for file in &payload.files {
        tar.file(&format!("{prefix}{}", file.path), &file.bytes, file.mode)?;
    }
    tar.done()
}

/// Without a name and a time in its header.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = GzBuilder::new().write(vec![], Compression::default());
    out.write_all(bytes).and_then(|()| out.finish()).map_err(|e| format!("gzip: {e}"))
}

/// Owned by root, all of one time.
pub(crate) struct Tar {
    builder: tar::Builder<Vec<u8>>,
    time: u32,
}

impl Tar {
    pub(crate) fn new(time: u32) -> Tar {
        Tar { builder: tar::Builder::new(vec![]), time }
    }

    pub(crate) fn folder(&mut self, path: &str) -> Result<(), String> {
        self.entry(path, &[], 0o755, tar::EntryType::Directory)
    }

    pub(crate) fn file(&mut self, path: &str, bytes: &[u8], mode: u32) -> Result<(), String> {
        self.entry(path, bytes, mode, tar::EntryType::Regular)
    }

    fn entry(
        &mut self,
        path: &str,
        bytes: &[u8],
        mode: u32,
        kind: tar::EntryType,
    ) -> Result<(), String> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_mtime(self.time.into());
        header.set_size(bytes.len() as u64);
        let owner = header.set_username("root").and_then(|()| header.set_groupname("root"));
        let written = owner.and_then(|()| self.builder.append_data(&mut header, path, bytes));
        written.map_err(|e: io::Error| format!("tar: {path}: {e}"))
    }

    pub(crate) fn done(self) -> Result<Vec<u8>, String> {
        self.builder.into_inner().map_err(|e| format!("tar: {e}"))
    }
}
