//! What the sections of a comparison word alike.
use analyse::compare::{Grade, Incomparable};

/// More records than this stand below each other, not side by side.
pub(crate) const BESIDE: usize = 4;

/// A ratio with three digits behind the point near 1, fewer farther off.
pub(crate) fn ratio(x: f64) -> String {
    match x {
        x if !x.is_finite() => "not a number".into(),
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x if x >= 1.9995 => format!("{x:.2}"),
        x if x >= 0.09995 => format!("{x:.3}"),
        x => format!("{x:.2e}"),
    }
}

/// A reason why two values are not comparable, with what follows from it.
pub(crate) fn marked(unlike: &Incomparable, command: &str) -> String {
    let reason = unlike.reason(command);
    match unlike.grade() {
        Grade::Noted => format!("Noted: {reason}"),
        Grade::Unclaimed => format!("Nothing is claimed: {reason}"),
        Grade::Refused => format!("No ratio: {reason}"),
    }
}
