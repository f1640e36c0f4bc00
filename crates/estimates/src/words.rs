//! Numbers inside sentences: three significant digits, each with its unit.
//!
//! Columns, axes and tables are formatted by `render`, which depends on this crate and not the other way round. A
//! sentence is one piece of text for every output, so its numbers are worded here, and only here.
use record::Unit;

/// Three significant digits, without exponent: `0.889`, `156`, `5500`.
fn three(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // By way of the exponent form, so that 9.996 becomes 10.0 and not 10.00.
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    let decimals = (2 - rounded.abs().log10().floor() as i32).clamp(0, 12);
    format!("{rounded:.*}", decimals as usize)
}

/// A duration: `156 ns`, `21.3 us`.
pub fn time(seconds: f64) -> String {
    scaled(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")])
}

/// A frequency: `4.50 GHz`.
pub fn frequency(hertz: f64) -> String {
    scaled(hertz, &[(1e9, "GHz"), (1e6, "MHz")])
}

/// A bandwidth in powers of ten: `41.0 GB/s`.
pub fn rate(bytes_per_second: f64) -> String {
    scaled(bytes_per_second, &[(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s")])
}

/// A rate of operations, in powers of ten: `12.9 G/s`.
pub fn per_second(rate: f64) -> String {
    scaled(rate, &[(1e12, "T/s"), (1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1.0, "/s")])
}

/// Transfers of a memory module: `3200 MT/s`, never rounded, for it is a name.
pub fn transfers(per_second: f64) -> String {
    format!("{:.0} MT/s", per_second / 1e6)
}

/// A capacity in powers of two: `32 MiB`, `1.25 MiB`.
pub fn bytes(bytes: f64) -> String {
    let text = scaled(
        bytes,
        &[
            (1_099_511_627_776.0, "TiB"),
            (1_073_741_824.0, "GiB"),
            (1_048_576.0, "MiB"),
            (1024.0, "KiB"),
            (1.0, "bytes"),
        ],
    );
    // Capacities are round numbers more often than not: "32.0 MiB" would pretend to have been measured.
    match text.split_once(' ') {
        Some((number, unit)) => format!("{} {unit}", trimmed(number)),
        None => text,
    }
}

/// A share: `15 %`, `0.4 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent.abs() >= 9.95 || percent == 0.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// A plain number such as a factor: `3.86`, `172`.
pub fn number(value: f64) -> String {
    three(value)
}

/// A number that need not have been measured: `1.5`, `2`.
pub fn plain(value: f64) -> String {
    trimmed(&three(value)).to_owned()
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// `1 core`, `2 cores`.
pub fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// The largest unit that leaves one digit before the point, else the smallest.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(size, _)| value.abs() >= size * 0.9995);
    let (size, unit) = fits.or(units.last()).copied().unwrap_or((1.0, ""));
    format!("{} {unit}", three(value / size))
}

/// A number in the words of its unit.
pub fn worded(x: f64, unit: Unit) -> String {
    match unit {
        Unit::Seconds => time(x),
        Unit::Bytes => bytes(x),
        Unit::BytesPerSecond => rate(x),
        Unit::Hertz => frequency(x),
        Unit::TransfersPerSecond => transfers(x),
        Unit::Ratio => percent(x),
        Unit::PerSecond => format!("{} per second", number(x)),
        Unit::PerCycle => format!("{} per cycle", number(x)),
        Unit::Cycles => format!("{} cycles", number(x)),
        Unit::Joules => format!("{} J", number(x)),
        Unit::Watts => format!("{} W", number(x)),
        Unit::Celsius => format!("{} degrees Celsius", number(x)),
        Unit::Count => plain(x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_whatever_the_size() {
        let worded: Vec<String> =
            [0.8894, 9.996, 156.4, 5500.0, 0.0123, 0.0].map(three).into_iter().collect();
        assert_eq!(worded, ["0.889", "10.0", "156", "5500", "0.0123", "0"]);
    }

    #[test]
    fn every_number_has_its_unit() {
        assert_eq!(time(156.4e-9), "156 ns");
        assert_eq!(time(0.8894e-9), "0.889 ns");
        assert_eq!(time(999.9e-9), "1.00 us");
        assert_eq!(frequency(4.5148e9), "4.51 GHz");
        assert_eq!(rate(41.02e9), "41.0 GB/s");
        assert_eq!(transfers(3.2e9), "3200 MT/s");
        assert_eq!((per_second(12.9e9), per_second(3.0)), ("12.9 G/s".into(), "3.00 /s".into()));
        assert_eq!(bytes(33_554_432.0), "32 MiB");
        assert_eq!(bytes(1_310_720.0), "1.25 MiB");
        assert_eq!(bytes(700.0), "700 bytes");
        assert_eq!((percent(0.154), percent(0.0042)), ("15 %".into(), "0.4 %".into()));
        assert_eq!(
            (plain(1.5), plain(20.0), number(1.5)),
            ("1.5".into(), "20".into(), "1.50".into())
        );
        assert_eq!((count(1, "core"), count(2, "core")), ("1 core".into(), "2 cores".into()));
    }
}
