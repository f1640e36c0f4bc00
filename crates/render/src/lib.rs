//! Reports as text, HTML, JSON, CSV and Markdown. Decides how things look, never what they mean.
#![deny(missing_docs)]

pub mod renderer;
