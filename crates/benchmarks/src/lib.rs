//! One record's results of benchmarks and programs: UnixBench, databases, scaling runs, OS noise, a counted program; and
//! quantities of any tool with the grade of their source. Pure, as `estimates` is.

pub mod analyses;
#[cfg(test)]
#[path = "../../estimates/tests/example/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod program;
pub mod quantities;
mod say {
    i18n::messages!("benchmarks");
}
