//! The machine to describe: this one, or a captured tree.
use anyhow::{Context, Result, bail};
use inventory::Root;
use std::{io, path::Path};

/// This machine's files.
struct Live(host::live::Live);

impl Root for Live {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.0.list(path)
    }
    fn link(&self, path: &str) -> io::Result<String> {
        self.0.link(path)
    }
}

/// This machine, or the tree at `root`.
pub(crate) fn root(root: Option<&Path>) -> Result<Box<dyn Root>> {
    Ok(match root {
        None => Box::new(Live(host::live::Live::here())),
        Some(top) => {
            let folder = inventory::Folder::open(top)
                .with_context(|| format!("{} is not a captured tree", top.display()))?;
            if folder.list("/proc").is_err() && folder.list("/sys").is_err() {
                bail!(
                    "{} is not a captured tree: it has neither proc nor sys; cpulens capture -o DIR writes one",
                    top.display()
                );
            }
            Box::new(folder)
        }
    })
}
