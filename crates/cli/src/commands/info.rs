//! `info`: inventory, then render.
use crate::{args, exit::Exit, live, output};
use anyhow::Result;

pub(crate) fn info(args: &args::Info) -> Result<Exit> {
    let root = live::root(args.root.as_deref())?;
    output::machine(&args.output, &inventory::inventory(&*root))?;
    Ok(Exit::Done)
}
