//! Pages and reports as text, HTML, JSON, CSV and Markdown, in the reader's language. Decides how things look, never what they mean.
#![deny(missing_docs)]

pub mod brief;
pub mod check;
mod falls;
mod heads;
mod language;
pub mod program;
pub mod renderer;
pub mod renderers;
pub mod summary;
mod tools;

pub use analyse::quantity;
pub use renderer::{Renderer, Settings, Subject, formats, render};
