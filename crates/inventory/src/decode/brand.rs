//! Server processors by their brand string alone: what benchmarks print of the machine they ran on. Sources: Intel, "Processor
//! Numbers" (Xeon E3 to E7, Xeon Scalable, Xeon 6); AMD, "EPYC processor naming" (the last digit is the generation);
//! Huawei, Kunpeng 920; the clouds' descriptions of their Arm chips. What is not listed is not guessed.

/// A processor's vendor and microarchitecture, in the words of the other tables here.
pub(crate) fn named(brand: &str) -> Option<(&'static str, &'static str)> {
    let low = brand.to_ascii_lowercase().replace("(r)", " ").replace("(tm)", " ");
    let words: Vec<&str> = low.split([' ', '-', ',', '@']).filter(|w| !w.is_empty()).collect();
    let after = |word: &str| {
        let at = words.iter().position(|w| *w == word)?;
        Some(words[at + 1..].iter().copied().filter(|w| *w != "cpu" && *w != "processor"))
    };
    if let Some(mut model) = after("xeon") {
        return Some(("Intel", xeon(&mut model)?));
    }
    if let Some(mut model) = after("epyc") {
        return Some(("AMD", epyc(model.next()?)?));
    }
    if let (true, Some(mut model)) = (words.contains(&"hygon"), after("c86")) {
        return Some(("Hygon", hygon(model.next()?)?));
    }
    if let Some(mut model) = after("kunpeng") {
        return kunpeng(&mut model).map(|design| ("HiSilicon", design));
    }
    let chip = words.join(" ");
    let (_, vendor, design) = CHIPS.iter().find(|(name, ..)| chip.ends_with(name))?;
    Some((vendor, design))
}

const CHIPS: &[(&str, &str, &str)] = &[
    ("graviton2", "Arm", "Neoverse N1"),
    ("graviton3", "Arm", "Neoverse V1"),
    ("graviton4", "Arm", "Neoverse V2"),
    ("ampere altra", "Arm", "Neoverse N1"),
    ("ampere altra max", "Arm", "Neoverse N1"),
    ("yitian 710", "Arm", "Neoverse N2"),
    ("cobalt 100", "Microsoft", "Neoverse N2 (Azure Cobalt 100)"),
    ("ft 2500", "Phytium", "FTC663"),
    ("ft2500", "Phytium", "FTC663"),
    ("s2500", "Phytium", "FTC663"),
];

/// The digits that a word begins with, and what follows.
fn number(word: &str) -> (&[u8], &str) {
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    (&word.as_bytes()[..end], &word[end..])
}

fn xeon<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<&'static str> {
    let first = words.next()?;
    match first {
        "platinum" | "gold" | "silver" | "bronze" => {
            let (digits, suffix) = number(words.next()?);
            let &[b'3' | b'4' | b'5' | b'6' | b'8' | b'9', generation, _, _] = digits else {
                return None;
            };
            Some(match generation {
                b'1' => "Skylake-SP",
                b'2' => "Cascade Lake",
                b'3' if suffix.starts_with('h') => "Cooper Lake",
                b'3' => "Ice Lake-SP",
                b'4' => "Sapphire Rapids",
                b'5' => "Emerald Rapids",
                _ => return None,
            })
        }
        "e3" | "e5" | "e7" => {
            let (digits, _) = number(words.next()?);
            let version = words.next().filter(|w| w.starts_with('v'));
            Some(match (first, version) {
                (_, _) if digits.len() != 4 => return None,
                ("e7", None) => return None,
                (_, None) => "Sandy Bridge",
                (_, Some("v2")) => "Ivy Bridge",
                (_, Some("v3")) => "Haswell",
                (_, Some("v4")) => "Broadwell",
                ("e3", Some("v5")) => "Skylake",
                ("e3", Some("v6")) => "Kaby Lake",
                _ => return None,
            })
        }
        _ => match number(first) {
            (&[b'6', b'5' | b'7' | b'9', _, _], "p" | "pp") => Some("Granite Rapids"),
            (&[b'6', b'7' | b'9', _, _], "e") => Some("Sierra Forest"),
            _ => None,
        },
    }
}

/// `7742`, `7R32`, `9V74X`: the series, letters of a cloud or a kind, and the generation as the fourth.
fn epyc(word: &str) -> Option<&'static str> {
    let [series, _, _, generation, ..] = word.as_bytes() else { return None };
    Some(match (series, generation) {
        (b'3' | b'7', b'1') => "Zen 1",
        (b'7', b'2') => "Zen 2",
        (b'7', b'3') => "Zen 3",
        (b'4' | b'8' | b'9', b'4') => "Zen 4",
        (b'4' | b'9', b'5') => "Zen 5",
        _ => return None,
    })
}

fn hygon(word: &str) -> Option<&'static str> {
    match number(word) {
        (&[b'3' | b'5' | b'7', b'1' | b'2', _, _], _) => Some("Dhyana (from Zen 1)"),
        _ => None,
    }
}

/// The later 920s with other cores have other numbers (7270Z, 7280Z).
fn kunpeng<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<&'static str> {
    const V110: [&str; 8] = ["3226", "4826", "5220", "5230", "5250", "6426", "7260", "7265"];
    let known = words.next()? == "920" && V110.contains(&words.next()?);
    known.then_some("TaiShan v110 (Kunpeng 920)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_by_their_brand() {
        for (brand, design) in [
            ("Intel(R) Xeon(R) Platinum 8163 CPU @ 2.50GHz", "Skylake-SP"),
            ("Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz", "Cascade Lake"),
            ("Intel(R) Xeon(R) Gold 6348H CPU @ 2.30GHz", "Cooper Lake"),
            ("Intel(R) Xeon(R) Platinum 8369B CPU @ 2.70GHz", "Ice Lake-SP"),
            ("Intel(R) Xeon(R) Silver 4410Y", "Sapphire Rapids"),
            ("INTEL(R) XEON(R) PLATINUM 8581C CPU @ 2.60GHz", "Emerald Rapids"),
            ("Intel(R) Xeon(R) 6980P", "Granite Rapids"),
            ("Intel(R) Xeon(R) 6780E", "Sierra Forest"),
            ("Intel(R) Xeon(R) CPU E5-2682 v4 @ 2.50GHz", "Broadwell"),
            ("Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", "Sandy Bridge"),
            ("AMD EPYC 7742 64-Core Processor", "Zen 2"),
            ("AMD EPYC 7R13 Processor", "Zen 3"),
            ("AMD EPYC 9V74 80-Core Processor", "Zen 4"),
            ("AMD EPYC 9755 128-Core Processor", "Zen 5"),
            ("Hygon C86 7280 32-core Processor", "Dhyana (from Zen 1)"),
            ("HUAWEI Kunpeng 920 4826", "TaiShan v110 (Kunpeng 920)"),
            ("Kunpeng-920-4826", "TaiShan v110 (Kunpeng 920)"),
            ("AWS Graviton3", "Neoverse V1"),
            ("Phytium,FT-2500/64", ""),
            ("Phytium FT-2500", "FTC663"),
            // A hypervisor's model, a desktop, a name without a number, and what is not sold.
            ("AMD EPYC-Rome Processor", ""),
            ("Intel Xeon Processor (Skylake, IBRS)", ""),
            ("Intel(R) Xeon(R) Gold 6948 CPU", ""),
            ("Kunpeng 920-7270Z", ""),
            ("AMD EPYC", ""),
            ("", ""),
        ] {
            assert_eq!(named(brand).map_or("", |(_, design)| design), design, "{brand}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_words_survive(brand in "(xeon|epyc|kunpeng|hygon c86)? ?.{0,20}") {
            _ = named(&brand);
        }
    }
}
