//! `db`: the path of `run` with one probe of a database.
use crate::{args, commands::run, exit::Exit};
use anyhow::{Context, Result};
use host::pages::free_on_node;
use measure::db::{self, Found, Way, Wish};
use std::fs;

/// Free memory from which there are ten million rows.
const ROOMY: u64 = 8 << 30;

pub(crate) fn db(args: args::Db) -> Result<Exit> {
    let probe = match args.workload {
        args::Workload::PointSelect => "point_select",
        args::Workload::Tpcc => "tpcc",
    };
    let free = free_on_node(None).unwrap_or(0);
    let folder = match &args.data {
        Some(folder) if !args.measuring.dry_run => {
            fs::create_dir_all(folder)
                .with_context(|| format!("--data {} cannot be made", folder.display()))?;
            let folder = folder
                .canonicalize()
                .with_context(|| format!("--data {} cannot be used", folder.display()))?;
            Some(folder.display().to_string())
        }
        other => other.as_ref().map(|folder| folder.display().to_string()),
    };
    let wish = Wish {
        engine: args.engine,
        modes: args.mode,
        folder,
        found: match (args.replace, args.reuse) {
            (true, _) => Found::Replace,
            (_, true) => Found::Reuse,
            _ => Found::Ours,
        },
        rows: args.rows.unwrap_or(if free >= ROOMY { 10_000_000 } else { 1_000_000 }),
        distribution: args.distribution,
        warehouses: args.warehouses,
        ways: args
            .way
            .iter()
            .map(|way| match way {
                args::Way::RowWise => Way::RowWise,
                args::Way::Batched => Way::Batched,
                args::Way::Procedure => Way::Procedure,
            })
            .collect(),
        mix: args.mix,
        binding: match args.binding {
            args::Binding::Random => db::Binding::Random,
            args::Binding::Home => db::Binding::Home,
        },
        check_all: args.check,
        connections: args.threads,
        ladder: args.ladder,
        repeats: args.repeats as usize,
        windows: args.windows as usize,
        seconds: args.seconds,
        warm: args.warm,
        free,
        ..Wish::small()
    };
    let run = args::Run {
        depth: args::Depth::Quick,
        only: vec![probe.into()],
        skip: vec![],
        cpus: args.cpus,
        nodes: None,
        only_with: vec![],
        all_pairs: false,
        per_cpu: false,
        resume: None,
        measuring: args.measuring,
    };
    run::measure(&run, run::Asked { database: Some(wish), ..run::Asked::default() })
}
