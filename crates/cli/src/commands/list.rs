//! `list`: the probes and rules, one line each.
use crate::{exit::Exit, output};
use anyhow::Result;
use measure::probe::Probe;
use probes::probes::ALL;

pub(crate) fn list() -> Result<Exit> {
    let mut text = String::from("Probes (run --only ID):\n");
    for (id, probe) in measure::plan::entries(ALL) {
        let Probe { title, version, .. } = probe;
        text += &format!("  {id:<24} {title} (definition {version})\n");
    }
    text += "\nRules (findings of run and show):\n";
    for (id, rule) in analyse::rules::ALL {
        text += &format!("  {id:<24} {}\n", rule.title);
    }
    output::stdout(text.as_bytes())?;
    Ok(Exit::Done)
}
