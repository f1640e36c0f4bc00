//! `db`: the path of `run` with one probe of a database.
use crate::{
    args,
    commands::run::{self, Request},
    exit::Exit,
};
use anyhow::{Context, Result};
use host::pages::free_on_node;
use measure::{
    db::{self, Found, Pin, Way, Wish},
    probe::ProbeOptions,
};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Free memory from which there are ten million rows.
const ROOMY: u64 = 8 << 30;
/// The engine if nothing is said.
const DEFAULT_ENGINE: &str = "sqlite";

pub(crate) fn db(args: args::Db) -> Result<Exit> {
    without_password(&args)?;
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
    let (engine, options) = engine(&args);
    let wish = Wish {
        engine,
        options,
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
                args::Way::ItemWise => Way::ItemWise,
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
        instances: args.instances,
        pins: args
            .pin
            .iter()
            .map(|pin| match pin {
                args::Pin::Cores => Pin::Cores,
                args::Pin::None => Pin::None,
            })
            .collect(),
        transports: args.transport,
        scaling_run: args.points,
        repeats: args.repeats as usize,
        windows: args.windows as usize,
        seconds: args.seconds,
        warm: args.warm.unwrap_or(match args.workload {
            args::Workload::PointSelect => 3.0,
            args::Workload::Tpcc => 10.0,
        }),
        free,
    };
    let run = args::Run { cpus: args.cpus, ..args::Run::only(vec![probe.into()], args.measuring) };
    run::measure(&run, Request { options: ProbeOptions::with(wish), required: true })
}

/// The engine's id, and what was said of it: a URL, a socket or an option file is of a server that runs.
fn engine(args: &args::Db) -> (String, BTreeMap<String, String>) {
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let is_url = args.engine.contains("://");
    // Whoever names another engine than the one that is taken without a word is told that it is none of a socket's.
    let said = args.engine != DEFAULT_ENGINE;
    let runs = is_url || (!said && (args.socket.is_some() || args.option_file.is_some()));
    let named = [
        ("address", is_url.then(|| args.engine.clone())),
        ("server", path(&args.server)),
        ("socket", path(&args.socket)),
        ("option_file", path(&args.option_file)),
        ("user", args.user.clone()),
        ("database", args.database.clone()),
        ("wait", args.wait.clone()),
        ("protocol", args.protocol.clone()),
        ("begin", args.begin.clone()),
        ("isolation", args.isolation.clone()),
        ("durable", args.durable.then(|| "yes".into())),
    ];
    let options = named.into_iter().filter_map(|(name, value)| Some((name.into(), value?)));
    let engine = if runs { "mysql".into() } else { args.engine.clone() };
    (engine, options.collect())
}

/// A password in a URL would be in the record, too.
fn without_password(args: &args::Db) -> Result<()> {
    let place = args.engine.split_once("://").map(|(_, rest)| rest);
    let secret = place.and_then(|rest| rest.rsplit_once('@'));
    let options = place.is_some_and(|rest| rest.contains('?'));
    anyhow::ensure!(
        !options,
        "--engine holds options after a '?', which are not taken: say mysql://user@host:port/database"
    );
    anyhow::ensure!(
        !secret.is_some_and(|(user, _)| user.contains(':')),
        "--engine holds a password, which everybody can read in the list of processes: \
         leave it out, and say it in the variable MYSQL_PWD, or in a file of mode 0600 (--option-file)"
    );
    Ok(())
}
