//! The published JSON Schema is generated from the types; this test refreshes it and fails once.
#![allow(clippy::unwrap_used, reason = "tests may")]
use std::{fs, path::Path};

#[test]
fn the_committed_schema_is_current() {
    let schema = schemars::schema_for!(record::Record);
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.schema.json");
    if fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(&file, text).unwrap();
    panic!("updated docs/record.schema.json; look at the change and run again");
}
