//! Detours in the rows of sysjitter 1.4: a name, a colon, and a number for each CPU. Lengths come from a histogram, so that
//! percentiles are 2 % off at most; shortest, longest, mean and total are exact.
use crate::renderer::Renderer;
use crate::tools::{self, Column};
use std::io::{self, Write};

/// Rows as sysjitter prints them.
pub(crate) static RENDERER: Renderer = Renderer {
    write: |of, settings, out| tools::write(of, settings, out, write),
    needs: tools::NEEDS,
};

fn write(all: &[Column<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut row = |name: &str, of: &dyn Fn(&Column<'_>) -> String| {
        let numbers: Vec<String> = all.iter().map(of).collect();
        writeln!(out, "{name}: {}", numbers.join(" "))
    };
    let ns = |seconds: f64| format!("{:.0}", seconds * 1e9);
    let at = |share: f64| move |c: &Column<'_>| ns(c.length(share));
    row("core_i", &|c| c.cpu.to_string())?;
    row("threshold(ns)", &|c| ns(c.detours.threshold))?;
    row("cpu_mhz", &|c| format!("{:.0}", c.megahertz))?;
    row("runtime(ns)", &|c| ns(c.detours.watched))?;
    row("runtime(s)", &|c| format!("{:.3}", c.detours.watched))?;
    row("int_n", &|c| c.detours.count.to_string())?;
    row("int_n_per_sec", &|c| format!("{:.3}", c.detours.count as f64 / c.detours.watched))?;
    row("int_min(ns)", &|c| ns(c.detours.shortest.unwrap_or(0.0)))?;
    row("int_median(ns)", &at(0.5))?;
    row("int_mean(ns)", &|c| ns(c.detours.total / c.detours.count.max(1) as f64))?;
    row("int_90(ns)", &at(0.9))?;
    row("int_99(ns)", &at(0.99))?;
    row("int_999(ns)", &at(0.999))?;
    row("int_9999(ns)", &at(0.9999))?;
    row("int_99999(ns)", &at(0.99999))?;
    row("int_max(ns)", &|c| ns(c.detours.longest.unwrap_or(0.0)))?;
    row("int_total(ns)", &|c| ns(c.detours.total))?;
    row("int_total(%)", &|c| format!("{:.3}", 100.0 * c.detours.total / c.detours.watched))
}
