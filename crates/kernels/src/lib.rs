//! The machine code being timed.
