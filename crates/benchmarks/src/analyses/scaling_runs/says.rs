//! A scaling run in sentences.
use super::{Gain, Known, ScalingPoint, ScalingRun, USED};
use estimates::words::{count, number, per_second, percent, worded};
use record::Unit;
use stats::compare::Ratio;
use stats::usl::UslFit;

/// A law that is off by more than this at some count does not describe the curve.
pub const MISFIT: f64 = 0.1;
/// A gain smaller than this is none worth acting on, however sure: differences below 0.6 % were seen between two CPUs of
/// one machine that do the same.
pub const WORTH: f64 = 0.01;

impl ScalingRun {
    /// The conclusions: throughput, limit, sibling threads, the law, pinning. Full sentences.
    pub fn says(&self) -> Vec<String> {
        let mut said = vec![];
        said.extend(match &self.fixed_duration {
            Some(why) => Some(format!("How {} scales cannot be determined: {why}.", self.workload)),
            None => self.throughput(),
        });
        said.extend(self.cores().filter(|r| r.median.is_some()).last().and_then(sides));
        said.extend(self.still_running.as_ref().map(|why| {
            let remedy = why.remedy.iter().map(|remedy| format!(" Remedy: {remedy}."));
            format!(
                "The machine was not idle beside the copies: after a point {}.{}",
                why.why,
                remedy.collect::<String>()
            )
        }));
        if self.fixed_duration.is_some() {
            return said;
        }
        said.push(match &self.limit {
            Ok(limit) => limit.words(self.most_cores()),
            Err(why) => format!("What limits it cannot be determined: {why}."),
        });
        said.extend(self.siblings.iter().map(siblings));
        said.push(match &self.law {
            Ok(law) => scalability(law, self.most_cores()),
            Err(why) => format!("No law is fitted: {why}."),
        });
        said.extend(self.unpinned.last().map(unpinned));
        said
    }
    fn throughput(&self) -> Option<String> {
        let cores: Vec<&ScalingPoint> = self.cores().filter(|r| r.median.is_some()).collect();
        let (first, last) = (cores.first()?, cores.last()?);
        let rate = |r: &ScalingPoint| {
            let rate = r.median?;
            Some(match self.unit {
                Unit::PerSecond if self.command && !self.rated => {
                    format!("{} runs per second", number(rate))
                }
                Unit::PerSecond => per_second(rate),
                unit => worded(rate, unit),
            })
        };
        let mut said = format!("With {} {} does {}", self.workload, first.step, rate(first)?);
        if cores.len() > 1 {
            let times = last.median? / first.median?;
            said += &format!(
                ", {} ({}) {}, {} times as much",
                last.step,
                last.cores,
                rate(last)?,
                number(times)
            );
        }
        Some(said + ".")
    }
    /// Cores of the largest step that has a result.
    pub fn most_cores(&self) -> usize {
        self.cores().filter(|r| r.median.is_some()).map(|r| r.cores).max().unwrap_or(1)
    }
}

/// The CPU use of a server and its client, and which of them is full.
fn sides(point: &ScalingPoint) -> Option<String> {
    let (server, client) = point.full.zip(point.client_full)?;
    let verdict = match (server >= USED, client >= USED) {
        (true, false) => "the server's CPUs limit",
        (false, true) => "the client limits, and the server could do more",
        (true, true) => {
            "both are full, so the server might do more with a client that has more CPUs"
        }
        (false, false) => "neither is full: they wait for each other, the network or a disk",
    };
    Some(format!(
        "With {} the server used {} of its CPUs and the client {} of its own: {verdict}.",
        point.step,
        percent(server),
        percent(client)
    ))
}

/// Whether something surely loses, and by more than is worth nothing.
pub fn harms(ratio: &Ratio) -> bool {
    ratio.distinguishable && ratio.estimate < 1.0 - WORTH
}

/// Whether something surely gains, and by more than is worth nothing.
pub fn helps(ratio: &Ratio) -> bool {
    ratio.distinguishable && ratio.estimate > 1.0 + WORTH
}

/// The one that surely loses most.
pub fn worst(gains: Vec<Known<'_>>) -> Option<Known<'_>> {
    let harm = gains.into_iter().filter(|(.., found)| harms(found));
    harm.min_by(|a, b| a.2.estimate.total_cmp(&b.2.estimate))
}

/// The one that surely gains most.
pub fn best(gains: Vec<Known<'_>>) -> Option<Known<'_>> {
    let help = gains.into_iter().filter(|(.., found)| helps(found));
    help.max_by(|a, b| a.2.estimate.total_cmp(&b.2.estimate))
}

/// A ratio with its interval.
pub fn times(ratio: &Ratio) -> String {
    let Ratio { estimate, interval, .. } = ratio;
    format!("{} times ({} to {})", number(*estimate), number(interval.low), number(interval.high))
}

/// Published pairs agree with what their instructions per cycle predict within 7 %; beyond this something else changed.
const AGREES: f64 = 0.1;

/// The explanation of a gain by instructions per cycle; `None` where they were not counted.
pub fn by_ipc(gain: &Gain) -> Option<String> {
    let (ratio, by) = (gain.found.as_ref().ok()?, gain.by_ipc?);
    let verdict = if (by.ratio / ratio.estimate - 1.0).abs() <= AGREES {
        "so frequency and number of instructions are the same"
    } else {
        "so the frequency or the number of instructions is another"
    };
    Some(format!(
        " By instructions per cycle, {:.2} a thread against {:.2}, it would be {} times: {verdict}.",
        by.own,
        by.with,
        number(by.ratio)
    ))
}

fn siblings(gain: &Gain) -> String {
    added(gain) + &by_ipc(gain).unwrap_or_default()
}

fn added(gain: &Gain) -> String {
    let Gain { step, with, found, .. } = gain;
    let what = format!("Sibling threads, {step} against {with}");
    match found {
        Ok(r) if !r.distinguishable => format!(
            "{what}: {}, which is not significant; they add nothing measurable to this workload.",
            times(r)
        ),
        Ok(r) if r.estimate < 1.0 => format!("{what}: {}; they harm this workload.", times(r)),
        Ok(r) => format!("{what}: {}, for this workload.", times(r)),
        Err(why) => format!("{what}: what they add cannot be determined, for {why}."),
    }
}

fn scalability(law: &UslFit, most: usize) -> String {
    if law.misfit > MISFIT {
        return format!(
            "The scalability law is off by up to {} and does not describe these steps: something changes between them, as where a node or a socket ends.",
            percent(law.misfit)
        );
    }
    let (sigma, kappa) = (&law.sigma_interval, &law.kappa_interval);
    let mut said = format!(
        "Scalability law: contention {} ({} to {}), coherency {} ({} to {})",
        percent(law.sigma),
        percent(sigma.low),
        percent(sigma.high),
        number(law.kappa),
        number(kappa.low),
        number(kappa.high)
    );
    said += &match law.knee {
        None => "; no knee: the interval of coherency includes 0.".to_owned(),
        Some((at, i)) => {
            let beyond = if at > most as f64 { ", more than the scaling run had" } else { "" };
            format!(
                "; throughput is highest with {} ({:.0} to {:.0}){beyond}.",
                count(at.round() as usize, "core"),
                i.low,
                i.high
            )
        }
    };
    said
}

fn unpinned(gain: &Gain) -> String {
    let step = &gain.step;
    match &gain.found {
        Ok(r) if !r.distinguishable || (r.estimate - 1.0).abs() < WORTH => format!(
            "On {step} this workload does as much unpinned as pinned one to one, as far as noise lets see ({}).",
            times(r)
        ),
        Ok(r) if r.estimate > 1.0 => format!(
            "On {step} this workload does {} as much unpinned as pinned one to one: do not bind it.",
            times(r)
        ),
        Ok(r) => format!(
            "On {step} this workload does {} as much unpinned as pinned one to one: pinning gains.",
            times(r)
        ),
        Err(why) => format!("What pinning is worth on {step} cannot be determined: {why}."),
    }
}
