//! The HTML report in a real browser: `tests/report`.
