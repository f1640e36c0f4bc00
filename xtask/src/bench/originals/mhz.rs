//! lmbench's `mhz`: the clock from the greatest common divisor of loop times.
use crate::bench::original::{ANY, Original, Pair, Pick, Tolerance, Unit, column};

pub(crate) static ORIGINAL: Original = Original {
    name: "mhz",
    programs: &["mhz"],
    proof: "nanosec clock",
    source: super::LMBENCH,
    pairs: &[Pair {
        quantity: "core frequency",
        unit: Unit::Gigahertz,
        ours: Pick { probe: "core_frequency", case: &[], at: &[("chain", "add")] },
        // Its own calibration asks for seconds where the machine is not idle.
        call: |s| Some(s.call("mhz").on(&s.cpu).with(&CALIBRATED)),
        read,
        tolerance: Tolerance::Within(0.01),
        most: ANY,
    }],
};

/// Intervals of 10 ms, and no correction for loop and clock: what the calibration finds on an idle machine.
const CALIBRATED: [(&str, &str); 3] = [("ENOUGH", "10000"), ("LOOP_O", "0"), ("TIMING_O", "0")];

/// `4511 MHz, 0.2217 nanosec clock`; `-1 System too busy` where it gave up.
fn read(text: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.contains(" MHz"))?;
    column(line, "", 0).filter(|mhz| *mhz > 0.0).map(|mhz| mhz / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_line_is_read_and_its_refusal_is_none() {
        assert_eq!(read("4511 MHz, 0.2217 nanosec clock\n"), Some(4.511));
        assert_eq!(read("-1 System too busy\n"), None);
    }
}
