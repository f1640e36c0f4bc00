//! Compares the frequency that follows from counted cycles with the frequency that the machine states.
use record::{Metric, Record, Run, Warning, param};

/// The tolerance before a warning: elapsed times and multiplexed counts are accurate to 2 %.
const TOLERANCE: f64 = 1.03;

/// Warns of every process whose cycles need a higher frequency than the machine states.
pub(crate) fn check(record: &mut Record) {
    let stated = |name| Some((record.machine.number(name)?, name));
    let Some((stated, name)) = stated("cpu.frequency.max").or_else(|| stated("cpu.frequency.base"))
    else {
        return;
    };
    for run in &record.runs {
        let Some((hz, origin)) = frequency(run).zip(run.origin) else { continue };
        if hz > stated * TOLERANCE
            && let Some(source) = record.provenance.sources.get_mut(origin.source as usize)
        {
            let what = format!(
                "the cycles counted need a frequency of {:.2} GHz, and {name} states {:.2} GHz: it ran above the frequency on its label (boost), so cycles and labels must not be mixed",
                hz / 1e9,
                stated / 1e9
            );
            source.warnings.push(Warning::doubt(Some(origin.line), what));
        }
    }
}

/// Cycles of one program over its CPU time, or over elapsed time where that is not printed.
fn frequency(run: &Run) -> Option<f64> {
    if run.case.get(param::SCOPE) != Some("process") {
        return None;
    }
    let cycles = run.reading("cpu-cycles").or_else(|| run.reading("cycles"))?.value;
    let seconds = |metric| run.metric(metric)?.samples.first().copied();
    let used = seconds(Metric::User).zip(seconds(Metric::System)).map(|(u, s)| u + s);
    let busy = used.or_else(|| seconds(Metric::Elapsed))?;
    (busy > 0.0).then_some(cycles / busy)
}
