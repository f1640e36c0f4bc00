//! `info`: inventory, then render.
use crate::{commands::place::unmeasured, exit::Exit, live, output};
use analyse::summary::of_machine;
use anyhow::Result;

pub(crate) fn info(args: &arguments::Info) -> Result<Exit> {
    let root = live::root(args.root.as_deref())?;
    let machine = inventory::inventory(&*root);
    if output::is_short(&args.output, &args.screen) {
        let mut record = unmeasured(machine);
        record.provenance.host = args.root.is_none().then(host::live::host_name);
        output::screen(&args.output, &of_machine(&analyse::analyse(&record)), "last")?;
    } else {
        output::machine(&args.output, &machine)?;
    }
    Ok(Exit::Done)
}
