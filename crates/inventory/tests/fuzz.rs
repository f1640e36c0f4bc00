//! The fuzz targets in the ordinary suite.
#[path = "../../../fuzz/entries/inventory.rs"]
mod entries;
#[path = "../../../fuzz/entries/suite.rs"]
mod suite;

/// Inputs that fuzzing found.
#[test]
fn found_inputs_hold() {
    // A denied file whose neighbours nobody reads: its folder is not in the capture.
    entries::tree(b"\xf7A%\xe3\xd1\x08\xe5~\x00\x01\x10");
    // A folder with nothing in it but what may not be read is a folder all the same.
    entries::tree(b"\x05\x05\x26\x01\x01\x07\x07\x02\x05\x05\x01\x17\x17");
    // A command line of a zero byte.
    entries::tree(b"\x05\x31\x05\x4f\x4f\x2d");
    // One with a zero byte at its end.
    entries::tree(b"\x25\xff\x09\x00\x26--1E\x01\x00");
    // A vendor's number that nothing else goes with.
    entries::processor(b"-\xffprocessor\t: 0\nhart\t\t: 1\nisa\t\t: rv64i\nmvendorid\t: 0x488\n");
}
