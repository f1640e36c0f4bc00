//! Words of the summary in each language: a function for each message of `locales/`, made by the build script.
#![allow(clippy::too_many_arguments, reason = "as many as a message has")]
use std::fmt::Display;

/// A language of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

impl Lang {
    /// All of them.
    pub const ALL: &'static [Lang] = &[Lang::En, Lang::Zh];
    /// That of a locale's name such as `zh_CN.UTF-8`; English where there are no messages in it.
    pub fn of_locale(locale: &str) -> Lang {
        match locale.split(['_', '.', '@', '-']).next() {
            Some("zh") => Lang::Zh,
            _ => Lang::En,
        }
    }
}

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_lines_in_every_language() {
        for (id, _) in analyse::rules::ALL {
            for lang in Lang::ALL {
                for key in [format!("finding-{id}"), format!("finding-{id}.action")] {
                    assert!(text(*lang, &key).is_some(), "{key} in {lang:?}");
                }
            }
        }
    }

    #[test]
    fn locales_choose_the_language() {
        assert_eq!(Lang::of_locale("zh_CN.UTF-8"), Lang::Zh);
        assert_eq!(Lang::of_locale("zh"), Lang::Zh);
        for other in ["C", "", "de_DE.UTF-8", "en_US", "POSIX", "zhuang"] {
            assert_eq!(Lang::of_locale(other), Lang::En, "{other}");
        }
    }

    #[test]
    fn counts_choose_the_variant() {
        assert_eq!((cpus(Lang::En, 1), cpus(Lang::En, 2)), ("1 CPU".into(), "2 CPUs".into()));
        assert_eq!(cpus(Lang::Zh, 1), "1 个逻辑 CPU");
    }
}
