//! `man`: a manual page.
use crate::{exit::Exit, output};
use anyhow::{Context, Result};
use arguments::{fitted, program};

pub(crate) fn man(command: Option<&str>) -> Result<Exit> {
    let mut program = fitted(program());
    // It gives the commands their full names.
    program.build();
    let about = match command {
        None => program,
        Some(name) => {
            program.get_subcommands().find(|c| c.get_name() == name).cloned().with_context(
                || format!("no command is called `{name}` (cpulens --help lists them)"),
            )?
        }
    };
    // One page for each command: a page does not end in its subcommands' options.
    let title = about.get_display_name().unwrap_or("cpulens").to_owned();
    let mut page = vec![];
    let source = concat!("cpulens ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(about).title(title).source(source).render(&mut page)?;
    output::stdout(&page)?;
    Ok(Exit::Done)
}
