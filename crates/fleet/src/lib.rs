//! Records of many machines and many days into verdicts, and into rows for databases. Pure: records or digests in, verdicts or
//! bytes out.
#![deny(missing_docs)]

pub mod check;
pub mod digest;
mod group;
pub mod headline;
pub mod history;
mod loss;
pub mod modes;
mod parquet;
pub mod profile;
pub mod published;
pub mod rows;
mod runs;
mod say {
    i18n::messages!("fleet");
}
mod statistic;
pub mod tolerance;
mod unite;
pub mod verdict;

pub use check::{Check, check};
pub use group::Key;
pub use headline::{Headline, headlines};
pub use loss::{Loss, LossKind};
pub use profile::{Limit, Profile};
pub use runs::peers;
