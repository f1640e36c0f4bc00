//! The frequency governor keeps a busy core below its frequency.
//!
//! `powersave` and `conservative` raise the frequency late or not at all, except where the processor chooses by itself
//! (intel_pstate and amd-pstate in active mode), and `schedutil` goes by how busy a CPU was. A governor is no fault where a busy
//! core reaches its frequency all the same, so it is named only where the measured frequency stays below. Source: Linux,
//! Documentation/admin-guide/pm/cpufreq.rst.
use crate::cost::{Cost, Demand, Sure};
use crate::environment::FREQUENCY_BELOW;
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured};
use crate::facts::{self, CLOCK_MAX, GOVERNOR};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{frequency, percent};
use record::{Better, Record, Series, Unit};

/// See the file's header.
#[derive(Debug)]
pub struct GovernorSlows;

impl Rule for GovernorSlows {
    fn title(&self) -> &'static str {
        "The frequency governor holds the frequency back"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let governor = evidence.text(GOVERNOR)?;
        if facts::only_performance(governor) {
            return Ok(None);
        }
        let frequencies = evidence.estimate("core_frequency", "frequency", &[])?;
        let advertised = evidence.rated_frequencies()?;
        let slow = facts::below(frequencies.ends().1, &advertised, FREQUENCY_BELOW);
        Ok(slow.map(|slow| Finding {
            claim: format!(
                "The governor is '{governor}', and a busy core runs at {} where {} are advertised: {} of its frequency is not used.",
                frequency(frequencies.median),
                frequency(slow.hertz),
                percent(1.0 - frequencies.median / slow.hertz)
            ),
            advice: "Set the governor to performance: sudo cpupower frequency-set -g performance, and measure again.".into(),
            confirm_with: "cpulens run --only core_frequency, with the governor performance: the frequency is the same".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let (low, high) = evidence.estimate("core_frequency", "frequency", &[])?.ends();
        let slow = facts::below(high, &evidence.rated_frequencies()?, FREQUENCY_BELOW);
        Cost::between(
            0.0,
            1.0 - low / slow.ok_or_else(Missing::figure)?.hertz,
            Sure::Derived,
            "From nothing, if power or heat hold the frequency back, to all that it is below what is advertised.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "powersave at 1.2 of 3.6 GHz",
                build: |r| governed(r, "powersave", 1.2e9),
                expect: Expect::Fires,
            },
            Example {
                about: "powersave of a processor that chooses by itself, at its frequency",
                build: |r| governed(r, "powersave", 3.55e9),
                expect: Expect::Clear,
            },
            Example {
                about: "performance, and slow: it is something else",
                build: |r| governed(r, "performance", 1.2e9),
                expect: Expect::Clear,
            },
            Example {
                about: "a hypervisor that hides the governor",
                build: |r| {
                    governed(r, "powersave", 1.2e9);
                    r.machine.facts.remove(GOVERNOR);
                },
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}

fn governed(record: &mut Record, governor: &str, hertz: f64) {
    record.machine.set(GOVERNOR, governor, "example");
    record.machine.set_in(CLOCK_MAX, 3.6e9, Unit::Hertz, "example");
    let mut series = Series::new("frequency", Unit::Hertz, Better::Higher);
    series.samples = vec![hertz; 3];
    measured(record, "core_frequency", &[], vec![series.at("chain", "add")]);
}
