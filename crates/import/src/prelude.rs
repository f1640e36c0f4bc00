//! Names that nearly every importer uses: text and its lines, numbers as tools print them, and the results.
pub(crate) use crate::{
    found::{Found, Problem},
    grammar::Field,
    importer::Importer,
    metric::{BANDWIDTH, BOGO_OPS, LOAD_TO_USE, Quantity, THROUGHPUT, known, per_second, seconds},
    number::{agree, bytes, leading, number, rounding, whole},
    session::command,
    text::{Line, Text, tidy},
};
pub(crate) use record::{Better, Metric, ProbeId, Unit, Value};
