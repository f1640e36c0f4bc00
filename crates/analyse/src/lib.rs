//! What follows from a record.
