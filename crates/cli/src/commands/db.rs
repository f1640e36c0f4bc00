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
use workloads::db::{DatabaseOptions, ExistingTables, SQLITE, check_folder, warning};

pub(crate) fn db(args: arguments::Db) -> Result<Exit> {
    let mut options = args.options;
    refuse_password(&options.engine)?;
    let (probe, warm_up) = match args.workload {
        arguments::Workload::PointSelect => ("point_select", 3.0),
        arguments::Workload::Tpcc => ("tpcc", 10.0),
    };
    attach(&mut options);
    if let Some(why) = warning(&options.engine, &options.engine_options) {
        say(&format!("Warning: {why}"));
    }
    if let Some(name) = &mut options.folder {
        let folder = Path::new(&*name);
        let real = real_path(folder)?;
        // Links on the way are judged, too.
        refuse_exchangeable(folder).context("--data")?;
        check_folder(&options.engine, &real).context("--data")?;
        let known = real.to_str().context("--data has a name that is not UTF-8")?.to_owned();
        if !args.measuring.dry_run {
            Directory::create(&real)
                .with_context(|| format!("--data {} cannot be made", folder.display()))?;
        }
        *name = known;
    }
    options.existing = match (args.replace, args.reuse) {
        (true, _) => ExistingTables::Replace,
        (_, true) => ExistingTables::Reuse,
        _ => ExistingTables::Ours,
    };
    options.free_memory = free_on_node(None).unwrap_or(0);
    options.warm_up = args.warm_up.unwrap_or(warm_up);
    let run = arguments::Run {
        cpus: args.cpus,
        ..arguments::Run::only(vec![probe.into()], args.measuring)
    };
    run::measure(&run, Request { options: ProbeOptions::with(options), required: true })
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

/// A URL, or without another engine a socket or an option file, belongs to a running server.
fn attach(options: &mut DatabaseOptions) {
    let of_engine = &mut options.engine_options;
    let attaches = of_engine.socket.is_some() || of_engine.option_file.is_some();
    if options.engine.contains("://") {
        of_engine.address = Some(std::mem::replace(&mut options.engine, "mysql".into()));
    } else if options.engine == SQLITE && attaches {
        options.engine = "mysql".into();
    }
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
