//! A number and its unit become words here, and nowhere else; `words` has the short names for sentences. The interval
//! decides how many digits are shown: never more than it supports.
use crate::estimate::Estimate;
use record::{Reason, Unit};
use stats::Interval;

/// Printed units per stored unit, ascending: how many of the stored make one, and its name.
/// Rates and frequencies are decimal, sizes binary (IEC 80000-13).
fn scales(unit: Unit) -> &'static [(f64, &'static str)] {
    const K: f64 = 1024.0;
    match unit {
        Unit::Seconds => &[(1e-9, " ns"), (1e-6, " us"), (1e-3, " ms"), (1.0, " s")],
        Unit::Bytes => &[
            (1.0, " B"),
            (K, " KiB"),
            (K * K, " MiB"),
            (K * K * K, " GiB"),
            (K * K * K * K, " TiB"),
        ],
        Unit::BytesPerSecond => &[(1.0, " B/s"), (1e3, " kB/s"), (1e6, " MB/s"), (1e9, " GB/s")],
        Unit::Hertz => &[(1.0, " Hz"), (1e3, " kHz"), (1e6, " MHz"), (1e9, " GHz")],
        Unit::PerSecond => &[(1.0, "/s"), (1e3, " k/s"), (1e6, " M/s"), (1e9, " G/s")],
        Unit::PerCycle => &[(1.0, "/cycle")],
        Unit::Cycles => &[(1.0, " cycles")],
        Unit::TransfersPerSecond => &[(1e6, " MT/s")],
        Unit::Count => &[(1.0, "")],
        Unit::Ratio => &[(0.01, " %")],
        Unit::Joules => &[(1e-9, " nJ"), (1e-6, " uJ"), (1e-3, " mJ"), (1.0, " J")],
        Unit::Watts => &[(1.0, " W")],
        Unit::Celsius => &[(1.0, " °C")],
    }
}

/// The largest printed unit that the value reaches.
fn scale(value: f64, unit: Unit) -> (f64, &'static str) {
    let known = scales(unit);
    // Nothing of a time is not nothing of its smallest unit.
    if value == 0.0 && unit == Unit::Seconds {
        return (1.0, " s");
    }
    let reached = known.iter().rev().find(|(factor, _)| value.abs() >= *factor * 0.9995);
    *reached.unwrap_or(&known[0])
}

/// Decimals that leave `value` its first two digits and no other digit below the first of `half`, the half-width of
/// the interval; three significant digits where no spread is known, four at most. Negative rounds to tens.
fn decimals(value: f64, half: Option<f64>) -> i32 {
    let order =
        |x: f64| if x == 0.0 { 0 } else { x.abs().log10().floor().clamp(-30.0, 30.0) as i32 };
    // 0.9999 is about to be printed as 1.00.
    let magnitude = order(value * 1.0005);
    match half.filter(|h| *h > 0.0 && h.is_finite()) {
        Some(h) => (-order(h)).min(3 - magnitude).max(1 - magnitude).min(6),
        None => (2 - magnitude).min(6),
    }
}

fn fixed(value: f64, decimals: i32) -> String {
    // Whole numbers are not rounded unless the interval asks for it, and "-0" is no number to print.
    let step = 10f64.powi((-decimals).max(0));
    let rounded = (value / step).round() * step;
    let text =
        format!("{:.*}", decimals.max(0) as usize, if decimals < 0 { rounded } else { value });
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// A value whose spread is not known: three significant digits, whole counts and sizes in full.
///
/// ```
/// use record::Unit;
/// assert_eq!(estimates::quantity::plain(1.5e-7, Unit::Seconds), "150 ns");
/// assert_eq!(estimates::quantity::plain(32768.0, Unit::Bytes), "32 KiB");
/// ```
pub fn plain(value: f64, unit: Unit) -> String {
    if !value.is_finite() {
        return "not a number".into();
    }
    let (factor, name) = scale(value, unit);
    let scaled = value / factor;
    // 50e-9 / 1e-9 is not quite 50.
    let whole = (scaled - scaled.round()).abs() <= 1e-9 * scaled.abs() && scaled.abs() < 1e6;
    let digits = if whole { 0 } else { decimals(scaled, None).max(0) };
    format!("{}{}", fixed(scaled, digits), name)
}

/// A size in bytes, exact where it is a whole number of a binary unit.
pub fn size(bytes: u64) -> String {
    plain(bytes as f64, Unit::Bytes)
}

/// Bytes per second in whole thousands with a `k`: the unit in which `openssl speed` prints.
///
/// ```
/// assert_eq!(estimates::quantity::thousands(89_602_860.0), "89603k");
/// ```
pub fn thousands(bytes_per_second: f64) -> String {
    format!("{:.0}k", bytes_per_second / 1e3)
}

/// A share as a percentage.
pub fn percent(ratio: f64) -> String {
    if !ratio.is_finite() {
        return "not a number".into();
    }
    let points = ratio * 100.0;
    let digits = if points.abs() >= 9.95 || points == 0.0 { 0 } else { 1 };
    match points {
        p if p != 0.0 && p.abs() < 0.05 => "<0.1 %".into(),
        _ => format!("{} %", fixed(points, digits)),
    }
}

/// A share that may be small, in hundredths of a per cent: of a second that is 100 us.
///
/// ```
/// assert_eq!(estimates::quantity::small_share(0.00234), "0.23 %");
/// assert_eq!(estimates::quantity::small_share(0.00001), "<0.01 %");
/// assert_eq!(estimates::quantity::small_share(0.5), "50.0 %");
/// ```
pub fn small_share(ratio: f64) -> String {
    let points = ratio * 100.0;
    match points.abs() {
        p if !p.is_finite() => "not a number".into(),
        p if p != 0.0 && p < 0.005 => "<0.01 %".into(),
        p if p >= 9.995 => format!("{} %", fixed(points, 1)),
        _ => format!("{} %", fixed(points, 2)),
    }
}

/// Half the width within which the median is known, in the estimate's unit: from the interval, else from
/// the spread of the samples; nothing for a single sample.
pub fn half_width(estimate: &Estimate) -> Option<f64> {
    estimate
        .interval
        .map(|i| (i.high - i.low) / 2.0)
        .or(estimate.cv.map(|cv| cv * estimate.median.abs()))
}

/// A value with the digits that a half-width supports.
pub fn resolved(value: f64, unit: Unit, half: Option<f64>) -> String {
    if !value.is_finite() {
        return "not a number".into();
    }
    // The speed of a memory module is a name: 2933 is one, and 2930 is none.
    if unit == Unit::TransfersPerSecond && half.is_none() {
        return plain(value, unit);
    }
    let (factor, name) = scale(value, unit);
    let digits = decimals(value / factor, half.map(|h| h / factor));
    format!("{}{name}", fixed(value / factor, digits))
}

/// The median, with the digits that its interval supports: `150 ns`.
pub fn median(estimate: &Estimate) -> String {
    resolved(estimate.median, estimate.unit, half_width(estimate))
}

/// An interval in the scale and precision of the value it belongs to: `149 to 152 ns`.
pub fn interval(value: f64, unit: Unit, interval: &Interval) -> String {
    let (low, high, name) = ends(value, unit, interval);
    format!("{low} to {high}{name}")
}

/// An interval in the scale and precision of its value, without unit: `149-152`.
pub fn range(value: f64, unit: Unit, interval: &Interval) -> String {
    let (low, high, _) = ends(value, unit, interval);
    format!("{low}-{high}")
}

fn ends(value: f64, unit: Unit, interval: &Interval) -> (String, String, &'static str) {
    let (factor, name) = scale(value, unit);
    let [low, high] = [interval.low, interval.high].map(|end| end / factor);
    let ends = |digits| (fixed(low, digits), fixed(high, digits));
    // One digit more than the median where the ends would both round to it.
    let digits = decimals(value / factor, Some((interval.high - interval.low) / 2.0 / factor));
    let (low, high) = match ends(digits) {
        (low, high) if low == high => ends(digits + 1),
        apart => apart,
    };
    (low, high, name)
}

/// A value in the scale of another and without unit, for a list of levels: `26.3`.
pub fn in_scale_of(value: f64, of: f64, unit: Unit) -> String {
    let scaled = value / scale(of, unit).0;
    fixed(scaled, decimals(scaled, None).max(0))
}

/// Everything about one estimate on one line: `150 ns [149, 152] n=12`, or `4.51 GHz ±0.3 %` style for
/// frequencies, whose relative error is what matters.
pub fn estimate(estimate: &Estimate) -> String {
    let mut line = median(estimate);
    if let Some(i) = &estimate.interval {
        if estimate.unit == Unit::Hertz && estimate.median != 0.0 {
            // Ends that are equal are so by the clock's ticks; nothing is known without doubt.
            let half = (i.high - i.low) / 2.0 / estimate.median.abs();
            line += &format!(" ±{}", percent(half.max(f64::EPSILON)));
        } else {
            let (low, high, _) = ends(estimate.median, estimate.unit, i);
            line += &format!(" [{low}, {high}]");
        }
    }
    line + &format!(" n={}", estimate.count)
}

/// Cycles as the median's own relative precision supports.
pub fn cycles(cycles: f64, relative_half: Option<f64>) -> String {
    resolved(cycles, Unit::Cycles, relative_half.map(|r| r * cycles.abs()))
        .trim_end_matches(" cycles")
        .to_owned()
}

/// A count with its noun: `1 socket`, `2 sockets`.
pub fn counted(count: usize, what: &str) -> String {
    match (count, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) if what.ends_with('s') => format!("{count} {what}es"),
        (_, None) => format!("{count} {what}s"),
    }
}

/// A count of events, of which there may be very many: `12`, `4.31 M`, `128 G`.
///
/// ```
/// assert_eq!(estimates::quantity::many(128_284_870_917.0), "128 G");
/// assert_eq!(estimates::quantity::many(99.0), "99");
/// ```
pub fn many(count: f64) -> String {
    let scales = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e4, " k")];
    let scale = scales.iter().find(|(factor, _)| count.abs() >= *factor * 0.9995);
    match scale {
        Some((1e4, name)) => plain(count / 1e3, Unit::Count) + name,
        Some((factor, name)) => plain(count / factor, Unit::Count) + name,
        None => plain(count, Unit::Count),
    }
}

/// The reason why nothing was counted.
pub fn uncounted(why: Option<&Reason>) -> String {
    why.map_or("n/a: no PMU".into(), |why| format!("n/a: {}", why.why))
}

/// The same words with a capital first letter.
pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// A bare number for a box with room for three digits or so.
pub fn short(value: f64) -> String {
    if value.is_finite() { fixed(value, decimals(value, None).clamp(0, 1)) } else { "?".into() }
}

/// The scale's name alone, for the axis of a chart whose largest value this is, and its factor.
pub fn axis(largest: f64, unit: Unit) -> (f64, &'static str) {
    let (factor, name) = scale(largest, unit);
    (factor, name.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Better;

    fn made(unit: Unit, median: f64, ends: Option<(f64, f64)>, count: usize) -> Estimate {
        Estimate {
            run: 0,
            series: 0,
            probe: "".into(),
            case: String::new(),
            metric: "".into(),
            at: Default::default(),
            unit,
            better: Better::Lower,
            median,
            interval: ends.map(|(low, high)| Interval { low, high, confidence: 0.95 }),
            of_run: None,
            variation: None,
            cv: None,
            min: median,
            max: median,
            count,
            marked: Default::default(),
            cycles: None,
            per_cycle: None,
            states: vec![],
            elsewhere: vec![],
            variant: None,
            moved: None,
        }
    }

    #[test]
    fn the_interval_decides_the_digits() {
        let ns = |half: f64| resolved(150.1234e-9, Unit::Seconds, Some(half * 1e-9));
        assert_eq!(ns(1.5), "150 ns");
        assert_eq!(ns(0.15), "150.1 ns");
        assert_eq!(ns(0.0001), "150.1 ns", "four digits at most");
        assert_eq!(ns(25.0), "150 ns", "rounded to tens");
        assert_eq!(resolved(157.0e-9, Unit::Seconds, Some(25e-9)), "160 ns");
        assert_eq!(resolved(4.04e-9, Unit::Seconds, Some(60e-9)), "4.0 ns", "two digits stay");
        assert_eq!(resolved(241e-9, Unit::Seconds, Some(120e-9)), "240 ns");
    }

    #[test]
    fn one_line_says_value_interval_and_count() {
        let latency = made(Unit::Seconds, 150e-9, Some((149e-9, 152e-9)), 12);
        assert_eq!(estimate(&latency), "150 ns [149, 152] n=12");
        let frequency = made(Unit::Hertz, 4.512e9, Some((4.499e9, 4.526e9)), 40);
        assert_eq!(estimate(&frequency), "4.51 GHz ±0.3 % n=40");
        let ticks = made(Unit::Hertz, 4.5e9, Some((4.5e9, 4.5e9)), 40);
        assert!(estimate(&ticks).ends_with("±<0.1 % n=40"), "{}", estimate(&ticks));
        assert_eq!(estimate(&made(Unit::BytesPerSecond, 12.34e9, None, 1)), "12.3 GB/s n=1");
    }

    #[test]
    fn scales() {
        for (value, unit, words) in [
            (0.3e-9, Unit::Seconds, "0.300 ns"),
            (999.9e-9, Unit::Seconds, "1.00 us"),
            (2.5, Unit::Seconds, "2.50 s"),
            (48.0 * 1024.0, Unit::Bytes, "48 KiB"),
            (1.5 * 1048576.0, Unit::Bytes, "1.50 MiB"),
            (12.3e9, Unit::BytesPerSecond, "12.3 GB/s"),
            (1234.5e9, Unit::BytesPerSecond, "1234 GB/s"),
            (3.2e9, Unit::TransfersPerSecond, "3200 MT/s"),
            (0.25, Unit::Ratio, "25 %"),
            (4.0, Unit::Count, "4"),
            (0.0, Unit::Seconds, "0 s"),
            (50.0e-9, Unit::Seconds, "50 ns"),
            (3.96, Unit::PerCycle, "3.96/cycle"),
            (f64::NAN, Unit::Seconds, "not a number"),
        ] {
            assert_eq!(plain(value, unit), words);
        }
        assert_eq!(resolved(2.933e9, Unit::TransfersPerSecond, None), "2933 MT/s");
    }

    /// A sentence and a table say the same of a value whose spread is not known, but for zeros that a sentence keeps.
    #[test]
    fn sentences_and_tables_agree_on_every_value_of_every_unit() {
        let bare = |text: String| match text.split_once('.') {
            Some((whole, rest)) => {
                let digits = rest.chars().take_while(char::is_ascii_digit).count();
                let (digits, unit) = rest.split_at(digits);
                format!("{whole}.{}", digits.trim_end_matches('0')).trim_end_matches('.').to_owned()
                    + unit
            }
            None => text,
        };
        let units = [
            (Unit::Seconds, 1e-10, 1e3),
            (Unit::Bytes, 1.0, 1e12),
            (Unit::BytesPerSecond, 1.0, 9e11),
            (Unit::Hertz, 1.0, 9e11),
            (Unit::TransfersPerSecond, 1e8, 1e10),
            (Unit::Ratio, 1e-4, 3.0),
            (Unit::Count, 1e-3, 999.0),
        ];
        for (unit, low, high) in units {
            let values = (0..400).map(|n| low * f64::powf(high / low, f64::from(n) / 400.0));
            for value in values.chain([0.0]) {
                let table = if unit == Unit::Ratio { percent(value) } else { plain(value, unit) };
                assert_eq!(
                    bare(crate::words::worded(value, unit)),
                    bare(table),
                    "{value:e} {unit:?}"
                );
            }
        }
    }

    #[test]
    fn ends_that_would_read_alike_get_one_digit_more() {
        let i = Interval { low: 149.97e-9, high: 150.04e-9, confidence: 0.95 };
        assert_eq!(interval(150e-9, Unit::Seconds, &i), "149.97 to 150.04 ns");
        let i = Interval { low: 149e-9, high: 152e-9, confidence: 0.95 };
        assert_eq!(interval(150e-9, Unit::Seconds, &i), "149 to 152 ns");
    }

    #[test]
    fn percentages() {
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.0002), "<0.1 %");
        assert_eq!(percent(0.013), "1.3 %");
        assert_eq!(percent(0.98), "98 %");
    }
}
