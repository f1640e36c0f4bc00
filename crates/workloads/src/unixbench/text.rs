//! The text that the scripts sort: as many lines, bytes and words as UnixBench's, and as many with `the` in them, so that the
//! tools have as much to do. Made by a fixed rule, with the look of a program's source; not a line is UnixBench's.

/// Lines and bytes of UnixBench's input, and its lines and bytes with `the` in them.
pub(super) const LINES: usize = 362;
const BYTES: usize = 8546;
const THE: usize = 35;

const WORDS: [&str; 24] = [
    "int", "value", "=", "count;", "if", "(ready)", "return", "buffer", "+", "1;", "for", "(i",
    "<", "size)", "{", "}", "while", "block", "next->", "free(p);", "char", "*name", "static",
    "void",
];

/// The text: every line another one, so that no two sort alike by chance.
pub(super) fn text() -> String {
    let mut rng = stats::rng::Rng::new(0x5eed);
    let mut lines: Vec<String> = Vec::with_capacity(LINES);
    for n in 0..LINES {
        // Spread over the file as they are in a source; 26 bytes with the line's end.
        if n % (LINES / THE) == 3 && n / (LINES / THE) < THE {
            let filler = WORDS[rng.below(WORDS.len() as u64) as usize];
            let mut line = format!("/* {n:03} of the {filler} */");
            while line.len() < 25 {
                line.insert(2, '*');
            }
            lines.push(line);
            continue;
        }
        let words = 1 + rng.below(3) as usize;
        let mut line = " ".repeat(4 * rng.below(4) as usize);
        for word in 0..words {
            let which = rng.below(WORDS.len() as u64) as usize;
            line += if word > 0 { " " } else { "" };
            line += WORDS[which];
        }
        lines.push(format!("{line} a{n}"));
    }
    // The rest of the bytes goes to the shortest lines, one each, or is taken from the longest.
    let size = |lines: &[String]| lines.iter().map(|l| l.len() + 1).sum::<usize>();
    let plain = |line: &&mut String| !line.contains("the");
    while size(&lines) < BYTES {
        let shortest = lines.iter_mut().filter(plain).min_by_key(|l| l.len());
        shortest.into_iter().for_each(|line| line.push('x'));
    }
    while size(&lines) > BYTES {
        let longest = lines.iter_mut().filter(plain).max_by_key(|l| l.len());
        longest.into_iter().for_each(|line| _ = line.remove(0));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_size_of_the_original() {
        let text = text();
        assert_eq!((text.lines().count(), text.len()), (LINES, BYTES));
        let words = text.split_whitespace().count() as f64;
        assert!((words / 1200.0 - 1.0).abs() < 0.1, "{words} words");
        let the: Vec<&str> = text.lines().filter(|l| l.contains("the")).collect();
        let bytes: usize = the.iter().map(|l| l.len() + 1).sum();
        assert_eq!(the.len(), THE);
        assert!((bytes as f64 / 924.0 - 1.0).abs() < 0.05, "{bytes} bytes with it");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), LINES, "every line another one");
    }
}
