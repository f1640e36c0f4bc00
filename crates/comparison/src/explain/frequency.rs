//! The frequency while it ran: cycles over CPU time, or measured beside; else the machine's own measured or stated one, with
//! the range that boost leaves.
use super::seen::{Seen, medians};
use super::{Amount, How, counts};
use crate::facts::{ARCHITECTURE, CLOCK_BASE, CLOCK_MAX, CPU_MODEL};
use crate::program;
use crate::say;
use crate::words;
use record::{Machine, Metric, ProbeId, Reason, Record};

/// Programs that were counted.
const COUNTED: [ProbeId; 2] = [ProbeId::PerfStat, ProbeId::Stat];
/// A driver that knows no boost states it as a maximum this far above the base.
const BOOST_MARK: f64 = 2e6;
/// Base and highest boost of processors of which lscpu shows no maximum. Source: AMD, EPYC 7002 series, product pages.
const SOLD: [(&str, f64, f64); 2] = [("EPYC 7H12", 2.6e9, 3.3e9), ("EPYC 7742", 2.25e9, 3.4e9)];
/// Facts of the frequency that the kernel reported at one moment: better than nothing.
const REPORTED: [&str; 2] = ["cpu.frequency.current", "cpu.frequency.reported"];

pub(super) fn of(seen: &Seen<'_>) -> Result<Amount, Reason> {
    if let Ok(counts) = &seen.counts {
        let (how, of) = match counts.cpu {
            Some(_) => (How::Measured, say::FROM_CYCLES_CPU),
            None => (How::Inferred, say::FROM_CYCLES_ELAPSED),
        };
        return Ok(Amount::exact(counts.cycles / counts.seconds(), how, counts.shared(of)));
    }
    if let Some(hertz) = seen.series.frequency.filter(|hz| hz.is_finite() && *hz > 0.0) {
        return Ok(Amount::measured(hertz, say::FROM_BESIDE));
    }
    let beside = seen.program.as_ref().and_then(|p| stats::median(&p.frequency_beside));
    if let Some(hertz) = beside {
        return Ok(Amount::inferred(hertz, say::FROM_BEFORE_AFTER));
    }
    if let Some(hertz) = core_frequency(seen.record) {
        return Ok(Amount::inferred(hertz, say::FROM_CORE_FREQUENCY));
    }
    if let Some(hertz) = counted(seen.record) {
        // More cores than were counted may have had less boost.
        let one = seen.threads.as_ref().is_ok_and(|t| t.high <= 1.5 * seen.per_core);
        let base = stated(&seen.record.machine).map_or(hertz, |a| a.low);
        let low = if one { hertz } else { base.min(hertz) };
        let from = say::FROM_ANOTHER_RUN.into();
        return Ok(Amount { value: hertz, low, high: hertz, how: How::Inferred, from });
    }
    stated(&seen.record.machine)
}

/// The median over the runs whose counters are their own and of one CPU: what was counted beats what is stated.
fn counted(record: &Record) -> Option<f64> {
    let own = record.runs.iter().filter(|r| COUNTED.contains(&r.case.probe));
    let hertz = own.filter_map(|run| {
        let program = program::program(run, &record.machine);
        let counts = counts::counts(record, run, program.as_ref()).ok()?;
        let busy = counts.cpu.is_none_or(|cpu| cpu <= 1.5 * counts.elapsed);
        Some(counts.cycles / counts.seconds()).filter(|hz| busy && hz.is_finite() && *hz > 0.0)
    });
    stats::median_of(hertz)
}

/// The median that the record has of one core.
fn core_frequency(record: &Record) -> Option<f64> {
    let runs =
        record.runs.iter().filter(|r| r.case.probe == ProbeId::CoreFrequency && r.origin.is_none());
    stats::median(&medians(runs.filter_map(|r| r.metric(Metric::Frequency))))
}

/// From the base that the machine states or is sold with to its maximum: nobody looked at it while it ran.
pub(super) fn stated(machine: &Machine) -> Result<Amount, Reason> {
    let fact = |name: &str| machine.number(name).filter(|hz| hz.is_finite() && *hz > 0.0);
    let label = || named(machine.text(CPU_MODEL)?);
    let sold =
        machine.text(CPU_MODEL).and_then(|m| SOLD.iter().find(|(name, ..)| m.contains(name)));
    let base = fact(CLOCK_BASE).or_else(label).or(sold.map(|(_, base, _)| *base));
    let most = fact(CLOCK_MAX).or_else(|| machine.topology.cpus.first()?.max_hz);
    // The base with a megahertz on top says that there is boost, and not how far it goes.
    let most = most.filter(|most| base.is_none_or(|b| *most <= b || most - b > BOOST_MARK));
    let most = most.or(sold.map(|(.., most)| *most));
    let boosts = machine.text(ARCHITECTURE).is_some_and(|arch| arch.starts_with("x86"));
    if boosts && most.is_none() {
        let seen = base.or_else(|| REPORTED.iter().find_map(|name| fact(name)));
        let from = |hz: f64| say::boost_unknown_from(words::frequency(hz));
        let why = seen.map_or_else(|| say::BOOST_UNKNOWN.into(), from);
        return Err(Reason::mended_by(why, say::FIX_BOOST));
    }
    let highest = [base, most].into_iter().flatten().reduce(f64::max);
    match (base.or(most), highest) {
        (Some(value), Some(most)) => {
            let from = if most > value {
                say::from_stated_range(words::frequency(value), words::frequency(most))
            } else {
                say::FROM_STATED.into()
            };
            let low = base.map_or(value, |base| base.min(value));
            Ok(Amount { value, low, high: most.max(value), how: How::Stated, from })
        }
        _ => match REPORTED.iter().find_map(|name| fact(name)) {
            Some(hertz) => Ok(Amount::stated(hertz, say::FROM_KERNEL_ONCE)),
            None => Err(Reason::mended_by(say::FREQUENCY_UNKNOWN, say::FIX_FREQUENCY)),
        },
    }
}

/// `Intel(R) Xeon(R) Platinum 8163 CPU @ 2.50GHz`.
fn named(model: &str) -> Option<f64> {
    let (number, _) = model.rsplit_once('@')?.1.trim().split_once("GHz")?;
    number.trim().parse::<f64>().ok().filter(|g| (0.1..10.0).contains(g)).map(|g| g * 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Unit;

    #[test]
    fn a_label_is_a_base_and_boost_a_range() {
        let mut machine = Machine::default();
        assert!(stated(&machine).is_err());
        machine.set("cpu.model", "Intel(R) Xeon(R) Platinum 8163 CPU @ 2.50GHz", "lscpu");
        let found = stated(&machine).unwrap();
        assert_eq!((found.value, found.low, found.high), (2.5e9, 2.5e9, 2.5e9));
        machine.set_in("cpu.frequency.max", 3.1e9, Unit::Hertz, "lscpu");
        let found = stated(&machine).unwrap();
        assert_eq!((found.value, found.low, found.high), (2.5e9, 2.5e9, 3.1e9));
        // A maximum below the label is that of a machine whose boost is off.
        machine.set_in("cpu.frequency.max", 2.4e9, Unit::Hertz, "lscpu");
        assert_eq!(stated(&machine).unwrap().high, 2.5e9);
        // Where boost is usual and nobody says how far it goes, neither base nor what was seen once is the frequency.
        machine.set("kernel.arch", "x86_64", "lscpu");
        machine.set_in("cpu.frequency.max", 2.501e9, Unit::Hertz, "lscpu");
        assert!(stated(&machine).unwrap_err().why.contains("2.50 GHz"));
        assert_eq!(named("Kunpeng 920-4826"), None);
        // A processor whose maximum its maker states, though lscpu does not.
        let mut machine = Machine::default();
        machine.set("cpu.model", "AMD EPYC 7H12 64-Core Processor", "lscpu");
        machine.set("kernel.arch", "x86_64", "lscpu");
        let found = stated(&machine).unwrap();
        assert_eq!((found.low, found.high), (2.6e9, 3.3e9));
    }
}
