//! `capture`: the files that inventory reads, scrubbed, as a tree that `--root` replays.
use crate::{exit::Exit, live};
use anyhow::{Context, Result, bail};
use filesystem::directory::Directory;
use inventory::Entry;
use std::{
    fs,
    io::{self, Write},
    path::Path,
};
use storage::{files, say};

pub(crate) fn capture(args: &arguments::Capture) -> Result<Exit> {
    let top = &args.output;
    let shown = top.display();
    if fs::read_dir(top).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{shown} is not empty; name a new folder");
    }
    Directory::create(top).with_context(|| format!("cannot make {shown}"))?;
    let root = live::root(None)?;
    let captured = inventory::capture(&*root, &mut |path, entry| save(top, path, entry))
        .with_context(|| format!("cannot write in {shown}"))?;
    if let [(first, why), rest @ ..] = &captured.left_out[..] {
        let more =
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        say(&format!(
            "Could not be read: {first}{more} ({why}); the tree says which. Root may read more."
        ));
    }
    say(&format!(
        "{} files in {shown}; serial numbers, names and addresses were left out. Look before you send it on.",
        captured.files
    ));
    Ok(Exit::Done)
}

fn save(top: &Path, path: &str, entry: Entry) -> io::Result<()> {
    let file = top.join(path.trim_start_matches('/'));
    let (folder, name) = files::split(&file)?;
    let folder = Directory::create(folder)?;
    match entry {
        Entry::File(bytes) => folder.create_new(name, |mut to| to.write_all(&bytes)).map(drop),
        Entry::Link(target) => folder.link(name, &target),
    }
}
