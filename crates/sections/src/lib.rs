//! Reports as pages: sections of sentences, tables and charts, in English. Decides what is shown and in which order, never how it
//! looks.
#![deny(missing_docs)]

pub mod chart;
pub mod compared;
mod comparison_sections;
pub mod diagnosis;
pub mod document;
pub mod exporter;
pub mod exporters;
pub mod fleet;
pub mod history;
pub mod listing;
pub mod origin;
pub mod page;
pub mod paired;
pub mod placement;
pub mod plan;
pub mod proof;
mod say {
    i18n::messages!("sections");
}
pub mod section;
mod sections;
pub mod whatif;

use analyse::quantity;
