//! The distance of a figure from its peers: in deviations, as a probability, and as a share.
use super::SlowFigure;
use crate::headline::Headline;
use crate::modes::Mode;
use record::Better;

/// A machine is slower by at least this share, and by so many deviations of its peers.
pub(super) const EFFECT: f64 = 0.05;
pub(super) const DEVIATIONS: f64 = 5.0;
/// Of n machines the deviation is taken as larger by this over n: simulated, so that of healthy kinds of 5 to 20 machines (8 figures,
/// normal, coefficients of variation to 4.5 %) about one in a hundred has a machine that is flagged.
const FEW: f64 = 10.0;
/// Peers are never more alike than this share: two runs on one machine differ by as much.
pub(super) const ALIKE: f64 = 0.005;

/// Of two runs that confirm each other one is worse by at least this share of what the other is: a neighbour that is there twice is
/// seldom as loud.
const COMPARABLE: f64 = 2.0 / 3.0;
/// Deviations of two runs on a machine with a rare setting, which is evidence of its own: so few are asked that fewer are enough.
const OF_RARE: f64 = 3.5;
/// What is nearer to its peers than this confirms nothing.
const NEAR: f64 = 2.5;

/// The distance of a figure from its mode on the bad side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Deviation {
    /// In deviations of the peers.
    pub(super) z: f64,
    /// As a share of their median.
    pub(super) worse: f64,
}

impl Deviation {
    /// Beyond what is published, by which machines of too few peers are judged: one run is as good as another.
    pub(super) const PUBLISHED: Deviation = Deviation { z: DEVIATIONS, worse: EFFECT };

    /// Of a figure in a mode; `None` for a figure without a good side.
    pub(super) fn of(h: &Headline, mode: &Mode) -> Option<Deviation> {
        let sign = match h.better {
            Better::Lower => 1.0,
            Better::Higher => -1.0,
            Better::Neither => return None,
        };
        let off = sign * (h.value - mode.median);
        let z = off / (unsure(mode.count) * mode.tail.max(ALIKE * mode.median));
        z.is_finite().then_some(Deviation { z, worse: off / mode.median })
    }
    /// The mean of some.
    pub(super) fn mean(of: &[Deviation]) -> Deviation {
        let mean = |part: fn(&Deviation) -> f64| of.iter().map(part).sum::<f64>() / of.len() as f64;
        Deviation { z: mean(|own| own.z), worse: mean(|own| own.worse) }
    }
    /// Whether one run with it says that the machine is slow.
    pub(super) fn is_worse(self) -> bool {
        self.z >= DEVIATIONS && self.worse >= EFFECT
    }
    /// Whether it may confirm another.
    pub(super) fn is_far(self) -> bool {
        self.z >= NEAR
    }
    /// Whether another run is as far off as noise allows: two values of one machine are seldom farther from each other.
    pub(super) fn is_like(self, other: Deviation) -> bool {
        (self.z - other.z).abs() < DEVIATIONS
    }
    /// Of both runs on a machine together, if the machine is slow: the mean if they are worse by comparable shares, and of one with
    /// a rare setting the less, since a neighbour may have been there, too.
    pub(super) fn confirmed_by(self, other: Deviation, rare: bool) -> Option<Deviation> {
        let less = if other.worse < self.worse { other } else { self };
        let both = Deviation::mean(&[self, other]);
        let comparable = less.worse >= COMPARABLE * self.worse.max(other.worse);
        if comparable && both.is_worse() {
            return Some(both);
        }
        (rare && less.z >= OF_RARE && less.worse >= EFFECT).then_some(less)
    }
}

/// By what the deviation of so many machines is taken as larger, since that of few is itself a chance.
pub(super) fn unsure(machines: usize) -> f64 {
    1.0 + FEW / machines as f64
}

/// Probability that a standard normal value exceeds z, 1 for none above the middle (Abramowitz and Stegun, 26.2.17; its tail by Mills' ratio).
pub(super) fn tail(z: f64) -> f64 {
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z <= 0.0 {
        1.0
    } else if z > 5.0 {
        density * (1.0 - 1.0 / (z * z)) / z
    } else {
        let t = 1.0 / (1.0 + 0.231_641_9 * z);
        let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
        density * series.iter().rev().fold(0.0, |sum, b| (sum + b) * t)
    }
}

/// Whether a figure of another run is worse by at least the least share, too.
pub(super) fn is_like(h: &Headline, off: &SlowFigure) -> bool {
    let worse = (h.value - off.peers) / off.peers;
    (if h.better == Better::Lower { worse } else { -worse }) >= EFFECT
}
