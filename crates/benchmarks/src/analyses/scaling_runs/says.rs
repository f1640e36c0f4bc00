//! A scaling run in sentences.
use super::{Gain, Known, ScalingPoint, ScalingRun, USED};
use crate::say;
use estimates::words::{number, per_second, percent, worded};
use record::{Between, Text, Unit};
use stats::compare::Ratio;
use stats::usl::UslFit;

/// A law that is off by more than this at some count does not describe the curve.
pub const MISFIT: f64 = 0.1;
/// A gain smaller than this is none worth acting on, however sure: differences below 0.6 % were seen between two CPUs of
/// one machine that do the same.
pub const WORTH: f64 = 0.01;

impl ScalingRun {
    /// The conclusions: throughput, limit, sibling threads, the law, pinning. Full sentences.
    pub fn says(&self) -> Vec<Text> {
        let mut said = vec![];
        said.extend(match &self.fixed_duration {
            Some(why) => Some(say::scaling_unknown(&self.workload, why)),
            None => self.throughput(),
        });
        said.extend(self.cores().filter(|r| r.median.is_some()).last().and_then(sides));
        said.extend(self.still_running.as_ref().map(|why| {
            let remedy = why.remedy.iter().map(say::remedy);
            let said = [say::not_idle_beside(&why.why)].into_iter().chain(remedy);
            Text::list(said, Between::Sentences)
        }));
        if self.fixed_duration.is_some() {
            return said;
        }
        said.push(match &self.limit {
            Ok(limit) => limit.words(self.most_cores()),
            Err(why) => say::limit_undetermined(why),
        });
        said.extend(self.siblings.iter().map(siblings));
        said.push(match &self.law {
            Ok(law) => scalability(law, self.most_cores()),
            Err(why) => say::no_law(why),
        });
        said.extend(self.unpinned.last().map(unpinned));
        said
    }
    fn throughput(&self) -> Option<Text> {
        let cores: Vec<&ScalingPoint> = self.cores().filter(|r| r.median.is_some()).collect();
        let (first, last) = (cores.first()?, cores.last()?);
        let rate = |r: &ScalingPoint| {
            let rate = r.median?;
            Some(match self.unit {
                Unit::PerSecond if self.command && !self.rated => {
                    say::runs_per_second(number(rate))
                }
                Unit::PerSecond => per_second(rate).into(),
                unit => worded(rate, unit),
            })
        };
        let (workload, step, one, most) = (&self.workload, &first.step, rate(first)?, rate(last)?);
        let times = number(last.median? / first.median?);
        Some(match cores.len() {
            1 => say::does_one(workload, step, one),
            _ => say::does_both(workload, step, one, &last.step, last.cores, most, times),
        })
    }
    /// Cores of the largest step that has a result.
    pub fn most_cores(&self) -> usize {
        self.cores().filter(|r| r.median.is_some()).map(|r| r.cores).max().unwrap_or(1)
    }
}

/// The CPU use of a server and its client, and which of them is full.
fn sides(point: &ScalingPoint) -> Option<Text> {
    let (server, client) = point.full.zip(point.client_full)?;
    let verdict = match (server >= USED, client >= USED) {
        (true, false) => say::SERVER_LIMITS,
        (false, true) => say::CLIENT_LIMITS,
        (true, true) => say::BOTH_FULL,
        (false, false) => say::NEITHER_FULL,
    };
    Some(say::server_client(&point.step, percent(server), percent(client), verdict))
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
pub fn times(ratio: &Ratio) -> Text {
    let Ratio { estimate, interval, .. } = ratio;
    say::times_range(number(*estimate), number(interval.low), number(interval.high))
}

/// Published pairs agree with what their instructions per cycle predict within 7 %; beyond this something else changed.
const AGREES: f64 = 0.1;

/// The explanation of a gain by instructions per cycle, without its full stop; `None` where they were not counted.
pub fn by_ipc(gain: &Gain) -> Option<Text> {
    let (ratio, by) = (gain.found.as_ref().ok()?, gain.by_ipc?);
    let [own, with] = [by.own, by.with].map(|ipc| format!("{ipc:.2}"));
    Some(match (by.ratio / ratio.estimate - 1.0).abs() <= AGREES {
        true => say::by_ipc_same(own, with, number(by.ratio)),
        false => say::by_ipc_other(own, with, number(by.ratio)),
    })
}

fn siblings(gain: &Gain) -> Text {
    Text::list(
        [added(gain)].into_iter().chain(by_ipc(gain).map(say::full_stop)),
        Between::Sentences,
    )
}

fn added(gain: &Gain) -> Text {
    let Gain { step, with, found, .. } = gain;
    match found {
        Ok(r) if !r.distinguishable => say::siblings_nothing(step, with, times(r)),
        Ok(r) if r.estimate < 1.0 => say::siblings_harm(step, with, times(r)),
        Ok(r) => say::siblings_gain(step, with, times(r)),
        Err(why) => say::siblings_unknown(step, with, why),
    }
}

fn scalability(law: &UslFit, most: usize) -> Text {
    if law.misfit > MISFIT {
        return say::law_off(percent(law.misfit));
    }
    let (sigma, kappa) = (&law.sigma_interval, &law.kappa_interval);
    let parameters = say::law_parameters(
        percent(law.sigma),
        percent(sigma.low),
        percent(sigma.high),
        number(law.kappa),
        number(kappa.low),
        number(kappa.high),
    );
    let Some((at, i)) = law.knee else { return say::law_no_knee(parameters) };
    let [low, high] = [i.low, i.high].map(|cores| format!("{cores:.0}"));
    match at > most as f64 {
        true => say::law_knee_beyond(parameters, at.round() as usize, low, high),
        false => say::law_knee(parameters, at.round() as usize, low, high),
    }
}

fn unpinned(gain: &Gain) -> Text {
    let step = &gain.step;
    match &gain.found {
        Ok(r) if !r.distinguishable || (r.estimate - 1.0).abs() < WORTH => {
            say::unpinned_same(step, times(r))
        }
        Ok(r) if r.estimate > 1.0 => say::unpinned_better(step, times(r)),
        Ok(r) => say::unpinned_worse(step, times(r)),
        Err(why) => say::unpinned_unknown(step, why),
    }
}
