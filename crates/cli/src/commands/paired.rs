//! `compare -- A -- B`: two commands in pairs.
use crate::{commands::rate, exit::Exit, live, output, progress::Progress};
use analyse::paired::{Pairs, Runs, paired};
use anyhow::{Result, bail};
use host::clock::{Clock, Monotonic};
use measure::paired::{CommandRun, Measured, Order, Request, measure};
use std::ffi::OsString;

pub(crate) fn compare(args: &arguments::Compare) -> Result<Exit> {
    output::check(&args.output)?;
    let of = &args.commands;
    let sides: Vec<&[OsString]> = of.commands.split(|word| word == "--").collect();
    let [a, b] = sides[..] else {
        bail!("two commands are compared, not {}: cpulens compare -- A -- B", sides.len());
    };
    if a.is_empty() || b.is_empty() {
        bail!("a command is missing: cpulens compare -- A -- B");
    }
    let machine = inventory::inventory(&*live::root(None)?);
    let order = match of.order {
        arguments::Order::Auto => None,
        arguments::Order::Turn => Some(Order::InTurn),
        arguments::Order::Together => match measure::paired::chosen(&machine.topology, 1.0) {
            (order @ Order::Together(_), _) => Some(order),
            (Order::InTurn, why) => bail!("--order together: {why}"),
        },
    };
    let rate = |words| rate::chosen(of.rate_regex.as_deref(), None, words);
    let rates = [rate(a)?, rate(b)?];
    if rates[0] != rates[1] {
        bail!("A and B do not print one rate: --rate-regex for both, or A and B of one program");
    }
    let clock = Monotonic::new();
    let request = Request {
        commands: [a.to_vec(), b.to_vec()],
        rates,
        order,
        least: of.difference / 100.0,
        budget: of.budget,
        // A pair of longer runs is not done in the budget.
        limit: of.timeout.or(Some(of.budget)),
        end_children: of.end_children,
        seed: u64::from(std::process::id()),
    };
    let mut progress = Progress::new(of.quiet);
    let began = clock.now();
    let measured = measure(&machine.topology, &request, &clock, |pairs| {
        let left = (of.budget - (clock.now() - began)).max(0.0);
        progress.begins(&format!("pair {}", pairs + 1), left, left, true);
    });
    progress.finish();
    let measured = match measured {
        Ok(measured) => measured,
        Err(why) => return Ok(Exit::refused(&why)),
    };
    let failed = measured.failed.clone();
    let answer = answer(&request, measured);
    output::document(&args.output, &sections::paired::document(&answer))?;
    if let Some(why) = failed {
        return Ok(Exit::refused(&why));
    }
    Ok(if args.strict && answer.decision == "differs" { Exit::Findings } else { Exit::Done })
}

fn answer(request: &Request, measured: Measured) -> analyse::paired::Paired {
    let places = match measured.order {
        Order::Together(places) => Some(places),
        Order::InTurn => None,
    };
    let pairs = Pairs {
        measure: measured.measure.name(),
        differences: measured.differences,
        places,
        because: measured.because,
        least: request.least,
        took: measured.took,
        interrupted: measured.interrupted,
        failed: measured.failed.map(|failed| failed.why.why),
    };
    let [a, b] = measured.runs;
    paired([runs(request, 0, &a), runs(request, 1, &b)], &pairs)
}

fn runs(request: &Request, side: usize, all: &[CommandRun]) -> Runs {
    let of = |value: fn(&CommandRun) -> f64| all.iter().map(value).collect();
    let counted = |value: fn([f64; 2]) -> f64| {
        all.iter().filter_map(|one| one.counts.map(value)).collect::<Vec<f64>>()
    };
    let words: Vec<_> = request.commands[side].iter().map(|w| w.to_string_lossy()).collect();
    Runs {
        command: words.join(" "),
        elapsed: of(|one| one.elapsed),
        rate: if request.rates[side].is_printed() { of(|one| one.rate) } else { vec![] },
        cpu: of(|one| one.used.cpu_seconds),
        resident: of(|one| one.used.max_rss_bytes as f64),
        preempted: of(|one| one.used.ctx_involuntary as f64),
        ipc: counted(|[instructions, cycles]| instructions / cycles),
        instructions: counted(|[instructions, _]| instructions),
    }
}
