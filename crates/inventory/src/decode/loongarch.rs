//! LoongArch names from `/proc/cpuinfo`: the processor id's series (Linux `asm/cpu.h`), else the model name.

/// The core design; `unknown: ...` when the id is there but not listed.
pub(crate) fn microarchitecture(prid: Option<&str>, model: Option<&str>) -> Option<String> {
    if let Some(prid) = prid.and_then(id) {
        let name = match prid & 0xf000 {
            0x8000 => "LA132",
            0xa000 => "LA264",
            0xb000 => "LA364",
            0xc000 => "LA464",
            0xd000 => "LA664",
            _ => return Some(format!("unknown: PRID 0x{prid:08x}")),
        };
        return Some(name.into());
    }
    let model = model?;
    let made = |names: &[&str]| names.iter().any(|name| model.contains(name));
    // 2K3000 and 3B6000M are one chip without LASX (areweloongyet #430).
    let small = made(&["3B6000M", "2K3000"]);
    Some(if !small && made(&["3A6000", "3B6000", "3C6000", "3D6000", "3E6000"]) {
        "LA664".into()
    } else if made(&["3A5000", "3B5000", "3C5000", "3D5000", "3E5000"]) {
        "LA464".into()
    } else if made(&["3B6600", "3C6600"]) {
        // No kernel has its series yet; the maker announced it with this core (2025).
        "LA864".into()
    } else if small || made(&["2K2000"]) {
        "LA364".into()
    } else if made(&["2K1000LA", "2K1500"]) {
        "LA264".into()
    } else {
        format!("unknown: {model}")
    })
}

/// `LoongArch64 (0014c010)` or `0x14c010`.
fn id(text: &str) -> Option<u32> {
    let inner = text.split_once('(').map_or(text, |(_, rest)| rest.trim_end_matches(')'));
    crate::cpuinfo::hex(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_wins_over_the_name() {
        let parse = |text: &str| {
            let info = crate::cpuinfo::CpuInfo::parse(text);
            microarchitecture(info.get(&["prid"]), info.get(&["model name"]))
        };
        assert_eq!(parse("PRID : LoongArch64 (0014d000)\n").as_deref(), Some("LA664"));
        assert_eq!(parse("Model Name : Loongson-3A5000\n").as_deref(), Some("LA464"));
        assert_eq!(parse("Model Name : Loongson-3B6000M\n").as_deref(), Some("LA364"));
        assert_eq!(parse("Model Name : Loongson-2K3000\n").as_deref(), Some("LA364"));
        assert_eq!(parse("Model Name : Loongson-3B6000\n").as_deref(), Some("LA664"));
        assert_eq!(parse("Model Name : Loongson-3B6600\n").as_deref(), Some("LA864"));
        assert_eq!(parse("Model Name : Godson-9\n").as_deref(), Some("unknown: Godson-9"));
        assert_eq!(parse("processor : 0\n"), None);
    }
}
