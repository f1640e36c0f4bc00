//! Detours in the rows of oslat (rt-tests 2): how many looks at the time took so many microseconds, the last row with all that
//! took longer; then minimum, average, maximum and duration. Looks shorter than a gap count as one microsecond.
use crate::renderer::Renderer;
use crate::tools::{self, Column};
use std::io::{self, Write};

/// Rows as oslat prints them.
pub(crate) static RENDERER: Renderer = Renderer {
    write: |of, settings, out| tools::write(of, settings, out, write),
    needs: tools::NEEDS,
};

/// oslat's buckets of a microsecond each, if nothing else is asked.
const BUCKETS: usize = 32;

fn write(all: &[Column<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut row = |name: &str, of: &dyn Fn(&Column<'_>) -> String, unit: &str| {
        let numbers: Vec<String> = all.iter().map(of).collect();
        writeln!(out, "{:>12}:\t {} {unit}", name, numbers.join(" "))
    };
    row("Core", &|c| c.cpu.to_string(), "")?;
    row("Counter Freq", &|c| format!("{:.0}", c.megahertz), "(Mhz)")?;
    (0..BUCKETS).try_for_each(|us| {
        let unit = if us + 1 == BUCKETS { "(including overflows)" } else { "" };
        row(&format!("{:03} (us)", us + 1), &|c| buckets(c)[us].to_string(), unit)
    })?;
    let whole = |seconds: f64| (seconds * 1e6).ceil().max(1.0);
    let most = |c: &Column<'_>| whole(c.detours.longest.unwrap_or(c.detours.least));
    let least = |c: &Column<'_>| whole(c.detours.least);
    row("Minimum", &|c| format!("{:.0}", least(c)), "(us)")?;
    row("Average", &|c| format!("{:.3}", average(c)), "(us)")?;
    row("Maximum", &|c| format!("{:.0}", most(c)), "(us)")?;
    row("Max-Min", &|c| format!("{:.0}", most(c) - least(c)), "(us)")?;
    row("Duration", &|c| format!("{:.3}", c.detours.watched), "(sec)")
}

/// Microseconds that a look took, rounded up to whole ones each as oslat does.
fn average(c: &Column<'_>) -> f64 {
    let others = c.detours.looks.saturating_sub(c.detours.count) as f64;
    (others + c.detours.total * 1e6) / c.detours.looks.max(1) as f64
}

fn buckets(c: &Column<'_>) -> [u64; BUCKETS] {
    let mut buckets = [0; BUCKETS];
    buckets[0] = c.detours.looks.saturating_sub(c.detours.count);
    for (bucket, count) in &c.detours.lengths.counts {
        let (from, to) = c.detours.lengths.ends(*bucket);
        let us = ((from * to).sqrt() * 1e6).ceil().max(1.0) as usize;
        let into = &mut buckets[(us - 1).min(BUCKETS - 1)];
        *into = into.saturating_add(*count);
    }
    buckets
}
