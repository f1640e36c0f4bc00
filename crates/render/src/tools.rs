//! What sysjitter, oslat and rtla osnoise print is one column or line for each CPU: the detours of one thread each. Of several
//! bindings theirs is the first that was bound.
use crate::renderer::{Needs, Settings, Subject};
use crate::renderers::text;
use analyse::Report;
use analyse::noise::CpuDetours;
use analyse::noise::NoiseResult;
use record::{Detours, Metric, ProbeId, Sort};
use std::io::{self, Write};

/// The detours of one CPU.
pub(crate) struct Column<'a> {
    pub(crate) cpu: u32,
    /// The analysis of the samples.
    pub(crate) watched: &'a CpuDetours,
    pub(crate) detours: &'a Detours,
    /// Rate of the counter that was looked at; 0 where it was not measured.
    pub(crate) megahertz: f64,
    /// The largest share of a window that was taken.
    pub(crate) most: f64,
}

impl Column<'_> {
    /// The length in seconds that such a share of the detours does not exceed; 0 without detours, as these tools print.
    pub(crate) fn length(&self, share: f64) -> f64 {
        let most = self.detours.longest.unwrap_or(0.0);
        self.detours.lengths.quantile(share).map_or(0.0, |l| l.min(most))
    }
}

/// One for each CPU that a thread was bound to, by its number.
fn columns<'a>(report: &'a Report<'_>) -> Vec<Column<'a>> {
    let rate = report.estimates.iter().find(|e| e.metric == Metric::TickRate);
    let megahertz = rate.map_or(0.0, |e| e.median / 1e6);
    let mut all: Vec<Column<'a>> = vec![];
    for watched in report.get::<NoiseResult>().0.iter().flat_map(|noise| &noise.cpus) {
        let Some(cpu) = watched.cpu.filter(|cpu| all.iter().all(|c| c.cpu != *cpu)) else {
            continue;
        };
        let series = report.estimates.get(watched.estimate).and_then(|e| report.series(e));
        let Some(series) = series else { continue };
        let Some(detours) = series.detours.as_deref() else { continue };
        let most = series.samples.iter().copied().fold(0.0, f64::max);
        all.push(Column { cpu, watched, detours, megahertz, most });
    }
    all.order_by_key(|c| c.cpu);
    all
}

/// What has no columns is refused.
pub(crate) const NEEDS: Option<Needs> = Some(Needs {
    what: "detours of a CPU; measure them: cpulens noise detours",
    has: |report| !columns(report).is_empty(),
    measures: |probe| *probe == ProbeId::NoiseDetours,
});

/// Writes a tool's output by what makes it of the columns, if there are any. What is no report has none.
pub(crate) fn write(
    of: Subject<'_>,
    settings: &Settings,
    out: &mut dyn Write,
    tool: fn(&[Column<'_>], &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let Subject::Report(report) = of else { return text::write(of, settings, out) };
    match &columns(report)[..] {
        [] => Ok(()),
        all => tool(all, out),
    }
}
