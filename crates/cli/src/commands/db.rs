//! `db`: the path of `run` with one database probe.
use crate::{
    commands::run::{self, Request},
    exit::Exit,
};
use anyhow::{Context, Result};
use filesystem::directory::{Directory, refuse_exchangeable};
use host::pages::free_on_node;
use measure::probe::ProbeOptions;
use std::path::{Path, PathBuf};
use storage::say;
use workloads::db::{DatabaseOptions, EngineOptions, ExistingTables, check_folder, warning};

const DEFAULT_ENGINE: &str = "sqlite";

pub(crate) fn db(args: arguments::Db) -> Result<Exit> {
    refuse_password(&args.engine)?;
    let (probe, warm_up) = match args.workload {
        arguments::Workload::PointSelect => ("point_select", 3.0),
        arguments::Workload::Tpcc => ("tpcc", 10.0),
    };
    let (engine, engine_options) = engine(&args);
    if let Some(why) = warning(&engine, &engine_options) {
        say(&format!("Warning: {why}"));
    }
    let folder = match &args.data {
        Some(folder) => {
            let real = real_path(folder)?;
            // Links on the way are judged, too.
            refuse_exchangeable(folder).context("--data")?;
            check_folder(&engine, &real).context("--data")?;
            let name = real.to_str().context("--data has a name that is not UTF-8")?.to_owned();
            if !args.measuring.dry_run {
                Directory::create(&real)
                    .with_context(|| format!("--data {} cannot be made", folder.display()))?;
            }
            Some(name)
        }
        None => None,
    };
    let options = DatabaseOptions {
        engine,
        engine_options,
        modes: args.mode,
        folder,
        existing: match (args.replace, args.reuse) {
            (true, _) => ExistingTables::Replace,
            (_, true) => ExistingTables::Reuse,
            _ => ExistingTables::Ours,
        },
        rows: args.rows,
        distribution: args.distribution,
        warehouses: args.warehouses,
        free_memory: free_on_node(None).unwrap_or(0),
        statements: args.statements,
        mix: args.mix,
        binding: args.binding,
        check_all: args.check,
        connections: args.threads,
        instances: args.instances,
        pinning: args.pin,
        transports: args.transport,
        points: args.points,
        repeats: args.repeats as usize,
        windows: args.windows as usize,
        seconds: args.seconds,
        warm_up: args.warm_up.unwrap_or(warm_up),
    };
    let run = arguments::Run {
        cpus: args.cpus,
        ..arguments::Run::only(vec![probe.into()], args.measuring)
    };
    run::measure(&run, Request { options: ProbeOptions::with(options), required: true })
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The absolute path without links of a folder that may not exist yet.
fn real_path(folder: &Path) -> Result<PathBuf> {
    let cannot = || format!("--data {} cannot be used", folder.display());
    let absolute = std::path::absolute(folder).with_context(cannot)?;
    for known in absolute.ancestors() {
        if let Ok(real) = known.canonicalize() {
            let rest = absolute.strip_prefix(known).with_context(cannot)?;
            // `join` of nothing would add a slash.
            return Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) });
        }
    }
    Ok(absolute)
}

/// The engine's id and options. A URL, or without another engine a socket or an option file, belongs to a running server.
fn engine(args: &arguments::Db) -> (String, EngineOptions) {
    let is_url = args.engine.contains("://");
    let is_default = args.engine == DEFAULT_ENGINE;
    let attaches = is_url || (is_default && (args.socket.is_some() || args.option_file.is_some()));
    let options = EngineOptions {
        address: is_url.then(|| args.engine.clone()),
        server: args.server.as_deref().map(text),
        socket: args.socket.as_deref().map(text),
        option_file: args.option_file.as_deref().map(text),
        user: args.user.clone(),
        database: args.database.clone(),
        tls: args.tls,
        tls_ca: args.tls_ca.as_deref().map(text),
        server_key: args.server_key.as_deref().map(text),
        // Transports are a dimension of the scaling run.
        transport: None,
        wait: args.wait,
        protocol: args.protocol,
        begin: args.begin,
        isolation: args.isolation,
        durable: args.durable.then_some(true),
    };
    (if attaches { "mysql".into() } else { args.engine.clone() }, options)
}

/// A password in a URL would be in the record.
fn refuse_password(engine: &str) -> Result<()> {
    let location = engine.split_once("://").map(|(_, rest)| rest).unwrap_or_default();
    anyhow::ensure!(
        !location.contains('?'),
        "--engine holds options after a '?', which are not supported: name mysql://user@host:port/database"
    );
    let account = location.rsplit_once('@').map(|(account, _)| account).unwrap_or_default();
    anyhow::ensure!(
        !account.contains(':'),
        "--engine holds a password, which every user can read in the list of processes: \
         give it in the variable MYSQL_PWD, or in a file of mode 0600 (--option-file)"
    );
    Ok(())
}
