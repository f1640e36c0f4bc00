//! The document: what was observed, on what, how, and where each value came from.
