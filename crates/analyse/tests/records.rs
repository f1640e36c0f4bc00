//! The committed records are what the generator makes, and they load. A change rewrites them and fails once.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
mod generate;

use std::{fs, path::Path};

#[test]
fn the_committed_records_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/records/v1");
    let mut changed = vec![];
    for (name, record) in generate::all() {
        let bytes = record::to_vec(&record).unwrap();
        assert_eq!(record::from_slice(&bytes).unwrap(), record, "{name} does not round-trip");
        assert!(bytes.len() < 400 << 10, "{name} is {} bytes long", bytes.len());
        let file = folder.join(format!("{name}.json"));
        if !fs::read(&file).is_ok_and(|old| old == bytes) {
            fs::write(&file, bytes).unwrap();
            changed.push(name);
        }
    }
    assert!(changed.is_empty(), "updated {changed:?}; look at the change and run again");
}
