//! A number and its unit become words here, and nowhere else; `words` has the short names for sentences. The value alone
//! decides its digits, so that one value reads alike wherever it is printed; its interval has the same.
use crate::estimate::Estimate;
use crate::say;
use record::{Reason, Text, Unit};
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

/// Decimals that leave `value` three significant digits; none of a whole number, which is a count, a size or was printed so.
fn decimals(value: f64) -> usize {
    // 50e-9 / 1e-9 is not quite 50.
    if (value - value.round()).abs() <= 1e-9 * value.abs() && value.abs() < 1e6 {
        0
    } else {
        three(value)
    }
}

/// Decimals that leave `value` three significant digits, four before the point.
fn three(value: f64) -> usize {
    // 0.9999 is about to be printed as 1.00.
    let magnitude = |x: f64| (x.abs() * 1.0005).log10().floor().clamp(-4.0, 2.0) as i32;
    if value == 0.0 { 0 } else { (2 - magnitude(value)) as usize }
}

/// "-0" is no number to print.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// A value: three significant digits, whole numbers in full, shares as [`percent`] has them.
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
    if unit == Unit::Ratio {
        return percent(value);
    }
    let (factor, name) = scale(value, unit);
    format!("{}{name}", fixed(value / factor, decimals(value / factor)))
}

/// A factor: three significant digits, also of 2.00.
pub fn factor(times: f64) -> String {
    if times.is_finite() { fixed(times, three(times)) } else { "not a number".into() }
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

/// A share as a percentage: two significant digits, or hundredths of a per cent: of a second that is 100 us.
///
/// ```
/// assert_eq!(estimates::quantity::percent(0.00234), "0.23 %");
/// assert_eq!(estimates::quantity::percent(0.00001), "<0.01 %");
/// assert_eq!(estimates::quantity::percent(0.5), "50 %");
/// ```
pub fn percent(ratio: f64) -> String {
    let points = ratio * 100.0;
    match points.abs() {
        p if !p.is_finite() => "not a number".into(),
        p if p != 0.0 && p < 0.005 => "<0.01 %".into(),
        _ => format!("{} %", fixed(points, of_percent(points))),
    }
}

/// Decimals of a percentage.
fn of_percent(points: f64) -> usize {
    match points.abs() {
        p if p == 0.0 || p >= 9.95 => 0,
        p if p >= 0.995 => 1,
        _ => 2,
    }
}

/// The median: `150 ns`.
pub fn median(estimate: &Estimate) -> String {
    plain(estimate.median, estimate.unit)
}

/// An interval in the scale and digits of the value it belongs to: `149 to 152 ns`.
pub fn interval(value: f64, unit: Unit, interval: &Interval) -> String {
    match ends(value, unit, interval) {
        Ok((low, high, name)) => format!("{low} to {high}{name}"),
        Err(half) => half,
    }
}

/// An interval in the scale and digits of its value, without unit: `149-152`.
pub fn range(value: f64, unit: Unit, interval: &Interval) -> String {
    match ends(value, unit, interval) {
        Ok((low, high, _)) => format!("{low}-{high}"),
        Err(half) => half,
    }
}

/// An interval as the share by which its farther end differs from the value, `+/-0.21 %`; one that reaches beyond twice the value
/// as multiples of it, `0.29x-3.5x`. There is no share of nothing.
pub fn half_width(value: f64, interval: &Interval) -> String {
    let half = (interval.high - value).max(value - interval.low) / value.abs();
    if half.is_infinite() {
        return "n/a".into();
    }
    if half > 1.0 && value > 0.0 {
        let times = |end: f64| fixed(end / value, 1 + usize::from(end < value));
        return format!("{}x-{}x", times(interval.low), times(interval.high));
    }
    format!("+/-{}", percent(half.max(f64::EPSILON)))
}

/// The ends of an interval and their unit; where both read as the value does, half its width as a share: `+/-0.21 %`.
fn ends(
    value: f64,
    unit: Unit,
    interval: &Interval,
) -> Result<(String, String, &'static str), String> {
    let (factor, name) = scale(value, unit);
    let decimals = if unit == Unit::Ratio { of_percent } else { three };
    let of_value = decimals(value / factor);
    // A far end has no more digits than a value has there.
    let end = |end: f64| fixed(end / factor, of_value.min(decimals(end / factor)));
    match (end(interval.low), end(interval.high)) {
        (low, high) if value == 0.0 => Ok((low, high, name)),
        // Ends that are equal are so by the clock's ticks; nothing is known without doubt.
        (low, high) if low == high => Err(half_width(value, interval)),
        (low, high) => Ok((low, high, name)),
    }
}

/// A value in the scale of another and without unit, for a list of levels: `26.3`.
pub fn in_scale_of(value: f64, of: f64, unit: Unit) -> String {
    let scaled = value / scale(of, unit).0;
    fixed(scaled, decimals(scaled))
}

/// A value of an axis whose marks are `step` apart, which decides its digits.
pub fn tick(value: f64, step: f64, unit: Unit) -> String {
    let (factor, name) = scale(value, unit);
    let digits = -(step / factor).abs().log10().floor().clamp(-6.0, 0.0);
    format!("{}{name}", fixed(value / factor, digits as usize))
}

/// Everything about one estimate on one line: `150 ns [149, 152] n=12`, `4.51 GHz +/-<0.01 % n=40`.
pub fn estimate(estimate: &Estimate) -> String {
    let mut line = median(estimate);
    if let Some(i) = &estimate.interval {
        line += &match ends(estimate.median, estimate.unit, i) {
            Ok((low, high, _)) => format!(" [{low}, {high}]"),
            Err(half) => format!(" {half}"),
        };
    }
    line + &format!(" n={}", estimate.count)
}

/// Cycles without their unit.
pub fn cycles(cycles: f64) -> String {
    plain(cycles, Unit::Count)
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
pub fn uncounted(why: Option<&Reason>) -> Text {
    why.map_or(say::NO_PMU.into(), |why| say::not_available(&why.why))
}

/// These words with a capital first letter.
pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// A bare number for a box with room for three digits.
pub fn short(value: f64) -> String {
    if value.is_finite() { fixed(value, decimals(value).min(2)) } else { "?".into() }
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

    /// The digits of a value rest on nothing else: an estimate reads as its median does, whatever its interval.
    #[test]
    fn the_value_alone_decides_its_digits() {
        let medians = [1.5, 0.15, 0.0001, 25.0]
            .map(|half| (131.6e-9 - half * 1e-9, 131.6e-9 + half * 1e-9))
            .map(|ends| median(&made(Unit::Seconds, 131.6e-9, Some(ends), 12)));
        for shown in medians {
            assert_eq!(shown, "132 ns");
        }
        assert_eq!(plain(4.04e-9, Unit::Seconds), "4.04 ns");
        assert_eq!(short(4.04), "4.04");
    }

    /// Ends never leave the value outside.
    #[test]
    fn an_interval_has_the_digits_of_its_value() {
        let within = |low: f64, high: f64| {
            range(131.6e-9, Unit::Seconds, &Interval { low, high, confidence: 0.95 })
        };
        assert_eq!(within(131.4e-9, 131.6e-9), "131-132");
        assert_eq!(within(131.55e-9, 131.8e-9), "+/-0.15 %");
        assert_eq!(within(131.55e-9, 132.4e-9), "+/-0.61 %");
        assert_eq!(within(2.0e-9, 1300.0e-9), "2-1300");
        let share = Interval { low: 0.02111, high: 0.02352, confidence: 0.95 };
        assert_eq!(interval(0.0225, Unit::Ratio, &share), "2.1 to 2.4 %");
        let nothing = Interval { low: 0.0, high: 0.0, confidence: 0.95 };
        assert_eq!(range(0.0, Unit::Ratio, &nothing), "0-0");
        let wide = Interval { low: 29.0, high: 347.4, confidence: 0.95 };
        assert_eq!(half_width(100.0, &wide), "0.29x-3.5x");
        assert_eq!(half_width(200.0, &wide), "+/-86 %");
        assert_eq!([half_width(0.0, &wide), half_width(0.0, &nothing)], ["n/a", "+/-<0.01 %"]);
    }

    #[test]
    fn one_line_says_value_interval_and_count() {
        let latency = made(Unit::Seconds, 150e-9, Some((149e-9, 152e-9)), 12);
        assert_eq!(estimate(&latency), "150 ns [149, 152] n=12");
        let frequency = made(Unit::Hertz, 4.512e9, Some((4.499e9, 4.526e9)), 40);
        assert_eq!(estimate(&frequency), "4.51 GHz [4.50, 4.53] n=40");
        let ticks = made(Unit::Hertz, 4.5e9, Some((4.5e9, 4.5e9)), 40);
        assert!(estimate(&ticks).ends_with("+/-<0.01 % n=40"), "{}", estimate(&ticks));
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
        assert_eq!(plain(2.933e9, Unit::TransfersPerSecond), "2933 MT/s");
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
                    bare(crate::words::worded(value, unit).to_string()),
                    bare(table),
                    "{value:e} {unit:?}"
                );
            }
        }
    }

    #[test]
    fn ends_have_one_unit() {
        let i = Interval { low: 149e-9, high: 152e-9, confidence: 0.95 };
        assert_eq!(interval(150e-9, Unit::Seconds, &i), "149 to 152 ns");
    }

    #[test]
    fn percentages() {
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.0002), "0.02 %");
        assert_eq!(percent(0.013), "1.3 %");
        assert_eq!(percent(0.98), "98 %");
    }
}
