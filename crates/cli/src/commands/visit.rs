//! One visit of a case, for a run of this program that starts it (docs/adr/0039). Nobody types it, so that it has no help.
use crate::exit::Exit;
use anyhow::Result;
use host::clock::Monotonic;
use measure::own_process::answer;
use probes::probes::ALL;
use std::{env, io};

/// The word that asks for it.
pub(crate) const NAME: &str = "__visit";

pub(crate) fn visit() -> Result<Exit> {
    let words: Vec<String> =
        env::args_os().skip(2).map(|word| word.to_string_lossy().into_owned()).collect();
    answer(ALL, &Monotonic::new(), &words, io::stdin().lock(), io::stdout().lock())?;
    Ok(Exit::Done)
}
