//! The requirements of an ELF file on its system, as readelf of binutils prints them.
use super::Arch;
use crate::children::{child, output};
use std::path::Path;

/// A program is static if it asks for no interpreter, which is what loads shared libraries.
pub(super) fn check_static(file: &Path, arch: Arch) -> Result<(), String> {
    let mut readelf = child(arch.tool("readelf"));
    readelf.args(["--file-header", "--program-headers", "--wide"]).env("LC_ALL", "C");
    is_static(&output(readelf.arg(file))?, arch)
}

fn is_static(headers: &str, arch: Arch) -> Result<(), String> {
    let machine = match arch {
        Arch::X86_64 => "X86-64",
        Arch::Aarch64 => "AArch64",
    };
    let has = |begin: &str| headers.lines().find(|line| line.trim_start().starts_with(begin));
    if !has("Machine:").is_some_and(|line| line.ends_with(machine)) {
        return Err(format!("not made for {}", arch.name()));
    }
    match (has("LOAD "), has("INTERP ")) {
        (Some(_), None) => Ok(()),
        (_, Some(_)) => Err("asks for an interpreter, so it is not static".into()),
        (None, None) => Err("has nothing to load".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_without_an_interpreter_are_static() {
        let of = |machine: &str, headers: &str, arch| {
            is_static(&format!("ELF Header:\n  Machine:   {machine}\n\n  {headers} 0x1000\n"), arch)
        };
        let x86 = "Advanced Micro Devices X86-64";
        assert_eq!(of(x86, "LOAD ", Arch::X86_64), Ok(()));
        assert_eq!(of("AArch64", "LOAD ", Arch::Aarch64), Ok(()));
        assert!(of(x86, "LOAD ", Arch::Aarch64).unwrap_err().contains("not made for aarch64"));
        assert!(of(x86, "LOAD \n  INTERP ", Arch::X86_64).unwrap_err().contains("interpreter"));
        assert!(of(x86, "NOTE ", Arch::X86_64).unwrap_err().contains("nothing to load"));
    }

    /// The test program itself is dynamic.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "crt-static")))]
    #[test]
    fn this_program_is_not_static() {
        let me = std::env::current_exe().unwrap();
        let why = check_static(&me, Arch::X86_64).unwrap_err();
        assert!(why.contains("interpreter"), "{why}");
        assert!(check_static(&me.with_extension("none"), Arch::X86_64).is_err());
    }
}
