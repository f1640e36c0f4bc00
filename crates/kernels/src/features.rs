//! Detection of optional instructions: a variant that needs one gives out its code only with this proof.

/// Defines the proof: a feature's name here and in the architecture's manual.
macro_rules! features {
    ($($name:ident $manual:literal),+ $(,)?) => {
        /// Proof of detection: its fields are private, so only [`Features::detect`] can claim an instruction exists.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Features {
            $($name: bool,)+
        }

        impl Features {
            /// Their names in the architecture's manual.
            pub fn names(&self) -> Vec<&'static str> {
                [$(($manual, self.$name)),+]
                    .iter()
                    .filter_map(|(name, has)| has.then_some(*name))
                    .collect()
            }
        }

        /// The code, if the machine has the feature.
        #[allow(dead_code, reason = "each architecture asks for its own")]
        impl Features {
            $(
                pub(crate) fn $name<T>(&self, code: T) -> Option<T> {
                    self.$name.then_some(code)
                }
            )+
        }
    };
}

features!(
    aes "aes",
    amx "amx-int8",
    avx2 "avx2",
    avx512 "avx512f",
    avx512_ifma "avx512ifma",
    avx512_vnni "avx512vnni",
    avx_ifma "avx-ifma",
    avx_vnni "avx-vnni",
    dotprod "dotprod",
    fma "fma",
    lse "lse",
    neon "neon",
    sme "sme",
    sve "sve",
    zva "dc zva",
);

impl Features {
    /// Detects them. The standard library decodes CPUID, and checks that the system saves the registers; tiles it must grant.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub fn detect() -> Features {
        let avx512 = std::arch::is_x86_feature_detected!("avx512f");
        Features {
            aes: std::arch::is_x86_feature_detected!("aes"),
            amx: crate::arch::tiles(),
            avx2: std::arch::is_x86_feature_detected!("avx2"),
            avx512,
            avx512_ifma: avx512 && std::arch::is_x86_feature_detected!("avx512ifma"),
            avx512_vnni: avx512 && std::arch::is_x86_feature_detected!("avx512vnni"),
            avx_ifma: std::arch::is_x86_feature_detected!("avxifma"),
            avx_vnni: std::arch::is_x86_feature_detected!("avxvnni"),
            fma: std::arch::is_x86_feature_detected!("fma"),
            ..Features::default()
        }
    }

    /// Detects them. The standard library decodes HWCAP; a register of the processor tells whether `dc zva` is allowed.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    pub fn detect() -> Features {
        Features {
            aes: std::arch::is_aarch64_feature_detected!("aes"),
            dotprod: std::arch::is_aarch64_feature_detected!("dotprod"),
            lse: crate::arch::Lse::detect().is_some(),
            neon: std::arch::is_aarch64_feature_detected!("neon"),
            sme: crate::arch::sme_bytes().is_some(),
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
