//! The weight of a difference between two values: docs/adr/0017.
use crate::say;
use record::Message;

/// The weight of a difference.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The comparison stands; the reader should know.
    Noted,
    /// The ratio is shown and nothing is claimed.
    Unclaimed,
    /// No ratio: two quantities under one name.
    Refused,
}

impl Grade {
    /// What it says before a reason.
    pub fn words(self) -> Message {
        match self {
            Grade::Noted => say::GRADE_NOTED,
            Grade::Unclaimed => say::GRADE_UNCLAIMED,
            Grade::Refused => say::GRADE_REFUSED,
        }
    }
}
