//! `openssl speed` as people run it. Ours runs the same program, so this shows whether we read it right and leave it alone.
use crate::bench::original::{Original, Pair, Pick, Tolerance, Unit};

pub(crate) static ORIGINAL: Original = Original {
    name: "openssl",
    programs: &["openssl"],
    proof: "speed",
    source: "apt install openssl",
    pairs: &[
        Pair {
            quantity: "AES-256-GCM, 8192 bytes, 1 copy",
            unit: Unit::Gigabytes,
            ours: Pick {
                probe: "openssl",
                case: &[("algorithm", "aes-256-gcm"), ("copies", "1")],
                at: &[("block", "8192")],
            },
            call: |s| Some(s.call("openssl").on(&s.cpu).args(&speed("aes-256-gcm"))),
            read: |text| thousands(text, "AES-256-GCM"),
            tolerance: Tolerance::Within(0.03),
            most: 5,
        },
        Pair {
            quantity: "SHA-256, 8192 bytes, 1 copy",
            unit: Unit::Gigabytes,
            ours: Pick {
                probe: "openssl",
                case: &[("algorithm", "sha256"), ("copies", "1")],
                at: &[("block", "8192")],
            },
            call: |s| Some(s.call("openssl").on(&s.cpu).args(&speed("sha256"))),
            read: |text| thousands(text, "sha256"),
            tolerance: Tolerance::Within(0.03),
            most: 5,
        },
    ],
};

fn speed(algorithm: &str) -> [&str; 7] {
    ["speed", "-seconds", "1", "-bytes", "8192", "-evp", algorithm]
}

/// `sha256   1721039.30k`: thousands of bytes per second, in GB/s.
fn thousands(text: &str, algorithm: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.starts_with(algorithm))?;
    let last = line.split_whitespace().next_back()?.strip_suffix('k')?;
    last.parse().ok().map(|thousands: f64| thousands / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_last_line_is_read() {
        let text = "version: 3.0.19\nThe 'numbers' are in 1000s of bytes per second processed.\n\
                    type           8192 bytes\nAES-256-GCM   3410257.32k\n";
        assert_eq!(thousands(text, "AES-256-GCM"), Some(3.410_257_32));
        assert_eq!(thousands("speed: Unknown algorithm\n", "sha256"), None);
    }
}
