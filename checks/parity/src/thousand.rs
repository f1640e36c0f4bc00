//! A machine of 1024 CPUs as a folder of files. What `cpulens capture` would have kept of one, as far as size goes.
#[path = "../../../crates/inventory/tests/machines/mod.rs"]
mod machines;

use std::path::Path;
use xtask::tree::{make, write};

/// Writes the files below `top`, and returns the number of CPUs.
pub(super) fn files_below(top: &Path) -> Result<u32, String> {
    let mut build = machines::thousand();
    let cpus = build.cpus();
    let heads: String = (0..cpus).map(|cpu| format!(" CPU{cpu}")).collect();
    let counts = "1 ".repeat(cpus as usize);
    let rows: String = (0..64).map(|line| format!("\n{line}: {counts} PCI-MSI")).collect();
    build.files.push(("/proc/interrupts".into(), (heads + &rows).into()));
    for cpu in 0..cpus {
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq");
        build.files.push((format!("{dir}/scaling_governor"), "performance".into()));
        build.files.push((format!("{dir}/cpuinfo_max_freq"), "3500000".into()));
    }
    for (path, content) in build.tree().files() {
        let file = top.join(path.trim_start_matches('/'));
        file.parent().map_or(Ok(()), make)?;
        write(&file, content)?;
    }
    Ok(cpus)
}
