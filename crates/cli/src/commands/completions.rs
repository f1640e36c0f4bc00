//! `completions`: a shell's completion script.
use crate::{exit::Exit, output};
use anyhow::Result;
use arguments::program;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut program(), "cpulens", &mut script);
    output::stdout(&script)?;
    Ok(Exit::Done)
}
