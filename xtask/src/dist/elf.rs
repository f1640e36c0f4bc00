//! The requirements of an ELF file on its system (System V ABI, chapters 4 and 5).
use super::Arch;

const X86_64: u16 = 62;
const AARCH64: u16 = 183;
const INTERPRETER: u32 = 3;

/// A program is static if it asks for no interpreter, which is what loads shared libraries.
pub(super) fn check_static(bytes: &[u8], arch: Arch) -> Result<(), String> {
    let cut = || "the file ends within its headers".to_owned();
    if bytes.get(..6) != Some(b"\x7fELF\x02\x01") {
        return Err("not a 64-bit little-endian ELF file".into());
    }
    let short = |place| at(bytes, place).map(u16::from_le_bytes).ok_or_else(cut);
    let machine = short(18)?;
    let wanted = match arch {
        Arch::X86_64 => X86_64,
        Arch::Aarch64 => AARCH64,
    };
    if machine != wanted {
        return Err(format!("made for ELF machine {machine}, not for {} ({wanted})", arch.name()));
    }
    let table = at(bytes, 32).map(u64::from_le_bytes).ok_or_else(cut)?;
    let table = usize::try_from(table).map_err(|_| cut())?;
    let (size, count) = (usize::from(short(54)?), usize::from(short(56)?));
    for n in 0..count {
        let kind =
            table.checked_add(n * size).and_then(|place| at(bytes, place)).ok_or_else(cut)?;
        if u32::from_le_bytes(kind) == INTERPRETER {
            return Err("asks for an interpreter, so it is not static".into());
        }
    }
    Ok(())
}

fn at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(machine: u16, kind: u32) -> Vec<u8> {
        let mut bytes = vec![0; 64 + 56];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[18..20].copy_from_slice(&machine.to_le_bytes());
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = 1;
        bytes[64..68].copy_from_slice(&kind.to_le_bytes());
        bytes
    }

    #[test]
    fn only_programs_without_an_interpreter_are_static() {
        assert_eq!(check_static(&file(X86_64, 1), Arch::X86_64), Ok(()));
        assert_eq!(check_static(&file(AARCH64, 1), Arch::Aarch64), Ok(()));
        assert!(check_static(&file(X86_64, INTERPRETER), Arch::X86_64).is_err());
        assert!(check_static(&file(X86_64, 1), Arch::Aarch64).is_err());
    }

    #[test]
    fn a_cut_file_is_refused() {
        let whole = file(X86_64, 1);
        for end in 0..68 {
            assert!(check_static(&whole[..end], Arch::X86_64).is_err(), "{end}");
        }
    }

    /// The test program itself is dynamic.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "crt-static")))]
    #[test]
    fn this_program_is_not_static() {
        let me = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(check_static(&me, Arch::X86_64).is_err());
    }
}
