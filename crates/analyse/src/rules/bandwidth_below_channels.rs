//! All CPUs together read far less than the memory channels could deliver.
//!
//! Channels x transfers per second x bytes is what the modules could deliver; servers reach 70 to 95 % of it with reads.
//! Less than half, though more threads bring no more, means that channels are missing, are not interleaved, or that
//! something between cores and memory is narrower than memory: links of a processor with few chiplets, or a power or
//! bandwidth limit. Channels are read from the names of slots. Source: J. McCalpin, STREAM results and their theoretical
//! peaks.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{percent, rate, transfers};
use record::{Better, Dimm, Reason, Record, Series, Unit, Value};

/// Less than this share of what the channels could deliver is far below: half of them, as it were, do nothing.
const FAR: f64 = 0.5;

/// The least that servers reach of what their channels could deliver.
const REACHED: f64 = 0.7;

/// See the file's header.
#[derive(Debug)]
pub struct BandwidthBelowChannels;

impl Rule for BandwidthBelowChannels {
    fn title(&self) -> &'static str {
        "Memory bandwidth is far below its channels"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let could = evidence.theoretical()?;
        if !could.exact {
            return Err(Missing(Reason::mended_by(
                "the names of the slots do not tell which channel each module is in",
                "look at the board's manual, and compare with the bandwidth section",
            )));
        }
        let all = evidence.whole_read()?;
        let reads = all.median;
        let share = reads / could.peak;
        if all.ends().1 >= FAR * could.peak {
            return Ok(None);
        }
        // Few or slow cores cannot fill many channels, and nothing is wrong then.
        let limit = evidence.saturated("read")?;
        if limit.limit > reads / FAR {
            return Err(Missing(Reason::mended_by(
                "the reads of all CPUs and those over the number of threads contradict each other",
                "cpulens run --only bandwidth,bandwidth_scaling, while nothing else runs",
            )));
        }
        Ok(Some(Finding {
            claim: format!(
                "All CPUs together read {}, which is {} of the {} that {} channels at {} could deliver; from {} threads on more of them bring no more.",
                rate(reads),
                percent(share),
                rate(could.peak),
                could.channels,
                transfers(could.transfers),
                limit.threads
            ),
            advice: "Look in the firmware's setup whether all channels are in use and interleaved, and in the processor's data sheet what its links to memory can carry.".into(),
            confirm_with: "sudo dmidecode -t memory | grep -E 'Locator|Size|Configured', and a read test of another tool on all cores, such as likwid-bench -t load -w N:8GB".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Bandwidth]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let could = evidence.theoretical()?.peak;
        let (reads, _) = evidence.whole_read()?.ends();
        Cost::between(
            0.0,
            1.0 - reads / (REACHED * could),
            Sure::Derived,
            "From nothing, where bandwidth is not used up, to what servers with all their channels reach, 70 % of the theoretical.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "eight channels of DDR4-3200, and the reads of two",
                build: |r| machine(r, true, &[20e9, 40e9, 49e9, 50e9]),
                expect: Expect::Fires,
            },
            Example {
                about: "eight channels, and four fifths of what they could deliver",
                build: |r| machine(r, true, &[40e9, 80e9, 160e9, 165e9]),
                expect: Expect::Clear,
            },
            Example {
                about: "not root: no memory modules",
                build: |r| machine(r, false, &[20e9, 40e9, 49e9, 50e9]),
                expect: Expect::CannotTell,
            },
            Example {
                about: "four slow cores, each of which still adds its part",
                build: |r| machine(r, true, &[10e9, 20e9, 30e9, 40e9]),
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}

/// Reads with one to four threads, and the last of them as what all CPUs read.
fn machine(record: &mut Record, modules: bool, reads: &[f64]) {
    if modules {
        record.machine.topology.dimms = ["A", "B", "C", "D", "E", "F", "G", "H"]
            .map(|channel| Dimm {
                slot: format!("DIMM_{channel}1"),
                populated: true,
                bytes: Some(32 << 30),
                configured: Some(3.2e9),
                width: Some(64),
                ..Dimm::default()
            })
            .into();
    }
    let series = |rate: f64| {
        let mut s = Series::new("bandwidth", Unit::BytesPerSecond, Better::Higher);
        s.samples = [0.999, 1.0, 1.001, 1.0, 0.9995, 1.0005, 1.0].map(|f| f * rate).into();
        s
    };
    let all = reads.last().copied().unwrap_or_default();
    measured(record, "bandwidth", &[("kernel", "read"), ("threads", "all")], vec![series(all)]);
    let steps = (1u64..).zip(reads).map(|(threads, rate)| {
        series(*rate).at("threads", Value::Integer(threads)).at("across", "node")
    });
    measured(record, "bandwidth_scaling", &[("kernel", "read")], steps.collect());
}
