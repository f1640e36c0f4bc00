//! `run`: the whole path.
use crate::{commands::visit, exit::Exit, identity, live, output, progress::Progress};
use analyse::{Report, diagnosis::diagnosis};
use anyhow::{Context, Result, anyhow, bail};
use filesystem::directory::refuse_exchangeable_file;
use host::{
    clock::{self, Monotonic},
    cpus, signals,
};
use measure::{
    plan::{self, Selection},
    probe::{Depth, Probe, ProbeOptions, Setting},
    run::{End, Observer, RunContext, execute},
    time_left::TimeLeft,
};
use probes::probes::{ALL, verify};
use record::{CpuSet, Judgement, Machine, Outcome, ProbeId, Provenance, Record, Run};
use render::{quantity, renderers::jsonl};
use std::{
    env, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use storage::{files, named, say, store::Store};

pub(crate) fn run(args: &arguments::Run) -> Result<Exit> {
    let mut options = ProbeOptions::default();
    if args.verify {
        options.set(verify::VerifyOption);
    }
    measure(args, Request { options, required: false })
}

/// Additions to the options of `run` by a command with probes of its own.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) options: ProbeOptions,
    /// Whether the command fails if one of its probes cannot run.
    pub(crate) required: bool,
}

/// The path of `run`, for any command that measures.
pub(crate) fn measure(args: &arguments::Run, request: Request) -> Result<Exit> {
    if let Some(name) = &args.resume {
        return resume(&args.measuring, name, |_| true, "cases");
    }
    let Selection { only, skip } = &args.selection;
    if !only.is_empty() && only.iter().all(|id| skip.contains(id)) {
        bail!("--skip leaves nothing of --only {}", only.join(","));
    }
    let machine = inventory(&args.measuring, args.cpus.as_ref())?;
    let cpus = selected(args, &machine)?;
    let (depth, options, probe_options) = (args.depth, args.options.clone(), request.options);
    let setting = Setting { machine: &machine, cpus, depth, options, probe_options };
    let runs = plan::plan(ALL, &setting, &args.selection).map_err(|unknown| near(&unknown))?;
    let refused = |run: &Run| match &run.outcome {
        Outcome::Skipped(why)
            if request.required && only.iter().any(|id| run.case.probe == id.as_str()) =>
        {
            Some(why.to_string())
        }
        _ => None,
    };
    if let Some(why) = runs.iter().find_map(refused) {
        bail!("{why}");
    }
    let measuring = &args.measuring;
    let provenance = provenance(depth, measuring.seed, measuring.identity.name.clone());
    let mut record = Record::new(provenance, machine, runs);
    if args.measuring.dry_run {
        let seconds = plan::seconds_left(&record.runs);
        let document = sections::plan::document(&record, args.measuring.time_budget, seconds);
        output::document(&args.measuring.output, &document)?;
        return Ok(Exit::Done);
    }
    identity::identify(&mut record.machine, &args.measuring.identity)?;
    output::check_plan(&args.measuring.output, &record.runs)?;
    if args.measuring.output.file.is_some() && args.measuring.output.file == args.measuring.record {
        bail!("-o and --record name the same file; the report would replace the record");
    }
    let store = Store::open(args.measuring.record.as_deref(), args.measuring.force, &record)?;
    measure_all(&args.measuring, &mut record, store)
}

/// An unknown probe with those that were probably meant.
fn near(unknown: &plan::Unknown) -> anyhow::Error {
    if let plan::Unknown::Probe(name, _) = unknown {
        let near = catalogue::nearest(name, plan::entries(ALL).iter().map(|(id, _)| *id));
        if !near.is_empty() {
            let near = near.join(" or ");
            return anyhow!(
                "there is no probe '{name}'; did you mean {near}? cpulens list shows all"
            );
        }
    }
    anyhow!("{unknown}")
}

/// Goes on with a record of the wanted kind that has cases left, which are called `what`.
pub(crate) fn resume(
    args: &arguments::Measuring,
    name: &str,
    wanted: impl Fn(&Record) -> bool,
    what: &str,
) -> Result<Exit> {
    let last = || files::newest_unfinished(&wanted);
    let file = if name == "last" { last()? } else { PathBuf::from(name) };
    refuse_foreign(&file)?;
    let store = Store::resume(&file)?;
    let mut record = files::read(&file)?;
    let planned: CpuSet = record.runs.iter().flat_map(|r| r.case.place.cpus.iter()).collect();
    let machine = inventory(args, Some(&planned))?;
    let shown = file.display();
    if !wanted(&record) {
        bail!("{shown} has no {what}; go on with it by: cpulens run --resume {shown}");
    }
    if !record.runs.iter().any(|r| r.outstanding() > 0.0) {
        bail!("{shown} is complete; there is nothing to resume");
    }
    for fact in ["cpu.model", "kernel.arch"] {
        if record.machine.value(fact) != machine.value(fact) {
            bail!("{shown} was begun on another machine ({fact} differs); resume it there");
        }
    }
    if !planned.is_subset(&machine.topology.usable()) {
        bail!(
            "{shown} was planned for CPUs {planned}, of which only {} may be used now",
            machine.topology.usable()
        );
    }
    if record.provenance.kernels.as_deref() != Some(kernels::SOURCE_HASH) {
        bail!(
            "{shown} was begun by a cpulens with other kernels; resume it with that one, or start a new run"
        );
    }
    output::check_plan(&args.output, &record.runs)?;
    record.provenance.resumed += 1;
    record.judgement = None;
    measure_all(args, &mut record, store)
}

/// Refuses, as root, a record in which another account may have put commands.
fn refuse_foreign(file: &Path) -> Result<()> {
    let shown = file.display();
    match refuse_exchangeable_file(file) {
        Err(why) if why.kind() == io::ErrorKind::PermissionDenied => bail!(
            "--resume {shown} would run the commands in it as root: {why}, such as a copy that you have read"
        ),
        judged => judged.with_context(|| format!("cannot open '{shown}'")),
    }
}

/// Measures what is not reached yet, and saves after each case.
pub(crate) fn observe(
    record: &mut Record,
    store: Store,
    (cancel, budget, patience): (&'static AtomicBool, Option<f64>, f64),
    progress: Progress,
    lines: bool,
) -> (End, Store) {
    let clock = Monotonic::new();
    let depth = record.provenance.depth.as_deref().and_then(Depth::named).unwrap_or(Depth::Quick);
    // A wait must not take the time that was meant for cases.
    let patience = budget.map_or(patience, |budget| patience.min(0.1 * budget));
    let own_process = &["/proc/self/exe", visit::NAME];
    let context =
        RunContext { probes: ALL, clock: &clock, cancel, depth, budget, patience, own_process };
    let mut watcher =
        Watcher { progress, store, cancel, announced: false, estimated: false, lines };
    let end = execute(record, &context, &mut watcher);
    watcher.tell_incomplete(record, end == End::Complete);
    watcher.progress.finish();
    (end, watcher.store)
}

/// Measures, saves, reports.
fn measure_all(args: &arguments::Measuring, record: &mut Record, store: Store) -> Result<Exit> {
    let until = (signals::on_interrupt(), args.time_budget, args.patience);
    let lines = args.output.format == "jsonl" && args.output.file.is_none();
    let progress = Progress::new(args.quiet).verbose(args.verbose);
    let (end, mut store) = observe(record, store, until, progress, lines);
    // The verdict that the user sees is kept with the observations.
    record.judgement = Some(analyse::analyse(record).get::<record::Judgement>().clone());
    store.save(record);
    let report = named::report(record);
    store.save_page(&report);
    // The record's place is printed even if the report cannot be written.
    // `last` is in the folder for records, and this one may be elsewhere.
    let is_last = |file: &Path| file.parent() == files::records().as_deref();
    let name = match (&args.record, store.file()) {
        (None, Some(file)) if record.provenance.resumed == 0 && is_last(file) => "last".to_owned(),
        (_, file) => file.as_ref().map_or("RECORD".into(), |file| file.display().to_string()),
    };
    let reported = match lines {
        true => output::line(|out| jsonl::end(&report, out)),
        false => output::report(&args.output, &args.answer, &report, &name),
    };
    store.print_places(args.quiet);
    if end == End::Interrupted {
        say(&match store.file() {
            Some(file) => {
                // `run` goes on with any record; `scale` with its own.
                let scale = record.provenance.command.get(1).is_some_and(|c| c == "scale");
                let command = if scale { "scale" } else { "run" };
                format!("Interrupted. Go on with: cpulens {command} --resume {}", file.display())
            }
            None => "Interrupted. What was measured is only in the report above.".to_owned(),
        });
        // The program ends by the signal.
        return reported.map(|()| Exit::CouldNot);
    }
    reported?;
    let measured = |r: &&Run| matches!(r.outcome, Outcome::Measured(_));
    let needed = |r: &&Run| plan::about(ALL, r).is_some_and(|about| about.needs_result);
    let mut runs = record.runs.iter().filter(needed).peekable();
    if let Some(first) = runs.peek().map(|run| &run.case.probe)
        && runs.find(measured).is_none()
    {
        bail!("no case of {first} has a result; the reasons are in the report");
    }
    // What comes along with every run is no result, unless nothing else was asked for.
    let asked = |r: &&Run| !plan::about(ALL, r).is_some_and(|about| about.always);
    let others = record.runs.iter().any(|r| asked(&r));
    if !record.runs.iter().filter(|r| asked(r) || !others).any(|r| measured(&r)) {
        bail!("nothing of what was asked for was measured; the reasons are in the report");
    }
    let wrong = |r: &Run| r.readings.iter().any(|reading| reading.name.starts_with(verify::WRONG));
    Ok(match store.trouble {
        Some(_) => Exit::NotSaved,
        None if record.runs.iter().any(wrong) => Exit::Findings,
        // Notes are no findings.
        None => {
            let findings = || !diagnosis(&report, None).findings.is_empty();
            let environment = report.get::<Judgement>().environment;
            Exit::analysed(args.strict, environment, args.strict && findings())
        }
    })
}

/// The machine, with those of these CPUs in reach that are isolated: a kernel booted with `isolcpus` leaves them out of every mask,
/// and a user who names them means them. A cpuset keeps them from us all the same.
fn inventory(args: &arguments::Measuring, named: Option<&CpuSet>) -> Result<Machine> {
    let look = || Ok(inventory::inventory(&*live::root(args.root.as_deref())?));
    let machine = look()?;
    let beyond = named.map(|named| isolated_beyond(named, &machine)).unwrap_or_default();
    if beyond.is_empty() || args.root.is_some() {
        return Ok(machine);
    }
    let all: CpuSet = machine.topology.usable().iter().chain(beyond.iter()).collect();
    match cpus::confine(0, &all) {
        Ok(()) => look(),
        Err(_) => Ok(machine),
    }
}

/// The CPUs of these that are online and isolated, and outside of this process's mask.
fn isolated_beyond(named: &CpuSet, machine: &Machine) -> CpuSet {
    let of = |id: &u32| machine.topology.cpu(*id).is_some_and(|c| c.online && c.isolated);
    named.iter().filter(of).filter(|id| !machine.topology.usable().contains(*id)).collect()
}

/// The CPUs to measure on.
fn selected(args: &arguments::Run, machine: &Machine) -> Result<CpuSet> {
    let usable = machine.topology.usable();
    let mut cpus = usable.clone();
    if let Some(asked) = &args.cpus {
        if asked.is_empty() {
            bail!("--cpus names no CPU; usable are {usable}");
        }
        let refused: CpuSet = asked.iter().filter(|id| !usable.contains(*id)).collect();
        if !refused.is_empty() {
            let why = refused.first().and_then(|id| machine.topology.cpu(id)).map_or(
                "no such CPU",
                |cpu| {
                    if cpu.online {
                        "outside this process's affinity mask or cpuset"
                    } else {
                        "offline"
                    }
                },
            );
            bail!("--cpus {asked}: {why}: {refused}; usable are {usable}");
        }
        cpus = asked.clone();
    }
    if let Some(nodes) = &args.options.nodes {
        let known: CpuSet = machine.topology.nodes.iter().map(|n| n.id).collect();
        let unknown: CpuSet = nodes.iter().filter(|n| !known.contains(*n)).collect();
        if unknown == *nodes {
            bail!("--nodes {nodes}: this machine has the nodes {known}");
        }
        if !unknown.is_empty() {
            say(&format!(
                "--nodes {nodes}: no node {unknown} here; measuring the others of {known}"
            ));
        }
        cpus = cpus
            .iter()
            .filter(|id| machine.topology.node_of(*id).is_some_and(|n| nodes.contains(n)))
            .collect();
        if cpus.is_empty() {
            bail!(
                "--nodes {nodes}: no usable CPU is on these nodes; name one with CPUs beside them (usable CPUs are {usable})"
            );
        }
    }
    if cpus.is_empty() {
        bail!(
            "no CPU may be used: the inventory found none; `cpulens info` shows what it could read"
        );
    }
    Ok(cpus)
}

/// The provenance of a record: this host, program, arguments and time.
pub(crate) fn provenance(depth: Depth, seed: u64, name: Option<String>) -> Provenance {
    Provenance {
        compiler: stated(env!("CPULENS_COMPILER")),
        target: stated(env!("CPULENS_TARGET")),
        kernels: Some(kernels::SOURCE_HASH.into()),
        command: std::iter::once("cpulens".to_owned())
            .chain(env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()))
            .collect(),
        depth: Some(depth.name().into()),
        seed,
        host: Some(host::live::host_name()),
        ..program("cpulens", name)
    }
}

/// This program, now, and the machine's name.
pub(crate) fn program(tool: &str, name: Option<String>) -> Provenance {
    Provenance {
        tool: tool.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        commit: stated(env!("CPULENS_COMMIT")),
        started: Some(clock::utc()),
        name,
        ..Provenance::default()
    }
}

/// What the build states, unless it is empty.
fn stated(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The factor on the planned time from which a run says that it takes longer: estimates hold within 20 %.
const BUSY: f64 = 1.2;

/// Draws progress and saves between cases.
struct Watcher {
    progress: Progress,
    store: Store,
    cancel: &'static AtomicBool,
    announced: bool,
    /// Whether the run time was estimated again after the environment check.
    estimated: bool,
    /// Whether standard output takes a line for each finished case.
    lines: bool,
}

impl Watcher {
    /// An interrupt is answered as soon as the case lets us, since a case may take seconds to stop.
    fn announce_interrupt(&mut self) {
        // A check is also ended by its time limit.
        let interrupted = self.cancel.load(Ordering::Relaxed) && signals::received().is_some();
        if !self.announced && interrupted {
            self.announced = true;
            self.progress.complain(
                "Stopping: this case is given up, those before it are saved; Ctrl-C again stops at once.",
            );
        }
    }
    /// Says what a case yielded.
    fn tell(&mut self, report: &Report<'_>, index: usize) {
        // Who takes no more lines does not take the last one either, which then is the error.
        self.lines = self.lines && output::line(|out| jsonl::of_run(report, index, out)).is_ok();
        self.progress.ended(&render::brief::of_run(report, index));
    }
    /// Says what the cases yielded whose later visits were not made, and how many these are where a run ended without them.
    fn tell_incomplete(&mut self, record: &Record, ended: bool) {
        let is_incomplete =
            |run: &Run| matches!(run.outcome, Outcome::Measured(_)) && run.outstanding() > 0.0;
        let all: Vec<usize> =
            (0..record.runs.len()).filter(|i| is_incomplete(&record.runs[*i])).collect();
        if all.is_empty() {
            return;
        }
        let report = analyse::analyse(record);
        all.iter().for_each(|index| self.tell(&report, *index));
        if ended {
            let cases = quantity::counted(all.len(), "case");
            self.progress.note(&format!(
                "There was no time to measure {cases} as often as planned; --resume does the rest."
            ));
        }
    }
}

impl Observer for Watcher {
    fn begins(&mut self, index: usize, record: &Record, left: TimeLeft) {
        let run = &record.runs[index];
        if !self.estimated && run.case.probe != ProbeId::Preflight {
            self.estimated = true;
            if left.run > BUSY * left.planned {
                let (least, most) = (left.planned, left.run);
                self.progress.note(&format!(
                    "The machine is busy: the run takes about {least:.0} to {most:.0} s."
                ));
            }
        }
        let probe = plan::about(ALL, run);
        let label = match (run.case.place.cpus.len(), probe) {
            // The last environment check does not wait.
            _ if run.case.probe == ProbeId::Preflight
                && run.visits.iter().all(|v| v.began.is_none()) =>
            {
                "waiting for other programs, if they are busy".into()
            }
            (0 | 1, Some(probe)) => probe.title.to_owned(),
            (cpus, Some(probe)) => format!("{cpus} CPUs, {}", probe.title),
            (_, None) => run.case.label(),
        };
        let by_others = |probe: &Probe| probe.waits || probe.own_process && !run.visits.is_empty();
        let by_others = probe.is_some_and(by_others);
        self.progress.begins(&label, left.visit, left.run, by_others);
    }
    fn progress(&mut self, share: f64) {
        self.announce_interrupt();
        self.progress.within(share);
    }
    fn ended(&mut self, index: usize, record: &Record) {
        self.announce_interrupt();
        self.store.save(record);
        let waited = record.runs[index].reading("preflight.waited").map_or(0.0, |r| r.value);
        if waited > 0.0 && record.runs[index].outstanding() > 0.0 {
            self.progress
                .note(&format!("Waited {waited:.1} s for other programs to become quiet."));
        }
        // What a case yielded is said when its last visit is done.
        if record.runs[index].outstanding() == 0.0 {
            self.tell(&analyse::analyse(record), index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Cpu;

    #[test]
    fn isolated_cpus_are_reached_by_name_only_and_others_are_not() {
        let mut machine = Machine::default();
        let cpu =
            |id, online, allowed, isolated| Cpu { id, online, allowed, isolated, ..Cpu::default() };
        machine.topology.cpus = vec![
            cpu(0, true, true, false),
            cpu(1, true, false, false),
            cpu(2, true, false, true),
            cpu(3, false, false, true),
            cpu(4, true, true, true),
        ];
        let all: CpuSet = (0..6).collect();
        assert_eq!(isolated_beyond(&all, &machine).to_string(), "2");
        assert!(isolated_beyond(&(0..2).collect(), &machine).is_empty());
    }
}
