//! openssl speed.
use crate::equivalent::{
    Differs, Equivalent, Match, Shown,
    row::{At, CORE, ROW, form, unclaimed},
};
use Match::{Any, AsMany, One, Theirs, Tool};
use record::{Metric, ProbeId};

/// SHA-256, ChaCha20-Poly1305 and RSA have the same code in 3.0 and in ours.
const OPENSSL: Shown = Shown::Within(0.03, CORE);
const COPIES: (&str, Match) = ("copies", AsMany("processes"));
const BLOCK: (&str, Match) = ("block", Theirs("block"));
const OTHER_OPENSSL: Option<Differs> = unclaimed(
    "OpenSSL's code for it differs between versions, and ours is linked",
    "openssl speed of one version on both",
);

const fn openssl(theirs: At, ours: At, metric: Metric, differs: Option<Differs>) -> Equivalent {
    Equivalent {
        what: "openssl speed",
        theirs: form(&[ProbeId::OpensslSpeed], metric, theirs),
        ours: form(&[ProbeId::Openssl], metric, ours),
        version: 2,
        shown: if differs.is_none() { OPENSSL } else { Shown::Never },
        differs,
        command: "cpulens run --only openssl",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 9] = [
    openssl(
        &[
            ("tool", Tool(&["openssl speed 3"])),
            ("algorithm", One(&["sha256"])),
            ("processes", Any),
            ("block", Any),
        ],
        &[("algorithm", One(&["sha256"])), COPIES, BLOCK],
        Metric::Throughput,
        None,
    ),
    openssl(
        &[("algorithm", One(&["sha256"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["sha256"])), COPIES, BLOCK],
        Metric::Throughput,
        OTHER_OPENSSL,
    ),
    openssl(
        &[
            ("tool", Tool(&["openssl speed 3"])),
            ("algorithm", One(&["chacha20-poly1305"])),
            ("processes", Any),
            ("block", Any),
        ],
        &[("algorithm", One(&["chacha20-poly1305"])), COPIES, BLOCK],
        Metric::Throughput,
        None,
    ),
    openssl(
        &[("algorithm", One(&["chacha20-poly1305"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["chacha20-poly1305"])), COPIES, BLOCK],
        Metric::Throughput,
        OTHER_OPENSSL,
    ),
    // A message with each block from these on; before, all blocks were one message.
    openssl(
        &[
            (
                "tool",
                Tool(&[
                    "openssl speed 3.0.16",
                    "openssl speed 3.0.17",
                    "openssl speed 3.0.18",
                    "openssl speed 3.0.19",
                    "openssl speed 3.2.4",
                    "openssl speed 3.2.5",
                    "openssl speed 3.2.6",
                    "openssl speed 3.3.3",
                    "openssl speed 3.3.4",
                    "openssl speed 3.3.5",
                    "openssl speed 3.5",
                    "openssl speed 3.6",
                ]),
            ),
            ("algorithm", One(&["aes-256-gcm"])),
            ("processes", Any),
            ("block", Any),
        ],
        &[("algorithm", One(&["aes-256-gcm"])), COPIES, BLOCK],
        Metric::Throughput,
        OTHER_OPENSSL,
    ),
    openssl(
        &[("algorithm", One(&["aes-256-gcm"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["aes-256-gcm-stream"])), COPIES, BLOCK],
        Metric::Throughput,
        OTHER_OPENSSL,
    ),
    openssl(
        &[("algorithm", One(&["aes-256 ige", "aes-256-ige"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["aes-256-ige"])), COPIES, BLOCK],
        Metric::Throughput,
        unclaimed(
            "openssl speed dropped AES-IGE in 3.0, so ours has no original of its version",
            "openssl speed of one version on both",
        ),
    ),
    openssl(
        &[("algorithm", One(&["rsa 2048 bits"])), ("processes", Any)],
        &[("algorithm", One(&["rsa2048"])), COPIES],
        Metric::Sign,
        OTHER_OPENSSL,
    ),
    openssl(
        &[("algorithm", One(&["rsa 2048 bits"])), ("processes", Any)],
        &[("algorithm", One(&["rsa2048"])), COPIES],
        Metric::Verify,
        OTHER_OPENSSL,
    ),
];
