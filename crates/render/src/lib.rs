//! Reports as text, HTML, JSON, CSV and Markdown. Decides how things look, never what they mean.
#![deny(missing_docs)]

pub mod brief;
pub mod chart;
pub mod check;
mod compared;
mod comparison_sections;
pub mod diagnosis;
pub mod digest;
pub mod document;
pub mod exporter;
pub mod exporters;
mod falls;
pub mod fleet;
pub mod history;
mod listing;
pub mod messages;
pub mod origin;
pub mod page;
pub mod paired;
mod parquet;
pub mod placement;
pub mod program;
pub mod proof;
mod prose;
pub mod renderer;
pub mod renderers;
pub mod section;
mod sections;
pub mod summary;
mod tools;
pub mod whatif;

pub use analyse::quantity;
pub use listing::{ListedCell, Listing};
pub use renderer::{Renderer, Settings, Subject, formats, render};
