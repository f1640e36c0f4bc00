//! The sentences of every rule about its examples are all Chinese where that is asked for.
use crate::{english::english, fixtures, verdict};
use diagnose::{Verdict, rules};
use messages::{Lang, prose::in_language};
use record::Text;

fn said(verdict: Verdict) -> Vec<Text> {
    match verdict {
        Verdict::Fires { finding, read, .. } => {
            let note = finding.note.map(Text::from);
            let own = [finding.claim, finding.advice, finding.confirm_with];
            own.into_iter().chain(note).chain(read).collect()
        }
        Verdict::Clear { read, .. } => read,
        Verdict::CannotTell { missing } => {
            [Some(missing.why), missing.remedy].into_iter().flatten().collect()
        }
    }
}

#[test]
fn rules_are_all_chinese() {
    let titles = rules::ALL.iter().flat_map(|(_, rule)| [Some(rule.title), rule.note]).flatten();
    let titles = titles.map(Text::from);
    let examples = fixtures::ALL.iter().flat_map(|(id, fixture)| {
        fixture.examples.iter().flat_map(move |example| said(verdict(id, &example.record())))
    });
    let all: Vec<Text> = titles.chain(examples).collect();
    assert!(all.len() > 500, "{}", all.len());
    let left: Vec<String> = all
        .iter()
        .map(|text| in_language(Lang::Zh, text))
        .filter(|line| !english(line).is_empty())
        .collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}
