//! A counted run of a program as text and as JSON. Every line of the text says of whom it speaks.
use crate::page::hostile;
use crate::quantity::{many, percent, plain};
use analyse::program::{Identity, Program, Whom};
use record::{Reason, Unit, param};
use serde_json::{Value, json};
use std::fmt::Write;

/// Version of the JSON document.
const STAT: u32 = 1;

/// Columns of the name and of the value.
const NAME: usize = 34;
const VALUE: usize = 14;

/// The lines of a report, of one width.
struct Lines(String);

impl Lines {
    fn line(&mut self, name: &str, value: &str, of: &str, note: &str) {
        let note = if note.is_empty() { String::new() } else { format!("; {note}") };
        let line = format!("  {name:NAME$} {value:>VALUE$}   [{of}]{note}");
        self.0 += line.trim_end();
        self.0.push('\n');
    }
    fn absent(&mut self, name: &str, of: &str, why: &Reason) {
        self.line(name, "n/a", of, &why.why);
        if let Some(remedy) = &why.remedy {
            self.0 += &format!("  {:NAME$} {:>VALUE$}   to get it: {remedy}\n", "", "");
        }
    }
}

/// Of whom a line speaks, in a word or two.
fn tag(program: &Program<'_>) -> String {
    match program.whom {
        Whom::Command => "command".into(),
        Whom::Process => program.scope.split(',').next().unwrap_or("process").to_owned(),
        Whom::Cpus => format!("system-wide, CPUs {}", program.run.case.place.cpus),
    }
}

/// The report as text.
pub fn text(program: &Program<'_>) -> String {
    let run = program.run;
    let tag = tag(program);
    let mut lines = Lines(String::new());
    let what = run.case.get(param::COMMAND).unwrap_or(program.scope);
    let how = run.case.get(param::STATUS).map_or(String::new(), |status| format!(": {status}"));
    let _ = writeln!(lines.0, "cpulens stat: {}{how}", plainly(what));
    let _ = writeln!(
        lines.0,
        "Counted: {}; {} mode{}\n",
        program.scope,
        run.case.get(param::MODE).unwrap_or("user"),
        // Where nothing could be counted the processor's events are none of this report's.
        match (&program.counted, run.case.get(param::FAMILY)) {
            (Err(_), _) => String::new(),
            (Ok(_), family) => format!("; events: {}", family.unwrap_or("unknown")),
        }
    );
    lines.line("elapsed", &plain(program.elapsed, Unit::Seconds), &tag, "");
    times(program, &mut lines, &tag);
    counted(program, &mut lines, &tag);
    for hertz in program.frequency_beside.iter().take(1) {
        let note = "the core frequency just before, beside the program";
        lines.line("measured frequency", &plain(*hertz, Unit::Hertz), "machine", note);
    }
    slots(program, &mut lines, &tag);
    rates(program, &mut lines, &tag);
    others(program, &mut lines);
    let estimated = if program.limiter.estimated { " (costs of events are assumed)" } else { "" };
    let _ = writeln!(lines.0, "\n  Limited by: {}{estimated}   [{tag}]", program.limiter.limiter);
    for said in &program.limiter.evidence {
        let _ = writeln!(lines.0, "    - {said}");
    }
    lines.0
}

/// A command line may hold anything; hostile characters become visible marks.
fn plainly(text: &str) -> String {
    text.chars().map(|c| if hostile(c) { '\u{fffd}' } else { c }).collect()
}

fn value(program: &Program<'_>, name: &str) -> Option<(f64, f64)> {
    let reading = program.run.reading(name)?;
    Some((reading.value, reading.coverage))
}

fn times(program: &Program<'_>, lines: &mut Lines, tag: &str) {
    match &program.cpu {
        Err(why) => lines.absent("CPU time", tag, why),
        Ok(cpu) => {
            let seconds = |s: f64| plain(s, Unit::Seconds);
            let note = cpu.system.map_or(String::new(), |system| {
                format!(
                    "{} in the program, {} in the kernel",
                    seconds(cpu.all - system),
                    seconds(system)
                )
            });
            lines.line("CPU time", &seconds(cpu.all), tag, &note);
        }
    }
    let used = program.cpus().map(|cpus| plain(cpus, Unit::Count));
    used.iter().for_each(|cpus| lines.line("CPUs used", cpus, tag, ""));
    if let Some((waited, share)) = value(program, "program.waited") {
        let note = format!("ready to run, without a CPU; of {} of its CPU time", percent(share));
        let of = if program.whom == Whom::Command { "first thread" } else { tag };
        lines.line("run-queue delay", &plain(waited, Unit::Seconds), of, &note);
    }
}

fn counted(program: &Program<'_>, lines: &mut Lines, tag: &str) {
    let system_wide = program.whom == Whom::Cpus;
    let ipc = if system_wide { "instructions per cycle of all" } else { "IPC" };
    let counted = match &program.counted {
        Err(why) => {
            lines.absent(ipc, tag, why);
            return lines.line("cycles, instructions", "n/a", tag, "for the same reason");
        }
        Ok(counted) => counted,
    };
    let share = if counted.share < 0.995 {
        format!("; counted for {} of the time, scaled", percent(counted.share))
    } else {
        String::new()
    };
    let of = if program.user_only { "user time" } else { "CPU time" };
    let frequency = plain(counted.frequency(), Unit::Hertz);
    let cpu = plain(counted.cpu, Unit::Seconds);
    lines.line(
        "frequency",
        &frequency,
        tag,
        &format!("{} cycles in {cpu} of {of}{share}", many(counted.cycles)),
    );
    let note = format!("{} instructions", many(counted.instructions));
    lines.line(ipc, &format!("{:.2}", counted.ipc()), tag, &note);
    if let (Some(cpus), false, false) = (program.cpus(), system_wide, program.user_only) {
        let sum = format!(
            "instructions / (frequency x IPC) / CPUs = {} / ({frequency} x {:.2}) / {}",
            many(counted.instructions),
            counted.ipc(),
            plain(cpus, Unit::Count)
        );
        let time = counted.instructions / (counted.frequency() * counted.ipc()) / cpus;
        lines.line("run time", &plain(time, Unit::Seconds), tag, &sum);
    }
}

fn slots(program: &Program<'_>, lines: &mut Lines, tag: &str) {
    let Some(slots) = &program.slots else { return };
    for (name, share) in [
        ("slots retiring", Some(slots.retiring)),
        ("  of these, heavy or microcoded", slots.heavy),
        ("slots lost to bad speculation", Some(slots.bad_speculation)),
        ("  of these, mispredicted branches", slots.mispredicted),
        ("slots empty for the front end", Some(slots.frontend)),
        ("  of these, nothing delivered", slots.latency),
        ("slots empty for the back end", Some(slots.backend)),
        ("  of these, for memory", slots.memory),
    ] {
        share.iter().for_each(|share| lines.line(name, &percent(*share), tag, ""));
    }
}

fn rates(program: &Program<'_>, lines: &mut Lines, tag: &str) {
    for rate in &program.rates {
        let value = match rate.unit {
            Unit::Ratio => percent(rate.value),
            _ if rate.of == "per second" => many(rate.value) + "/s",
            _ => many(rate.value),
        };
        let count = program.run.reading(&rate.event).filter(|_| rate.of == "per second");
        let count = count.map(|reading| format!("{:.0} in all", reading.value));
        let of = count.as_deref().unwrap_or(rate.of);
        let share = if rate.share < 0.995 {
            format!(", counted for {} of the time, scaled", percent(rate.share))
        } else {
            String::new()
        };
        lines.line(rate.name, &value, tag, &format!("{of}{share}"));
    }
}

fn others(program: &Program<'_>, lines: &mut Lines) {
    for (name, reading) in [
        ("stolen by the hypervisor", "machine.steal"),
        ("other programs' CPU time", "machine.others"),
        ("busy", "machine.busy"),
    ] {
        let Some((share, _)) = value(program, reading) else { continue };
        lines.line(name, &percent(share), "machine", "of all CPUs' time");
    }
    if let (Some((hard, _)), Some((soft, _))) =
        (value(program, "machine.interrupts"), value(program, "machine.softirqs"))
    {
        let note = format!("and {} deferred", many(soft));
        lines.line("interrupts", &many(hard), "machine", &note);
    }
    if let Some((count, _)) = value(program, "program.still_running").filter(|(n, _)| *n > 0.0) {
        let names = program.run.case.get(param::STILL_RUNNING).unwrap_or_default();
        let note = format!("{names}; --end-children ends them");
        lines.line("background processes that still run", &many(count), "command", &note);
    }
    for (reading, what) in [
        ("program.left_behind", "processes it left behind, ended by us"),
        ("program.unkillable", "processes that hang in the kernel and could not be ended"),
    ] {
        let left = value(program, reading).filter(|(count, _)| *count > 0.0);
        left.iter().for_each(|(count, _)| lines.line(what, &many(*count), "command", ""));
    }
    if value(program, "program.timed_out").is_some_and(|(yes, _)| yes > 0.0) {
        lines.line("time limit", "reached", "command", "it was ended by us");
    }
}

/// The report as a JSON document: the observation as a record has it, and what follows from it.
pub fn document(program: &Program<'_>) -> String {
    let reason = |why: &Reason| json!({ "why": why.why, "remedy": why.remedy });
    let quantity = |value: f64, unit: Unit| json!({ "value": value, "unit": unit });
    let identity = match &program.identity {
        Identity::Holds(frequency) => json!({ "holds": quantity(*frequency, Unit::Hertz) }),
        Identity::Impossible(why) => json!({ "impossible": why }),
        Identity::Unknown(why) => json!({ "unknown": reason(why) }),
    };
    let counted = match &program.counted {
        Err(why) => json!({ "unknown": reason(why) }),
        Ok(counted) => {
            // Of CPUs there is no IPC of a program.
            let name =
                if program.whom == Whom::Cpus { "instructions_per_cycle_of_all" } else { "ipc" };
            let mut object = json!({
                "cycles": quantity(counted.cycles, Unit::Cycles),
                "instructions": quantity(counted.instructions, Unit::Count),
                "coverage": counted.share,
                "frequency": quantity(counted.frequency(), Unit::Hertz),
            });
            object[name] = quantity(counted.ipc(), Unit::PerCycle);
            object
        }
    };
    let slots = program.slots.map(|slots| {
        json!({
            "retiring": slots.retiring,
            "bad_speculation": slots.bad_speculation,
            "frontend": slots.frontend,
            "backend": slots.backend,
            "memory": slots.memory,
            "heavy": slots.heavy,
            "mispredicted": slots.mispredicted,
            "latency": slots.latency,
        })
    });
    let rates: Vec<Value> = program
        .rates
        .iter()
        .map(|rate| {
            json!({
                "name": rate.name,
                "value": rate.value,
                "count": program.run.reading(&rate.event).map(|reading| reading.value),
                "of": rate.of,
                "unit": rate.unit,
                "event": rate.event,
                "coverage": rate.share,
            })
        })
        .collect();
    let whom = match program.whom {
        Whom::Command => "command",
        Whom::Process => "process",
        Whom::Cpus => "system-wide",
    };
    let cpu = match &program.cpu {
        Ok(cpu) => json!({
            "all": quantity(cpu.all, Unit::Seconds),
            "system": cpu.system.map(|system| quantity(system, Unit::Seconds)),
        }),
        Err(why) => json!({ "unknown": reason(why) }),
    };
    let document = json!({
        "stat": STAT,
        "scope": { "whom": whom, "words": program.scope, "user_only": program.user_only },
        "elapsed": quantity(program.elapsed, Unit::Seconds),
        "cpu": cpu,
        "cpus": program.cpus(),
        "counted": counted,
        "identity": identity,
        "slots": slots,
        "rates": rates,
        "limiter": {
            "name": program.limiter.limiter.to_string(),
            "evidence": program.limiter.evidence,
            "estimated": program.limiter.estimated,
        },
        "run": program.run,
    });
    format!("{document:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Better, Case, Machine, Metric, Outcome, Placement, Reading, Run, Series};

    fn counted(whom: &str) -> Run {
        let mut elapsed = Series::new(Metric::Elapsed, Unit::Seconds, Better::Lower);
        elapsed.samples.push(2.0);
        let place = Placement { cpus: "0".parse().unwrap(), ..Placement::default() };
        let params = [("whom", whom), ("scope", "unknown"), ("command", "a\u{1b}\u{202e}b")];
        let params = params.map(|(name, value)| (name.to_owned(), value.into())).into();
        let reading = |(name, value): (&str, f64)| Reading {
            name: name.into(),
            unit: Unit::Count,
            value,
            coverage: 0.5,
        };
        let readings = [
            ("counters.cycles", 2e9),
            ("counters.instructions", 3e9),
            ("program.cpu", 2.0),
            ("machine.busy", 1.0),
        ];
        Run {
            case: Case { probe: "stat".into(), version: 1, params, place, estimate: 0.0 },
            outcome: Outcome::Measured(vec![elapsed]),
            threads: vec![],
            readings: readings.map(reading).into(),
            unread: Default::default(),
            began: 0.0,
            took: 2.0,
            origin: None,
            visits: vec![],
        }
    }

    fn both(whom: &str) -> (String, Value) {
        let run = counted(whom);
        let machine = Machine::default();
        let program = analyse::program::program(&run, &machine).unwrap();
        (text(&program), serde_json::from_str(&document(&program)).unwrap())
    }

    /// Counted half of the time: 4 G cycles and 6 G instructions in 2 s.
    #[test]
    fn a_program_has_an_ipc_and_a_sum_and_says_that_it_was_scaled() {
        let (text, json) = both("command");
        assert!(text.contains("IPC") && text.contains("1.50"), "{text}");
        assert!(text.contains("6 G / (2 GHz x 1.50) / 1"), "{text}");
        assert!(text.contains("counted for 50 % of the time, scaled"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        assert_eq!(json["counted"]["ipc"]["value"], 1.5);
        assert_eq!(json["counted"]["coverage"], 0.5);
    }

    #[test]
    fn what_was_counted_system_wide_is_never_called_a_programs_ipc() {
        let (text, json) = both("cpus");
        assert!(!text.contains("  IPC") && !text.contains("x IPC"), "{text}");
        assert!(text.contains("instructions per cycle of all"), "{text}");
        assert!(text.contains("[system-wide, CPUs 0]") && text.contains("cannot tell"), "{text}");
        assert_eq!(json["counted"]["ipc"], Value::Null);
        assert_eq!(json["scope"]["whom"], "system-wide");
    }
}
