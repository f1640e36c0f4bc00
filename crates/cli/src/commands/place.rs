//! `place`: placements on this machine or a record's; nothing is measured.
use crate::{exit::Exit, live, output};
use analyse::place::{Request, node_near, place};
use analyse::summary::{Summary, of_placement};
use anyhow::Result;
use record::{Machine, Provenance, Record};
use sections::exporters::numactl;
use storage::{files, say};

pub(crate) fn run(args: &arguments::Place) -> Result<Exit> {
    let (record, source) = match &args.record {
        Some(name) => (files::load(name)?.0, format!("the record {name}")),
        None => {
            let machine = inventory::inventory(&*live::root(args.root.as_deref())?);
            let source = match &args.root {
                Some(folder) => format!("the captured tree {}", folder.display()),
                None => "this machine's own description; nothing was measured".into(),
            };
            (unmeasured(machine), source)
        }
    };
    let near = args.near.as_deref().map(|device| node_near(&record.machine, device));
    let ask = Request {
        node: near.transpose()?,
        instances: args.instances.0,
        cores: args.cores_per_instance,
        smt: args.smt,
        per: args.per,
    };
    let report = analyse::analyse(&record);
    let placement = place(&report, &ask).map_err(|why| match &args.record {
        Some(name) => why.after(name),
        None => why,
    })?;
    let fewest = placement.instances.iter().map(|instance| instance.cores).min();
    if let Some((asked, fewest)) = ask.cores.zip(fewest).filter(|(asked, fewest)| fewest < asked) {
        say(&format!("cpulens: --cores-per-instance {asked}: there is room for {fewest} only"));
    }
    if output::is_short(&args.output, &args.screen) {
        let lines = (numactl::EXPORTER.lines)(&placement).unwrap_or_default();
        let summary = Summary { lines, ..of_placement(&report, &placement) };
        let name = args.record.as_deref().map_or("", files::named);
        output::screen(&args.output, &summary, name)?;
    } else {
        let document = sections::placement::document(&placement, &report, &source);
        output::document(&args.output, &document)?;
    }
    Ok(Exit::Done)
}

/// A record of a machine without measurements.
pub(crate) fn unmeasured(machine: Machine) -> Record {
    Record::new(Provenance::default(), machine, vec![])
}
