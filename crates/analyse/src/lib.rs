//! What follows from a record. Pure: the same record gives the same report on any machine, on any day.
#![deny(missing_docs)]

mod report;

pub use report::{
    Cell, Curve, CurvePoint, Drift, Estimate, Finding, Interval, Level, Matrix, Plateau, Report,
    State, Verdict,
};
