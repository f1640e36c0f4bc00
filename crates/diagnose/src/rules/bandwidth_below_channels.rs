//! All CPUs together read far less than the memory channels could deliver.
//!
//! The theoretical bandwidth is channels x transfers per second x bytes per transfer. Servers read 70 to 95 % of it. Less
//! than half, although more threads read no more, has one of these causes: channels are missing or not interleaved, the
//! links of a processor with few chiplets are narrower than memory, or power or bandwidth is limited. Channels are read
//! from the names of the memory slots. Source: J. McCalpin, STREAM results and their theoretical peaks.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{percent, rate, transfers};

/// Less than this share of what the channels could deliver is far below: half of them, as it were, do nothing.
const FAR: f64 = 0.5;

/// The least that servers reach of what their channels could deliver.
const REACHED: f64 = 0.7;

pub(crate) static RULE: Rule = Rule::new(say::BELOW_CHANNELS, &[Demand::Bandwidth], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let could = evidence.theoretical()?;
    if !could.exact {
        return Err(Reason::mended_by(say::BELOW_CHANNELS_SLOTS, say::BELOW_CHANNELS_MANUAL));
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
        return Err(Reason::mended_by(say::BELOW_CHANNELS_CONTRADICT, say::BELOW_CHANNELS_AGAIN));
    }
    Ok(Some(Finding::new(
        say::below_channels_claim(
            rate(reads),
            percent(share),
            rate(could.peak),
            could.channels,
            transfers(could.transfers),
            limit.threads,
        ),
        say::BELOW_CHANNELS_ADVICE,
        say::BELOW_CHANNELS_CONFIRM,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let could = evidence.theoretical()?.peak;
    let (reads, _) = evidence.whole_read()?.ends();
    Cost::up_to(1.0 - reads / (REACHED * could), Confidence::Derived, say::BELOW_CHANNELS_COST)
}
