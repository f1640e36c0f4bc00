//! Evidence of the memory modules' speeds.
use super::Evidence;
use crate::say;
use crate::{facts, memory_speed, words};
use benchmarks::quantities::modules;
use record::{OrWhy, Reason, Text};

/// Firmware rounds: 2933 and 2934 are the same speed.
const SLOWER: f64 = 0.98;

/// Modules that run below their rating; speeds in transfers per second, of the one that loses most.
pub(crate) struct SlowModules {
    pub(crate) slow: usize,
    /// Modules of which both speeds are stated.
    pub(crate) known: usize,
    pub(crate) rated: f64,
    /// The rating, or what the CPU allows if that is less.
    pub(crate) possible: f64,
    pub(crate) configured: f64,
    /// Whether other modules of the machine run faster.
    pub(crate) beside_faster: bool,
    /// Whether the rated speed is that of modules that replaced these.
    pub(crate) replaced: bool,
}

impl SlowModules {
    /// Share of the bandwidth that is possible here which the slowest module does not deliver.
    pub(crate) fn lost_share(&self) -> f64 {
        1.0 - self.configured / self.possible
    }
}

impl Evidence<'_> {
    /// The modules that run below their rating; nothing if none does.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn slow_modules(&self) -> Result<Option<SlowModules>, Reason> {
        if let Err(why) = self.dimms() {
            return self.stated_modules().ok_or(why);
        }
        let known: Vec<(f64, f64)> = self
            .topology()
            .modules()
            .filter_map(|d| Some((d.rated?, d.configured?)))
            .filter(|(rated, configured)| *rated > 0.0 && *configured > 0.0)
            .collect();
        if known.is_empty() {
            return Err(Reason::new(say::WHY_NO_SPEEDS));
        }
        let ratio = |(rated, configured): &(f64, f64)| configured / rated;
        let slow: Vec<_> = known.iter().filter(|speeds| ratio(speeds) < SLOWER).collect();
        let worst = slow.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let of_cpu = memory_speed::cpu(&self.seen.record.machine).and_then(|cpu| cpu.speed(1));
        let of = |(rated, configured): &(f64, f64)| SlowModules {
            slow: slow.len(),
            known: known.len(),
            rated: *rated,
            possible: of_cpu.filter(|at| at > configured).map_or(*rated, |at| at.min(*rated)),
            configured: *configured,
            beside_faster: known.iter().any(|(_, other)| configured / other < SLOWER),
            replaced: false,
        };
        Ok(worst.map(|worst| of(worst)))
    }
    /// The speeds that a publication states; `None` where it states no other speed.
    fn stated_modules(&self) -> Option<Option<SlowModules>> {
        let found = modules::stated(self.seen)?;
        let rated = found.value.possible?;
        let speeds = self.graded(&found);
        let (configured, better) = (words::transfers(speeds.configured), words::transfers(rated));
        self.note(match speeds.replaced {
            true => say::modules_replaced(configured, better),
            false => say::modules_rated(configured, better),
        });
        let slow = SlowModules {
            slow: 1,
            known: 1,
            rated,
            possible: rated,
            configured: speeds.configured,
            beside_faster: false,
            replaced: speeds.replaced,
        };
        Some((speeds.configured < rated * SLOWER).then_some(slow))
    }
    /// The speed at which the slowest module runs, in transfers per second, and the rating of that with the lowest.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn module_speeds(&self) -> Result<(f64, Option<f64>), Reason> {
        if let Err(why) = self.dimms() {
            let found = modules::stated(self.seen).ok_or(why)?;
            let speeds = self.graded(&found);
            return Ok((speeds.configured, speeds.possible.filter(|_| !speeds.replaced)));
        }
        let least = |of: fn(&record::Dimm) -> Option<f64>| {
            self.topology().modules().filter_map(of).filter(|s| *s > 0.0).reduce(f64::min)
        };
        let now =
            least(|d| d.configured).or_why(say::WHY_NO_MODULE_SPEED, say::DO_ROOT_FIRMWARE)?;
        Ok((now, least(|d| d.rated)))
    }
    /// The most transfers per second at which this CPU model runs memory of any kind; nothing where that is not known.
    pub(crate) fn fastest_memory(&self) -> Option<f64> {
        let cpu = memory_speed::cpu(&self.seen.record.machine)?;
        cpu.speed(1).into_iter().chain(cpu.mrdimm()).reduce(f64::max)
    }
    /// The limit of the memory modules' speed.
    pub(crate) fn memory_limit(&self) -> memory_speed::Limit {
        let machine = &self.seen.record.machine;
        if let Some(cpu) = memory_speed::cpu(machine) {
            _ = self.text(facts::CPU_MODEL);
            let speed = cpu
                .speed(1)
                .map_or(say::NO_SPEED.into(), |speed| Text::from(words::transfers(speed)));
            let channels = words::count(cpu.channels, "channel");
            self.note(say::memory_of_cpu(speed, channels, &cpu.source));
        }
        memory_speed::limit(machine)
    }
}
