//! The words of reports in each language: a function for each message of `locales/`, made by the build script, and the
//! sentences of `locales/*/prose`.
#![deny(missing_docs)]
#![allow(clippy::too_many_arguments, reason = "as many as a message has")]
pub mod prose;

pub use record::Lang;
use std::fmt::Display;

/// A heading or name of the whole report in another language than English; nothing where it has no translation.
pub fn translated(lang: Lang, english: &str) -> Option<&'static str> {
    if lang == Lang::En {
        return None;
    }
    let words = english.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    text(lang, &format!("word-{slug}"))
}

/// What to do first about a rule's finding.
pub fn remedy(lang: Lang, rule: &str) -> Option<String> {
    Some(remedy_is(lang, text(lang, &format!("finding-{rule}.action"))?))
}

/// The same, as it is where it has no translation.
pub fn word(lang: Lang, english: &'static str) -> &'static str {
    translated(lang, english).unwrap_or(english)
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

    /// The actions that a rule chooses from by what it found.
    #[test]
    fn every_other_action_has_its_line_in_every_language() {
        let slow_modules = &["module", "load", "firmware", "unknown"][..];
        for (rule, actions) in [("ipc_falls", &["caches"][..]), ("dimm_below_rating", slow_modules)]
        {
            for (action, lang) in actions.iter().flat_map(|a| Lang::ALL.iter().map(move |l| (a, l)))
            {
                let key = format!("finding-{rule}.{action}");
                assert!(text(*lang, &key).is_some(), "{key} in {lang:?}");
            }
        }
    }

    #[test]
    fn headings_are_found_by_their_english_text() {
        assert_eq!(translated(Lang::Zh, "95 % interval"), Some("95 % 区间"));
        assert_eq!(translated(Lang::Zh, "Frequency under load"), Some("负载下的主频"));
        assert_eq!(translated(Lang::Zh, "no such heading"), None);
        assert_eq!(translated(Lang::En, "median"), None);
    }

    /// A number behind the node's is another thing.
    #[test]
    fn a_size_behind_a_node_is_no_node() {
        let of = |english| prose::in_language(Lang::Zh, english);
        assert_eq!(of("memory of node 0"), "节点 0 的内存");
        assert_eq!(of("memory of node 0, 64 MiB"), "节点 0 的内存，64 MiB");
        assert_eq!(of("CPU 7, memory of node 15, 64 MiB"), "CPU 7，节点 15 的内存，64 MiB");
    }

    #[test]
    fn counts_choose_the_variant() {
        assert_eq!((cpus(Lang::En, 1), cpus(Lang::En, 2)), ("1 CPU".into(), "2 CPUs".into()));
        assert_eq!(cpus(Lang::Zh, 1), "1 个逻辑 CPU");
    }
}
