//! All CPUs together read far less than the memory channels could deliver.
//!
//! Channels x transfers per second x bytes is what the modules could deliver; servers reach 70 to 95 % of it with reads.
//! Less than half, though more threads bring no more, means that channels are missing, are not interleaved, or that
//! something between cores and memory is narrower than memory: links of a processor with few chiplets, or a power or
//! bandwidth limit. Channels are read from the names of slots. Source: J. McCalpin, STREAM results and their theoretical
//! peaks.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{percent, rate, transfers};
use record::Reason;

/// Less than this share of what the channels could deliver is far below: half of them, as it were, do nothing.
const FAR: f64 = 0.5;

/// The least that servers reach of what their channels could deliver.
const REACHED: f64 = 0.7;

pub(crate) static RULE: Rule = Rule {
    title: "Memory bandwidth is far below its channels",
    demands: &[Demand::Bandwidth],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
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

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let could = evidence.theoretical()?.peak;
    let (reads, _) = evidence.whole_read()?.ends();
    Cost::between(
        0.0,
        1.0 - reads / (REACHED * could),
        Sure::Derived,
        "From nothing, where bandwidth is not used up, to what servers with all their channels reach, 70 % of the theoretical.",
    )
}
