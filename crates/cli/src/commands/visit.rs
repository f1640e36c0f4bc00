//! Visits of cases, for a run of this program that starts it (docs/adr/0039). Nobody types it, so that it has no help.
use crate::exit::Exit;
use anyhow::Result;
use host::clock::Monotonic;
use measure::own_process::answer;
use probes::probes::ALL;
use std::io;

/// The word that asks for them.
pub(crate) const NAME: &str = "__visit";

pub(crate) fn visit() -> Result<Exit> {
    answer(ALL, &Monotonic::new(), io::stdin().lock(), io::stdout().lock())?;
    Ok(Exit::Done)
}
