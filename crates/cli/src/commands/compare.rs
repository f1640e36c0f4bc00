//! `compare`: load records, analyse them together, render. A file that cannot be read is named and left out.
use super::diagnose;
use crate::{exit::Exit, output};
use analyse::compare::{Comparison, Earlier, Extract, Extractor, Gathering, Spent};
use anyhow::{Context, Result, bail};
use record::{Environment, Sort};
use std::fs;
use std::mem;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use storage::{
    files::{self, short},
    foreign, say,
};

/// Earlier records that are read, and compared ones beyond which none is.
const EARLIER: usize = 32;
const COMPARED: usize = 16;
/// Records that are read while one is looked at: few, for each holds its samples.
const AHEAD: usize = 2;

pub(crate) fn compare(args: &arguments::Compare) -> Result<Exit> {
    output::check(&args.output)?;
    let newest = "last".to_owned();
    let mut names: Vec<&String> = args.records.iter().collect();
    let alone = args.baseline.is_none() && names.iter().all(|name| **name == newest);
    // The folder is read once, so that the newest record stays the same.
    let (own, before) = match names.len() < 2 {
        true if alone => {
            let own = files::own()?;
            let before = before_newest(&own)?;
            (own, Some(before))
        }
        false if !names.contains(&&newest) => (vec![], None),
        _ => (files::own().unwrap_or_default(), None),
    };
    if let Some(before) = &before {
        names = vec![before, &newest];
    } else if names.len() < 2 && args.baseline.is_none() {
        names.push(&newest);
    }
    if let Some(baseline) = &args.baseline
        && !names.contains(&baseline)
    {
        names.insert(0, baseline);
    }
    let wanted = args.baseline.as_ref().and_then(|b| names.iter().position(|name| *name == b));
    if args.explain && args.output.format == "csv" {
        bail!("csv has rows only; --explain needs text, markdown, html or json");
    }
    let mut gathering = if args.explain { Gathering::explaining() } else { Gathering::new() };
    let mut baseline = None;
    let mut read: Vec<&str> = vec![];
    let workers = thread::available_parallelism().map_or(1, usize::from).min(names.len()).min(8);
    if let Some(workers) = NonZeroUsize::new(workers) {
        gathering.on_threads(workers);
    }
    let newest_file = own.last().map(|file| file.display().to_string());
    let file = |name: &str| match &newest_file {
        Some(file) if name == newest => file.clone(),
        _ => name.to_owned(),
    };
    let compared: Vec<String> = names.iter().map(|name| file(name)).collect();
    let earlier = earlier(args, &compared, &own, workers)?;
    let take = |reader: &mut Reader, name: &str| {
        let record = foreign::load(&file(name), &mut reader.bytes)?;
        record.provenance.of_one_machine().with_context(|| short(name))?;
        Ok(reader.extractor.take(&short(name), &record, args.explain))
    };
    each(workers, &names, take, |number, taken| match taken {
        Ok(mut taken) => {
            earlier.teach(&mut taken);
            if Some(number) == wanted {
                baseline = Some(read.len());
            }
            gathering.put(taken);
            read.push(names[number]);
        }
        Err(error) => output::left_out(error),
    });
    if read.len() < 2 {
        let (read, all) = (read.len(), names.len());
        bail!("a comparison needs two records; {read} of {all} could be read");
    }
    let broken = read.len() < names.len();
    if let (Some(_), None, Some(name)) = (wanted, baseline, &args.baseline) {
        bail!(
            "the baseline {name} could not be read, and ratios to another would not be what was asked"
        );
    }
    spend(args, &mut gathering)?;
    let baseline = baseline.unwrap_or_else(|| gathering.natural_baseline());
    let comparison = gathering.finish(baseline);
    // Prices are in the whole report.
    let whole = !args.price.is_empty() || !args.watts.is_empty();
    let short = !whole && output::is_short(&args.output, &args.screen);
    let pair = (read.len() == 2 && !broken).then(|| {
        let baseline = comparison.baseline;
        [read[1 - baseline], read[baseline]]
    });
    // One published figure says which is faster at one thing, and not why.
    let published = comparison.sides.iter().all(|side| side.foreign());
    let few = comparison.headlines.len() <= usize::from(published);
    let pair = pair.filter(|_| short && few);
    // A file holds one of the two.
    let machines = pair.filter(|_| args.output.file.is_none() || comparison.beside.is_empty());
    let beside = machines.and_then(|pair| diagnose::beside(pair, &args.output, &comparison).ok());
    let beside = beside.unwrap_or(0);
    // Figures of both that are unlike have their reasons in the comparison.
    if beside > 0 && !comparison.comparable() && comparison.not_compared.is_empty() {
        say(
            "cpulens: nothing can be compared: no figure is in both records; above is what differs",
        );
    } else if beside > 0 && comparison.comparable() && comparison.beside.is_empty() {
        say(
            "cpulens: no figure says which is faster; above is what differs, and --full has what both records state",
        );
    } else {
        if beside > 0 {
            output::write(&args.output, |out| writeln!(out))?;
        }
        let screen = (!whole).then_some(&args.screen);
        // The next commands stand above.
        let (names, above) = if beside > 0 { (&[][..], beside + 1) } else { (&read[..], 0) };
        output::comparison(&args.output, screen, &comparison, names, above)?;
    }
    let exit = if broken { Exit::CouldNot } else { verdict(&comparison, args.strict) };
    // The program ends: half a million values need not be given back one by one.
    mem::forget(comparison);
    Ok(exit)
}

/// The newest record but one.
fn before_newest(own: &[PathBuf]) -> Result<String> {
    let before =
        own.iter().nth_back(1).context("a comparison needs two records: cpulens run makes one")?;
    Ok(before.display().to_string())
}

/// Earlier records of these machines in the folder, the newest [`EARLIER`] of them. `own` are the records of the user's folder, if it
/// was read.
fn earlier(
    args: &arguments::Compare,
    compared: &[String],
    own: &[PathBuf],
    workers: usize,
) -> Result<Earlier> {
    let mut earlier = Earlier::default();
    let few = compared.len() <= COMPARED;
    let compared: Vec<PathBuf> =
        compared.iter().filter_map(|file| Path::new(file).canonicalize().ok()).collect();
    let own_folder = || {
        let own = files::records()?.canonicalize().ok()?;
        compared.iter().any(|file| file.parent() == Some(&own)).then_some(own)
    };
    // Of a fleet the records themselves say how it varies.
    let own_folder = || own_folder().filter(|_| few);
    let Some(folder) = args.earlier.clone().or_else(own_folder) else { return Ok(earlier) };
    let all = match args.earlier.is_none() && !own.is_empty() {
        true => own.to_vec(),
        false => {
            let entries = fs::read_dir(&folder);
            let cannot = || format!("cannot look into {}", folder.display());
            files::records_among(entries.with_context(cannot)?)
        }
    };
    let is_other = |file: &PathBuf| file.canonicalize().is_ok_and(|real| !compared.contains(&real));
    let others = all.into_iter().filter(is_other);
    let others: Vec<String> = others.map(|file| file.display().to_string()).collect();
    let newest: Vec<&String> = others.iter().rev().take(EARLIER).collect();
    let take = |reader: &mut Reader, name: &str| {
        let record = files::read(Path::new(name))?;
        Ok(reader.extractor.take(name, &record, false))
    };
    let mut taken = vec![];
    each(workers, &newest, take, |_, one| match one {
        Ok(one) => taken.push(one),
        Err(error) => output::left_out(error),
    });
    taken.order_by(|a: &Extract, b| a.started.cmp(&b.started));
    taken.iter().for_each(|one| earlier.put(one));
    Ok(earlier)
}

/// Buffers that a reading thread keeps from record to record.
#[derive(Default)]
struct Reader {
    extractor: Extractor,
    bytes: Vec<u8>,
}

/// Adds prices and power of the machines; an unknown name is an error.
fn spend(args: &arguments::Compare, gathering: &mut Gathering) -> Result<()> {
    let price = args.price.iter().map(|(of, x)| (of, Spent { price: Some(*x), watts: None }));
    let watts = args.watts.iter().map(|(of, x)| (of, Spent { price: None, watts: Some(*x) }));
    for (of, spent) in price.chain(watts) {
        if !gathering.spends(of, spent) && !gathering.spends(&short(of), spent) {
            bail!("{of} is none of the records: name one as on the command line");
        }
    }
    Ok(())
}

/// The exit code. Nothing comparable is a failure. A failed environment check outweighs differences, which may follow from it.
fn verdict(of: &Comparison, strict: bool) -> Exit {
    let failed = of.sides.iter().map(|side| side.environment).find(|e| *e == Environment::Fail);
    match of.comparable() {
        true => {
            let environment = failed.unwrap_or(Environment::Pass);
            Exit::analysed(strict, environment, of.others().any(|side| of.differs(side)))
        }
        false => Exit::CouldNot,
    }
}

/// Reads the records in their order, on as many threads as there are CPUs, few ahead of the one that is looked at. The samples
/// of a record are freed before the next is read.
fn each(
    workers: usize,
    names: &[&String],
    take: impl Fn(&mut Reader, &str) -> Result<Extract> + Sync,
    mut look: impl FnMut(usize, Result<Extract>),
) {
    thread::scope(|scope| {
        let take = &take;
        let readers: Vec<Receiver<Result<Extract>>> = (0..workers)
            .map(|worker| {
                let (give, taken) = sync_channel(AHEAD);
                scope.spawn(move || {
                    let mut reader = Reader::default();
                    for name in names.iter().skip(worker).step_by(workers) {
                        if give.send(take(&mut reader, name)).is_err() {
                            break;
                        }
                    }
                });
                taken
            })
            .collect();
        for number in 0..names.len() {
            match readers[number % workers].recv() {
                Ok(loaded) => look(number, loaded),
                Err(_) => {
                    look(number, Err(anyhow::anyhow!("{}: reading it broke off", names[number])))
                }
            }
        }
    });
}
