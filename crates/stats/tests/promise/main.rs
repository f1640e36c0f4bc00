//! Seeded simulations of each promise that the crate states, and a broken twin that must fail.
#![expect(clippy::unwrap_used, reason = "tests, and the functions they share")]

mod changes;
mod clusters;
mod comparison;
mod coverage;
mod moments;
mod noise;
mod pairs;
mod plateaus;
mod reaches;
mod repeats;
mod saturation;
mod scalability;
