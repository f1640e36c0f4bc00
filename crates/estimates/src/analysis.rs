//! An analysis: a question that one record answers, computed when it is asked.
use crate::report::Report;
use erased_serde::Serialize as AnySerialize;
use record::{Sort, Text};
use serde::Serialize;

#[cfg(feature = "schema")]
pub use schemars::JsonSchema as Described;

/// Implemented by every type where no schema is asked for.
#[cfg(not(feature = "schema"))]
pub trait Described {}
#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// An answer to one question. Its id, which is its file's name, is its key in the report as JSON.
pub trait Analysis: Serialize + Described + 'static {
    /// Its title, in a few words.
    const TITLE: &'static str;
    /// Its place in a report: the lowest comes first.
    const ORDER: u16;
    /// Computes it from the record, its estimates and other analyses. Pure.
    fn compute(report: &Report<'_>) -> Self;
    /// Full sentences for the report's conclusions.
    fn conclusions(&self) -> Vec<Text> {
        vec![]
    }
}

impl Report<'_> {
    /// An analysis, computed when it is asked for the first time.
    pub fn get<A: Analysis>(&self) -> &A {
        self.computed.get_or_compute(|| A::compute(self))
    }
    /// Replaces an analysis, such as one that needs other records.
    pub fn set<A: Analysis>(&mut self, analysis: A) {
        self.computed.set(analysis);
    }
}

/// An analysis in a list of all.
#[derive(Debug)]
pub struct Entry {
    /// See [`Analysis::TITLE`].
    pub title: &'static str,
    /// See [`Analysis::ORDER`].
    pub order: u16,
    /// Computes it if need be.
    pub get: for<'r> fn(&'r Report<'_>) -> &'r dyn AnySerialize,
    /// See [`Analysis::conclusions`].
    pub conclusions: fn(&Report<'_>) -> Vec<Text>,
    /// Its JSON Schema.
    #[cfg(feature = "schema")]
    pub schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl Entry {
    /// The entry of an analysis.
    pub const fn of<A: Analysis>() -> Entry {
        Entry {
            title: A::TITLE,
            order: A::ORDER,
            get: |report| report.get::<A>(),
            conclusions: |report| report.get::<A>().conclusions(),
            #[cfg(feature = "schema")]
            schema: |generator| generator.subschema_for::<A>(),
        }
    }
}

/// The analyses of some lists, in the order of a report.
pub fn in_order(
    lists: &[&[(&'static str, &'static Entry)]],
) -> Vec<(&'static str, &'static Entry)> {
    let mut all = lists.concat();
    all.order_by_key(|(_, entry)| entry.order);
    all
}
