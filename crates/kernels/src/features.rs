//! Detection of optional instructions: a variant that needs one gives out its code only with this proof.

/// Proof of detection: its fields are private, so only [`Features::detect`] can claim an instruction exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    aes: bool,
    avx2: bool,
    avx512f: bool,
    fma: bool,
    lse: bool,
    neon: bool,
    sve: bool,
    zva: bool,
}

impl Features {
    /// Detects them. The standard library decodes CPUID, and checks that the system saves the registers.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub fn detect() -> Features {
        Features {
            aes: std::arch::is_x86_feature_detected!("aes"),
            avx2: std::arch::is_x86_feature_detected!("avx2"),
            avx512f: std::arch::is_x86_feature_detected!("avx512f"),
            fma: std::arch::is_x86_feature_detected!("fma"),
            ..Features::default()
        }
    }

    /// Detects them. The standard library decodes HWCAP; a register of the processor tells whether `dc zva` is allowed.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    pub fn detect() -> Features {
        Features {
            aes: std::arch::is_aarch64_feature_detected!("aes"),
            lse: crate::arch::Lse::detect().is_some(),
            neon: std::arch::is_aarch64_feature_detected!("neon"),
            sve: std::arch::is_aarch64_feature_detected!("sve"),
            zva: crate::arch::zva_bytes().is_some(),
            ..Features::default()
        }
    }

    /// This architecture has no optional instructions here.
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    pub fn detect() -> Features {
        Features::portable()
    }

    /// No optional instructions.
    pub fn portable() -> Features {
        Features::default()
    }

    /// Their names in the architecture's manual.
    pub fn names(&self) -> Vec<&'static str> {
        [
            ("aes", self.aes),
            ("avx2", self.avx2),
            ("avx512f", self.avx512f),
            ("fma", self.fma),
            ("lse", self.lse),
            ("neon", self.neon),
            ("sve", self.sve),
            ("dc zva", self.zva),
        ]
        .iter()
        .filter_map(|(name, has)| has.then_some(*name))
        .collect()
    }
}

/// The code, if the machine has the feature.
#[allow(dead_code, reason = "each architecture asks for its own")]
impl Features {
    pub(crate) fn aes<T>(&self, code: T) -> Option<T> {
        self.aes.then_some(code)
    }
    pub(crate) fn avx2<T>(&self, code: T) -> Option<T> {
        self.avx2.then_some(code)
    }
    pub(crate) fn avx512<T>(&self, code: T) -> Option<T> {
        self.avx512f.then_some(code)
    }
    pub(crate) fn fma<T>(&self, code: T) -> Option<T> {
        self.fma.then_some(code)
    }
    pub(crate) fn lse<T>(&self, code: T) -> Option<T> {
        self.lse.then_some(code)
    }
    pub(crate) fn neon<T>(&self, code: T) -> Option<T> {
        self.neon.then_some(code)
    }
    pub(crate) fn sve<T>(&self, code: T) -> Option<T> {
        self.sve.then_some(code)
    }
    pub(crate) fn zva<T>(&self, code: T) -> Option<T> {
        self.zva.then_some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portable_has_no_names_and_detection_repeats() {
        assert!(Features::portable().names().is_empty());
        assert_eq!(Features::detect(), Features::detect());
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        assert!(Features::detect().names().contains(&"neon"));
    }
}
