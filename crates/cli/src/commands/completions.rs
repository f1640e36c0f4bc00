//! `completions`: a shell's completion script.
use crate::{args::Args, exit::Exit, output};
use anyhow::Result;
use clap::CommandFactory;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut Args::command(), "cpulens", &mut script);
    output::stdout(&script)?;
    Ok(Exit::Done)
}
