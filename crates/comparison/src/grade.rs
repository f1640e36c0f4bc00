//! The weight of a difference between two values: docs/adr/0017.

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
