//! The processor's name in firmware as lscpu prints it: without the part number and the frequency that follow it.
//! Source: util-linux, sys-utils/lscpu-dmi.c.

/// Firmware's name of the processor, behind which lscpu puts its part number and its frequency: `AWS Graviton3 AWS
/// Graviton3 CPU @ 2.6GHz`, `AMD EPYC 7763 64-Core Processor None CPU @ 2.4GHz`.
pub(crate) fn firmware_name(words: &str) -> &str {
    const NO_PART: [&str; 6] =
        ["N/A", "None", "Unknown", "Not Specified", "To Be Filled By O.E.M.", "Fill By OEM"];
    // Intel's own names end in a frequency with two decimals.
    let own =
        |hz: &str| hz.trim_end_matches("GHz").split_once('.').is_some_and(|(_, d)| d.len() > 1);
    let name =
        words.rsplit_once("CPU @ ").filter(|(_, hz)| !own(hz)).map_or(words, |(name, _)| name);
    let name = name.trim_end();
    let name = NO_PART.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name).trim_end();
    // The part number may be the name again.
    match name.split_at_checked(name.len() / 2) {
        Some((one, other)) if other.strip_prefix(' ') == Some(one) => one,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firmwares_name_loses_what_lscpu_puts_behind_it() {
        for (words, name) in [
            ("AWS Graviton3 AWS Graviton3 CPU @ 2.6GHz", "AWS Graviton3"),
            ("AWS Graviton5 N/A CPU @ 3.3GHz", "AWS Graviton5"),
            (
                "AMD EPYC 7763 64-Core Processor None CPU @ 2.4GHz",
                "AMD EPYC 7763 64-Core Processor",
            ),
            (
                "Intel(R) Xeon(R) E-2176G CPU @ 3.70GHz To Be Filled By O.E.M. CPU @ 3.6GHz",
                "Intel(R) Xeon(R) E-2176G CPU @ 3.70GHz",
            ),
            (
                "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
                "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
            ),
            ("Kunpeng 920-4826", "Kunpeng 920-4826"),
            ("CPU @ 2.0GHz", ""),
        ] {
            assert_eq!(firmware_name(words), name);
        }
    }
}
