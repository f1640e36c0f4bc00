use super::*;

proptest::proptest! {
    #[test]
    fn any_text_is_taken(text in "[ -~±é，]{0,80}", more in "\\PC{0,40}") {
        let _ = translated(Lang::Zh, &format!("{text}. Noted: {more} ({text}"));
        let _ = translated(Lang::Zh, &format!("{text}; {more})"));
    }
}

/// A cell with one cause of excluded samples, without a list that names several.
#[test]
fn each_cause_of_excluded_samples_is_in_chinese() {
    let causes = ["context switch", "page fault", "migration", "steal"];
    for why in causes.into_iter().chain([record::OTHER_PLACEMENT, record::INJECTORS_PAUSED]) {
        let said = in_language(Lang::Zh, &format!("3 {why}"));
        assert!(!said.contains(|c: char| c.is_ascii_alphabetic()), "{said}");
    }
}

#[test]
fn values_of_settings_stay_as_they_are() {
    let text = "cpu.governor powersave (peers performance)";
    assert_eq!(in_language(Lang::Zh, text), "cpu.governor powersave（同类 performance）");
}

#[test]
fn names_of_machines_stay_as_they_are() {
    for text in ["cannot open 'cache'", "Also slow: memory, kernel and 2 more"] {
        let zh = in_language(Lang::Zh, text);
        let names = |word: &&str| text.contains(*word) && !zh.contains(*word);
        assert!(zh != text && !["cache", "memory", "kernel"].iter().any(names), "{zh}");
    }
}

#[test]
fn patterns_give_their_arguments() {
    let pattern = Pattern::new("Of \u{1}what\u{2} \u{1}n\u{2} are \u{1}n2\u{2} apart");
    assert_eq!(
        pattern.arguments("of the nodes 2 are 1.5 to 2 ns apart"),
        Some(vec!["the nodes", "2", "1.5 to 2 ns"])
    );
    for other in ["of the nodes two are 5 apart", "Of 2 are 5 apart", "If a 2 are 5 apart"] {
        assert_eq!(pattern.arguments(other), None, "{other}");
    }
    assert_eq!(Pattern::new("no words").arguments("No words"), Some(vec![]));
}

#[test]
fn a_number_and_a_name_before_a_sentence_are_kept() {
    let of = |english| translated(Lang::Zh, english).unwrap();
    let known = of("2680422.40 lacks the k of its neighbours and is read as thousands");
    let noted = of("[2] 2680422.40 lacks the k of its neighbours and is read as thousands");
    assert_eq!(noted, format!("[2] {known}"));
}

#[test]
fn sentences_end_before_capitals_outside_brackets() {
    assert_eq!(sentences("One. Two (a. B). three"), ["One.", "Two (a. B). three"]);
    assert_eq!(sentences("A pair. 2 pairs of 0. 4"), ["A pair.", "2 pairs of 0. 4"]);
    assert_eq!(sentences("One. 'Two' is a word"), ["One.", "'Two' is a word"]);
    assert_eq!(apart("a; b (c; d); e", "; "), ["a", "b (c; d)", "e"]);
    assert_eq!(bracketed("a (b) c (d (e))"), Some(("a (b) c", "d (e)")));
    assert_eq!((bracketed("(a)"), bracketed("a)")), (None, None));
}

#[test]
fn what_is_known_is_translated_inside_of_what_is_not() {
    let zh = |text: &str| translated(Lang::Zh, text);
    assert_eq!(zh("median; x86; cycles").as_deref(), Some("中位数；x86；周期"));
    assert_eq!(zh("unheard_of: median (cycles)").as_deref(), Some("unheard_of：中位数（周期）"));
    assert_eq!(zh("1. median").as_deref(), Some("1. 中位数"));
    assert_eq!((zh("NAME"), zh("name").as_deref()), (None, Some("名称")));
    // One of UnixBench's tests, all of which keep their names.
    assert_eq!(zh("test System Call Overhead").as_deref(), Some("测试 System Call Overhead"));
    assert_eq!(zh("Nobody has ever written this."), None);
    let same = "CPU 3 is listed in two level 2 caches of one kind, so who shares them is not known";
    let [one, list] = [same.to_owned(), format!("{same}; median")].map(|text| zh(text.as_str()));
    assert_eq!(list, one.map(|one| one + "；中位数"), "a list is no sentence");
    let cause = "the register that states it (ID_AA64MMFR2_EL1) is not visible to programs";
    let [one, more] = [cause.to_owned(), format!("{cause} (median)")].map(|text| zh(text.as_str()));
    assert_eq!(more, one.map(|one| one + "（中位数）"), "known with what is in brackets");
    assert_eq!((zh("12 ns"), translated(Lang::En, "median")), (None, None));
    assert_eq!(zh(&"(".repeat(LONGEST + 1)), None);
    assert_eq!(closed_up("甲 乙 b 丙"), "甲乙 b 丙");
}
