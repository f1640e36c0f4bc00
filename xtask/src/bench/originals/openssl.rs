//! `openssl speed` as people run it, by the installed OpenSSL: another version than ours, and so other code for some (AES-GCM
//! by AVX-512 from 3.1 on). Its aes-256-gcm is ours from 3.0.16, 3.2.4 and 3.3.3 on. AES-IGE it has up to 1.1.1 only.
use crate::bench::original::{Original, Pair, Pick, Tolerance, Unit};

pub(crate) static ORIGINAL: Original = Original {
    name: "openssl",
    programs: &["openssl"],
    proof: "speed",
    source: "apt install openssl",
    pairs: &[
        Pair {
            quantity: "AES-256-GCM, messages of 8192 bytes",
            unit: Unit::Gigabytes,
            ours: ours(&[("algorithm", "aes-256-gcm"), ("copies", "1")]),
            call: |s| Some(s.call("openssl").on(&s.cpu).args(&speed("aes-256-gcm"))),
            read: |text| thousands(text, "AES-256-GCM"),
            tolerance: Tolerance::Within(0.03),
            most: 5,
        },
        Pair {
            quantity: "SHA-256, 8192 bytes",
            unit: Unit::Gigabytes,
            ours: ours(&[("algorithm", "sha256"), ("copies", "1")]),
            call: |s| Some(s.call("openssl").on(&s.cpu).args(&speed("sha256"))),
            read: |text| thousands(text, "sha256"),
            tolerance: Tolerance::Within(0.03),
            most: 5,
        },
        Pair {
            quantity: "ChaCha20-Poly1305, 8192 bytes",
            unit: Unit::Gigabytes,
            ours: ours(&[("algorithm", "chacha20-poly1305"), ("copies", "1")]),
            call: |s| Some(s.call("openssl").on(&s.cpu).args(&speed("chacha20-poly1305"))),
            read: |text| thousands(text, "ChaCha20-Poly1305"),
            tolerance: Tolerance::Within(0.03),
            most: 5,
        },
        Pair {
            quantity: "RSA-2048 signatures",
            unit: Unit::PerSecond,
            ours: Pick {
                probe: "openssl",
                case: &[("algorithm", "rsa2048"), ("copies", "1")],
                at: &[("metric", "sign")],
            },
            call: |s| {
                let words = ["speed", "-seconds", "1", "rsa2048"];
                Some(s.call("openssl").on(&s.cpu).args(&words))
            },
            read: signatures,
            tolerance: Tolerance::Within(0.03),
            most: 5,
        },
    ],
};

const fn ours(case: &'static [(&'static str, &'static str)]) -> Pick {
    Pick { probe: "openssl", case, at: &[("block", "8192")] }
}

fn speed(algorithm: &str) -> [&str; 7] {
    ["speed", "-seconds", "1", "-bytes", "8192", "-evp", algorithm]
}

/// `sha256   1721039.30k`: thousands of bytes per second, in GB/s.
fn thousands(text: &str, algorithm: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.starts_with(algorithm))?;
    let last = line.split_whitespace().next_back()?.strip_suffix('k')?;
    last.parse().ok().map(|thousands: f64| thousands / 1e6)
}

/// `rsa 2048 bits 0.000327s 0.000019s   3056.7  51441.7`: seconds of a signature and of a check, and both by the second.
fn signatures(text: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.starts_with("rsa ") && l.contains("2048 bits"))?;
    let mut fields = line.split_whitespace().rev();
    fields.nth(1)?.parse().ok()
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
        let rsa = "                  sign    verify    sign/s verify/s\n\
                   rsa 2048 bits 0.000327s 0.000019s   3056.7  51441.7\n";
        assert_eq!(signatures(rsa), Some(3056.7));
        assert_eq!(signatures("rsa 4096 bits 0.1s 0.1s 1.0 2.0\n"), None);
    }
}
