//! Pasted terminal sessions: prompts, their commands, and private words in a command.
use crate::text::tidy;

/// The command on a line that begins with a prompt (`# numactl -H`, `[root@db1 ~]# lscpu`, `$ time perf stat ls`), or
/// is nothing but a command of one of these programs.
pub(crate) fn command<'a>(line: &'a str, programs: &[&str]) -> Option<&'a str> {
    let line = line.trim();
    let bare = match line.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(line, |(_, after)| after),
        None => {
            let prompt = line.split_once(['#', '$']);
            let prompt = prompt.filter(|(head, _)| head.contains('@') && !head.contains(' '));
            prompt.map_or(line, |(_, after)| after)
        }
    };
    let bare = bare.trim_start_matches(['#', '$', ' ', '%', '>']);
    let first_words = bare.split_whitespace().take(40);
    let names = |word: &str| programs.contains(&word.rsplit('/').next().unwrap_or(word));
    let mut words = first_words.clone();
    let first = words.next()?;
    const BEFORE: [&str; 8] =
        ["sudo", "time", "for", "numactl", "taskset", "nice", "LC_ALL=C", "LANG=C"];
    let mut behind = || words.any(|w| names(w.trim_end_matches(';')));
    (names(first) || BEFORE.contains(&first) && behind()).then_some(bare)
}

/// A command as it may be kept: hosts, users, passwords and folders left out, and bounded.
pub(crate) fn kept(command: &str) -> String {
    const PRIVATE: &[&str] =
        &["pass", "pwd", "user", "host", "socket", "token", "secret", "key", "dsn", "uri"];
    let mut words = vec![];
    let mut hide_next = false;
    for word in command.split_whitespace().take(80) {
        let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
        let private =
            word.starts_with('-') && PRIVATE.iter().any(|p| name.to_ascii_lowercase().contains(p));
        let mysql = value.is_none()
            && word.len() > 2
            && ["-p", "-u", "-h"].iter().any(|f| word.starts_with(f))
            && word.as_bytes()[1..].iter().all(|b| b.is_ascii_alphanumeric())
            && command.contains("mysql");
        if std::mem::take(&mut hide_next) && !word.starts_with('-') {
            words.push("...".to_owned());
        } else if private && value.is_some() {
            words.push(format!("{name}=..."));
        } else if mysql {
            words.push(format!("{}...", &word[..2]));
        } else {
            hide_next = private;
            words.push(word.to_owned());
        }
    }
    tidy(&words.join(" "))
}

/// The value of an option written `-C 7`, `-C7` or `--name=7`.
pub(crate) fn option<'a>(command: &'a str, names: &[&str]) -> Option<&'a str> {
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        for name in names {
            if word == *name {
                return words.next().map(|w| w.trim_end_matches(';'));
            }
            let rest = word.strip_prefix(name);
            let value = match name.starts_with("--") {
                true => rest.and_then(|r| r.strip_prefix('=')),
                false => rest.filter(|r| r.starts_with(|c: char| c.is_ascii_digit() || c == '$')),
            };
            if let Some(value) = value {
                return Some(value.trim_end_matches(';'));
            }
        }
    }
    None
}

/// The numbers that `for i in $(seq FROM [STEP] TO)` runs through, and the variable's name; at most 4096 of them.
pub(crate) fn loop_over(command: &str) -> Option<(&str, Vec<u64>)> {
    let after = command.split_once("for ")?.1;
    let (variable, rest) = after.split_once(" in ")?;
    let inside = rest.split_once("seq ")?.1;
    let end = inside.find([')', '`', ';'])?;
    let numbers: Vec<u64> =
        inside[..end].split_whitespace().map(|w| w.parse().ok()).collect::<Option<_>>()?;
    let (from, step, to) = match numbers[..] {
        [to] => (1, 1, to),
        [from, to] => (from, 1, to),
        [from, step, to] if step > 0 => (from, step, to),
        _ => return None,
    };
    let step = usize::try_from(step).ok()?;
    (to < 1 << 20).then(|| (variable.trim(), (from..=to).step_by(step).take(4096).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_seen_through() {
        let lm = &["stream", "lscpu"];
        for line in [
            "#numactl -C 7 -m 0 ./bin/stream -W 5",
            "[root@host 14:32 /root]# numactl -C 7 -m 0 ./bin/stream -W 5",
            "root@host:~# numactl -C 7 -m 0 ./bin/stream -W 5",
            "time numactl -C 7 -m 0 ./bin/stream -W 5",
        ] {
            assert!(command(line, lm).is_some_and(|c| c.ends_with("./bin/stream -W 5")), "{line}");
        }
        assert_eq!(command("STREAM copy latency: 1.38 nanoseconds", lm), None);
        assert_eq!(command("stream of words", &["lscpu"]), None);
    }

    #[test]
    fn private_words_stay_behind() {
        let kept = kept(
            "sysbench --mysql-host=10.0.0.1 --mysql-password=hunter2 --threads=8 --db-user root oltp",
        );
        assert_eq!(
            kept,
            "sysbench --mysql-host=... --mysql-password=... --threads=8 --db-user ... oltp"
        );
        assert!(!super::kept("mysqlslap -uroot -phunter2").contains("hunter2"));
    }

    #[test]
    fn loops_are_unrolled() {
        let line = "time for i in $(seq 7 8 64); do echo $i; numactl -C $i -m 0 ./bin/stream; done";
        let (variable, cpus) = loop_over(line).unwrap();
        assert_eq!((variable, cpus.len(), cpus[7]), ("i", 8, 63));
        assert_eq!(option(line, &["-C"]), Some("$i"));
        assert_eq!(option("numactl -C7 -m 0", &["-C"]), Some("7"));
        assert_eq!(option("numactl --membind=3 x", &["--membind"]), Some("3"));
    }
}
