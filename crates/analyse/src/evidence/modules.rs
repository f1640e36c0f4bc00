//! What a rule may look at of the memory modules' speeds.
use super::{Evidence, Missing};
use crate::{facts, memory_speed, words};
use record::Reason;

/// Firmware rounds: 2933 and 2934 are the same speed.
const SLOWER: f64 = 0.98;

/// Modules that run below their rating; speeds in transfers per second, of the one that loses most.
pub(crate) struct SlowModules {
    pub(crate) slow: usize,
    /// Modules of which both speeds are stated.
    pub(crate) known: usize,
    pub(crate) rated: f64,
    pub(crate) configured: f64,
}

impl SlowModules {
    /// Share of the rated bandwidth that the slowest module does not deliver.
    pub(crate) fn lost_share(&self) -> f64 {
        1.0 - self.configured / self.rated
    }
}

impl Evidence<'_> {
    /// The modules that run below their rating; nothing if none does.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn slow_modules(&self) -> Result<Option<SlowModules>, Missing> {
        let known: Vec<(f64, f64)> = self
            .dimms()?
            .iter()
            .filter(|d| d.populated && d.purpose.is_none())
            .filter_map(|d| Some((d.rated?, d.configured?)))
            .filter(|(rated, configured)| *rated > 0.0 && *configured > 0.0)
            .collect();
        if known.is_empty() {
            return Err(Missing(Reason::new(
                "firmware states no rated and configured speed for any module",
            )));
        }
        let ratio = |(rated, configured): &(f64, f64)| configured / rated;
        let slow: Vec<_> = known.iter().filter(|speeds| ratio(speeds) < SLOWER).collect();
        let worst = slow.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let of = |(rated, configured): &(f64, f64)| SlowModules {
            slow: slow.len(),
            known: known.len(),
            rated: *rated,
            configured: *configured,
        };
        Ok(worst.map(|worst| of(worst)))
    }
    /// What limits the speed of the memory modules.
    pub(crate) fn memory_limit(&self) -> memory_speed::Limit {
        let machine = &self.seen.record.machine;
        if let Some(cpu) = memory_speed::cpu(machine) {
            _ = self.text(facts::CPU_MODEL);
            let speed = cpu.speed(1).map_or("no speed".into(), words::transfers);
            let channels = words::count(cpu.channels, "channel");
            self.note(format!("memory of this CPU: {speed}, {channels} a socket ({})", cpu.source));
        }
        memory_speed::limit(machine)
    }
}
