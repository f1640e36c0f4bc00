//! Everything that touches the operating system.
