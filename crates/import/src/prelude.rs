//! Names that importers use: text and its lines, fields and numbers as tools print them, quantities, and the results.
pub(crate) use crate::{
    found::{Found, Problem},
    grammar::{FactTable, Field, Kind, Lines, Section, fact, facts, json, sections},
    importer::Importer,
    metric::{
        BANDWIDTH, BOGO_OPS, INJECTED, LOAD_TO_USE, Quantity, SCORE, THROUGHPUT, known, neither,
        per_second, seconds,
    },
    number::{agree, bytes, count_of, cpu_list, hertz, leading, number, rounding, whole},
    session::{command, kept, option},
    text::{Line, Text, tidy},
};
pub(crate) use record::{Better, Metric, ProbeId, Unit, Value};
