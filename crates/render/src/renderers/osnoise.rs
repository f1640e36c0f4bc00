//! Detours in the columns of `rtla osnoise top`: times in microseconds, the share of the CPU that was available, and how many
//! of each kind of interference there were. Its tracer counts them in the kernel; ours are the kernel's own counters, and
//! detours that nothing explains count as hardware's, as there.
use crate::renderer::Renderer;
use crate::tools::{self, Column};
use analyse::noise::NoiseSource;
use std::io::{self, Write};

/// Columns as `rtla osnoise top` prints them.
pub(crate) static RENDERER: Renderer = Renderer {
    write: |of, settings, out| tools::write(of, settings, out, write),
    needs: tools::NEEDS,
};

fn write(all: &[Column<'_>], out: &mut dyn Write) -> io::Result<()> {
    let whole = all[0].detours.elapsed as u64;
    let (days, hours, minutes) = (whole / 86_400, whole / 3600 % 24, whole / 60 % 60);
    writeln!(out, "{:>58}", "Operating System Noise")?;
    writeln!(out, "duration: {days:>3} {hours:02}:{minutes:02}:{:02} | time is in us", whole % 60)?;
    writeln!(
        out,
        "CPU Period       Runtime        Noise  % CPU Aval   Max Noise   Max Single          HW          NMI          IRQ      Softirq       Thread"
    )?;
    for c in all {
        let us = |seconds: f64| (seconds * 1e6).round() as u64;
        let sum = |prefix: &str| -> f64 {
            let counters = c.detours.counters.iter().filter(|(name, _)| name.starts_with(prefix));
            counters.map(|(_, n)| n).sum()
        };
        let nmi = sum("interrupts.nmi");
        let unexplained = c.watched.parts.iter().find(|p| p.by == NoiseSource::Unexplained);
        let switches = sum("switches.");
        // A period is a second there; the most of one is that of one window here, scaled to a second.
        let most = c.most.min(1.0);
        writeln!(
            out,
            "{:>3} #{:<6} {:>12} {:>12} {:>11.5} {:>11} {:>12} {:>11} {:>12} {:>12} {:>12} {:>12}",
            c.cpu,
            (c.detours.elapsed.round() as u64).max(1),
            us(c.detours.watched),
            us(c.detours.total),
            100.0 * (1.0 - c.detours.total / c.detours.watched),
            us(most),
            us(c.detours.longest.unwrap_or(0.0)),
            unexplained.map_or(0, |p| p.times.round() as u64),
            nmi as u64,
            (sum("interrupts.") - nmi) as u64,
            sum("softirqs.") as u64,
            switches as u64,
        )?;
    }
    Ok(())
}
