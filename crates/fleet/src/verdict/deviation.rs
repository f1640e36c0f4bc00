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

pub(super) fn is_worse(z: f64, off: &SlowFigure) -> bool {
    z >= DEVIATIONS && off.worse >= EFFECT
}

/// The distance of a figure from its mode in deviations, on the bad side, and as a share.
pub(super) fn deviation(of: &Headline, mode: &Mode) -> Option<(f64, SlowFigure)> {
    let sign = match of.better {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return None,
    };
    let off = sign * (of.value - mode.median);
    // The deviation of few machines is itself a chance.
    let unsure = 1.0 + FEW / mode.count as f64;
    let spread = unsure * mode.spread.max(ALIKE * mode.median);
    let worse = off / mode.median;
    let z = off / spread;
    let found = SlowFigure {
        name: of.name.clone(),
        unit: of.unit,
        value: of.value,
        peers: mode.median,
        worse,
    };
    z.is_finite().then_some((z, found))
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
