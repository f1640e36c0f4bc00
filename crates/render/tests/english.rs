//! English words in a text that should have none.

/// Three or more words of small letters in a row, but for commands and names of parameters.
pub(crate) fn english(line: &str) -> Vec<String> {
    let mut found = vec![];
    let mut run: Vec<&str> = vec![];
    for word in line.split(' ').chain([""]) {
        let bare = word.trim_end_matches([',', ';', ':', '.']);
        let letters = bare.chars().all(|c| c.is_ascii_lowercase() || c == '\'');
        if bare.len() > 1 && letters {
            run.push(word);
            continue;
        }
        if run.len() >= 3 && !["cpulens", "sudo", "perf"].contains(&run[0]) {
            found.push(run.join(" "));
        }
        run.clear();
    }
    found
}
