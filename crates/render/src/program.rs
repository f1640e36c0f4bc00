//! A counted run of a program as text and as JSON. Every line of the text says of target it speaks.
use crate::quantity::{factor, many, percent, plain};
use crate::summary::indented;
use analyse::program::{Asked, Program, Target};
pub use csv::csv;
pub use intervals::{Interval, Intervals};
pub use json::document;
use messages::Lang;
use messages::prose::in_language;
use record::{Reason, Unit, param, visible};
pub use repeated::repeated;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

mod csv;
mod intervals;
mod json;
mod repeated;

/// Columns of the name and of the value.
const NAME: usize = 34;
const VALUE: usize = 14;

/// The lines of a report in a language, of at most so many columns.
struct Lines {
    text: String,
    lang: Lang,
    width: usize,
}

impl Lines {
    fn said(&self, english: &str) -> String {
        in_language(self.lang, english)
    }
    fn line(&mut self, name: &str, value: &str, of: &str, note: &str) {
        let [indent, name] = name.split_at(name.len() - name.trim_start().len()).into();
        let name = format!("{indent}{}", self.said(name));
        let note = if note.is_empty() { String::new() } else { self.said(note) };
        let gap = " ".repeat(NAME.saturating_sub(name.width()));
        let (value, of) = (self.said(value), self.said(of));
        let line = format!("  {name}{gap} {value:>VALUE$}   [{of}]");
        let whole = format!("{line}; {note}");
        if note.is_empty() || whole.width() > self.width {
            self.text += &format!("{}\n", line.trim_end());
            self.below(&note, 4);
        } else {
            self.text += &format!("{whole}\n");
        }
    }
    /// Adds text that has no room beside a figure, on lines of its own.
    fn below(&mut self, said: &str, indent: usize) {
        if !said.is_empty() {
            let lines = indented(said, indent, self.width);
            lines.iter().for_each(|line| self.text += &format!("{line}\n"));
        }
    }
    fn absent(&mut self, name: &str, of: &str, why: &Reason) {
        self.line(name, "n/a", of, &why.why);
        if let Some(remedy) = &why.remedy {
            let remedy = self.said(&format!("to get it: {remedy}"));
            self.below(&remedy, 4);
        }
    }
}

/// The target of the counters, in a word or two.
fn tag(program: &Program<'_>) -> String {
    match program.target {
        Target::Command => "command".into(),
        Target::Process => program.scope.split(',').next().unwrap_or("process").to_owned(),
        Target::Cpus => format!("system-wide, CPUs {}", program.run.case.place.cpus),
    }
}

/// The report as text of at most so many columns; the command alone may be wider.
pub fn text(program: &Program<'_>, lang: Lang, width: usize) -> String {
    let run = program.run;
    let tag = tag(program);
    let mut lines = Lines { text: String::new(), lang, width };
    let what = run.case.get(param::COMMAND).unwrap_or(program.scope);
    let status = run.case.get(param::STATUS);
    let how = status.map_or(String::new(), |status| format!(": {}", lines.said(status)));
    let _ = writeln!(lines.text, "cpulens stat: {what}{how}");
    let scope = format!(
        "Counted: {}; {} mode{}",
        program.scope,
        run.case.get(param::MODE).unwrap_or("user"),
        // Where nothing could be counted the processor's events are none of this report's.
        match (&program.counted, run.case.get(param::FAMILY)) {
            (Err(_), _) => String::new(),
            (Ok(_), family) => format!("; events: {}", family.unwrap_or("unknown")),
        }
    );
    lines.text += &format!("{}\n\n", lines.said(&scope));
    lines.line("elapsed", &plain(program.elapsed, Unit::Seconds), &tag, "");
    times(program, &mut lines, &tag);
    counted(program, &mut lines, &tag);
    for hertz in program.frequency_beside.iter().take(1) {
        let note = "the core frequency just before, beside the program";
        lines.line("measured frequency", &plain(*hertz, Unit::Hertz), "machine", note);
    }
    slots(program, &mut lines, &tag);
    rates(program, &mut lines, &tag);
    asked(program, &mut lines, &tag);
    others(program, &mut lines);
    let estimated = if program.limiter.estimated { " (costs of events are assumed)" } else { "" };
    let limited = lines.said(&format!("Limited by: {}{estimated}", program.limiter.limiter.name()));
    let _ = writeln!(lines.text, "\n  {limited}   [{}]", in_language(lang, &tag));
    for said in &program.limiter.evidence {
        lines.below(&format!("- {}", in_language(lang, said)), 4);
    }
    // Commands and names of processes may hold anything.
    visible(&lines.text)
}

/// Where an event was counted for a part of the time, that part.
fn scaled(share: f64) -> Option<String> {
    (share < 0.995).then(|| format!("counted for {} of the time, scaled", percent(share)))
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
                let (own, system) = (seconds(cpu.all - system), seconds(system));
                format!("{own} in the program, {system} in the kernel")
            });
            lines.line("CPU time", &seconds(cpu.all), tag, &note);
        }
    }
    let used = program.cpus().map(|cpus| plain(cpus, Unit::Count));
    used.iter().for_each(|cpus| lines.line("CPUs used", cpus, tag, ""));
    if let Some((waited, share)) = value(program, "program.waited") {
        let note =
            format!("ready to run, waiting for a CPU; covers {} of the CPU time", percent(share));
        let of = if program.target == Target::Command { "first thread" } else { tag };
        lines.line("run-queue delay", &plain(waited, Unit::Seconds), of, &note);
    }
}

fn counted(program: &Program<'_>, lines: &mut Lines, tag: &str) {
    let system_wide = program.target == Target::Cpus;
    let ipc = if system_wide { "instructions per cycle of all" } else { "IPC" };
    let counted = match &program.counted {
        Err(why) => {
            lines.absent(ipc, tag, why);
            return lines.line("cycles, instructions", "n/a", tag, "for the same reason");
        }
        Ok(counted) => counted,
    };
    let share = scaled(counted.share).map_or(String::new(), |scaled| format!("; {scaled}"));
    let of = if program.user_only { "user time" } else { "CPU time" };
    let frequency = plain(counted.frequency(), Unit::Hertz);
    let cpu = plain(counted.cpu, Unit::Seconds);
    let note = format!("{} cycles in {cpu} of {of}{share}", many(counted.cycles));
    lines.line("frequency", &frequency, tag, &note);
    let note = format!("{} instructions", many(counted.instructions));
    lines.line(ipc, &factor(counted.ipc()), tag, &note);
    if let (Some(cpus), false, false) = (program.cpus(), system_wide, program.user_only) {
        let sum = format!(
            "instructions / (frequency x IPC) / CPUs = {} / ({frequency} x {}) / {}",
            many(counted.instructions),
            factor(counted.ipc()),
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
        let share = scaled(rate.share).map_or(String::new(), |scaled| format!(", {scaled}"));
        lines.line(rate.name, &value, tag, &format!("{of}{share}"));
    }
}

/// Events that were asked for by name.
fn asked(program: &Program<'_>, lines: &mut Lines, tag: &str) {
    let mut said = program.counted.as_ref().err().map(|why| why.why.clone());
    for Asked { event: name, count } in program.asked() {
        match count {
            Ok((count, share)) => {
                lines.line(name, &many(count), tag, &scaled(share).unwrap_or_default());
            }
            Err(why) if said.as_ref() == Some(&why.why) => {
                lines.line(name, "n/a", tag, "for the same reason");
            }
            Err(why) => {
                lines.absent(name, tag, &why);
                said = Some(why.why);
            }
        }
    }
}

fn others(program: &Program<'_>, lines: &mut Lines) {
    for (name, reading) in [
        ("steal time", "machine.steal"),
        ("other programs' CPU time", "machine.others"),
        ("busy", "machine.busy"),
    ] {
        let Some((share, _)) = value(program, reading) else { continue };
        lines.line(name, &percent(share), "machine", "of all CPUs' time");
    }
    if let (Some((hard, _)), Some((soft, _))) =
        (value(program, "machine.interrupts"), value(program, "machine.softirqs"))
    {
        let note = format!("and {} softirqs", many(soft));
        lines.line("interrupts", &many(hard), "machine", &note);
    }
    let of_energy = |name: &str| value(program, &format!("machine.energy.{name}")).map(|(x, _)| x);
    for (name, domain) in [("energy of the packages", "package"), ("energy of DRAM", "dram")] {
        let Some(joules) = of_energy(domain) else { continue };
        let watts = of_energy(&format!("{domain}.power"));
        let watts = watts.map(|watts| format!("{} on average", plain(watts, Unit::Watts)));
        let note = watts.unwrap_or_default();
        lines.line(name, &plain(joules, Unit::Joules), "machine", &note);
    }
    if let Some(celsius) = of_energy("temperature") {
        let celsius = plain(celsius, Unit::Celsius);
        lines.line("temperature", &celsius, "machine", "the highest at the end");
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

#[cfg(test)]
mod tests;
