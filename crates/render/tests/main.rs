//! Pages and reports of recorded runs, in every format.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its fixture has failed")]
mod chinese;
mod compare;
mod english;
mod explained;
mod fixture;
mod formats;
mod fuzz;
mod hostile;
mod html;
mod large;
mod noise;
#[cfg(feature = "schema")]
mod schema;
mod summary;
mod summary_words;
mod undisturbed_speed;
mod unixbench;
