//! Numbers inside sentences: three significant digits, each with its unit, by way of `quantity`, which words them in
//! columns, axes and tables, too.
pub use crate::quantity::{counted as count, percent};
use crate::quantity::{factor, plain as exact};
use crate::say;
use record::{Device, Text, Unit};

/// The name of a device: `NIC eth0`, else its address.
pub fn device(device: &Device) -> String {
    let name = device.names.first().unwrap_or(&device.address);
    format!("{} {name}", device.kind.name())
}

/// A duration: `156 ns`, `21.3 us`.
pub fn time(seconds: f64) -> String {
    exact(seconds, Unit::Seconds)
}

/// A frequency: `4.50 GHz`.
pub fn frequency(hertz: f64) -> String {
    exact(hertz, Unit::Hertz)
}

/// A bandwidth in powers of ten: `41.0 GB/s`.
pub fn rate(bytes_per_second: f64) -> String {
    exact(bytes_per_second, Unit::BytesPerSecond)
}

/// A rate of operations, in powers of ten: `12.9 G/s`.
pub fn per_second(rate: f64) -> String {
    exact(rate, Unit::PerSecond)
}

/// Transfers of a memory module: `3200 MT/s`, never rounded, for it is a name.
pub fn transfers(per_second: f64) -> String {
    exact(per_second, Unit::TransfersPerSecond)
}

/// A capacity in powers of two: `32 MiB`, `1.25 MiB`.
pub fn bytes(bytes: f64) -> String {
    exact(bytes, Unit::Bytes)
}

/// A plain number such as a factor: `3.86`, `172`.
pub fn number(value: f64) -> String {
    factor(value)
}

/// A number that need not have been measured: `1.5`, `2`, `1024`.
pub fn plain(value: f64) -> String {
    let text = exact(value, Unit::Count);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A text of other machines or programs, of which a mark stands for the end beyond so many characters.
///
/// ```
/// assert_eq!(estimates::words::shortened("make -j 8", 4), "make…");
/// assert_eq!(estimates::words::shortened("make", 4), "make");
/// ```
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A number in the words of its unit.
pub fn worded(x: f64, unit: Unit) -> Text {
    let words = match unit {
        Unit::Bytes => bytes(x),
        Unit::TransfersPerSecond => transfers(x),
        Unit::Ratio => percent(x),
        Unit::PerSecond => return say::per_second(number(x)),
        Unit::PerCycle => return say::per_cycle(number(x)),
        Unit::Joules => format!("{} J", number(x)),
        Unit::Celsius => return say::celsius(number(x)),
        Unit::Count => plain(x),
        Unit::Seconds | Unit::BytesPerSecond | Unit::Hertz | Unit::Cycles | Unit::Watts => {
            exact(x, unit)
        }
    };
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_unit() {
        assert_eq!(time(156.4e-9), "156 ns");
        assert_eq!(time(0.8894e-9), "0.889 ns");
        assert_eq!(time(999.9e-9), "1.00 us");
        assert_eq!(frequency(4.5148e9), "4.51 GHz");
        assert_eq!(rate(41.02e9), "41.0 GB/s");
        assert_eq!(transfers(3.2e9), "3200 MT/s");
        assert_eq!((per_second(12.9e9), per_second(3.0)), ("12.9 G/s".into(), "3/s".into()));
        assert_eq!([bytes(33_554_432.0), bytes(700.0)], ["32 MiB", "700 B"]);
        assert_eq!((percent(0.154), percent(0.0042)), ("15 %".into(), "0.42 %".into()));
        assert_eq!([plain(1.5), plain(20.0), number(1.5)], ["1.5", "20", "1.50"]);
        assert_eq!([plain(1024.0), plain(0.125)], ["1024", "0.125"]);
        assert_eq!([9.996, 5512.0, 0.0123, 0.0].map(number), ["10.0", "5512", "0.0123", "0"]);
        assert_eq!((count(1, "core"), count(2, "core")), ("1 core".into(), "2 cores".into()));
    }
}
