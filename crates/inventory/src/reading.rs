//! Text, numbers and CPU lists from a root, bounded and cleaned: whatever is in the files, what leaves here is
//! short, printable and in range, or a reason.
use crate::root::Root;
use record::{CpuSet, Machine, Reason, Unit, Value, invisible};
use std::{collections::BTreeSet, io};

/// The longest text a fact may hold, in bytes.
pub(crate) const MAX_TEXT: usize = 4096;

/// The reason why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unavailable {
    /// The file is not there.
    Missing,
    /// The file may not be read by us.
    Denied,
    /// The file is there, but what is in it is not what it should be.
    Unreadable(String),
}

pub(crate) type ReadResult<T> = Result<T, Unavailable>;

impl Unavailable {
    /// The reason in words, with what would mend it.
    pub(crate) fn reason(&self, path: &str) -> Reason {
        match self {
            Unavailable::Missing => Reason::new(format!("{path} is not there on this machine")),
            Unavailable::Denied => {
                Reason::mended_by(format!("{path} is readable by root only"), "run as root")
            }
            Unavailable::Unreadable(why) => Reason::new(format!("unreadable: {path} {why}")),
        }
    }
}

impl From<&io::Error> for Unavailable {
    fn from(error: &io::Error) -> Unavailable {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unavailable::Missing,
            io::ErrorKind::PermissionDenied => Unavailable::Denied,
            _ => Unavailable::Unreadable(clean(&error.to_string())),
        }
    }
}

/// The files of a machine.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a>(pub(crate) &'a dyn Root);

impl Files<'_> {
    pub(crate) fn bytes(&self, path: &str) -> ReadResult<Vec<u8>> {
        self.0.read(path).map_err(|error| (&error).into())
    }
    pub(crate) fn exists(&self, path: &str) -> bool {
        !matches!(self.bytes(path), Err(Unavailable::Missing))
    }
    /// The whole file; bytes that are not UTF-8 are replaced. Device-tree strings end with a zero byte, and so did
    /// the lists of CPUs in sysfs for a while (Linux 5.15-rc1).
    pub(crate) fn text(&self, path: &str) -> ReadResult<String> {
        let mut text = String::from_utf8_lossy(&self.bytes(path)?).into_owned();
        text.truncate(text.trim_end_matches('\0').len());
        Ok(text)
    }
    /// A one-value file: cleaned, not empty.
    pub(crate) fn line(&self, path: &str) -> ReadResult<String> {
        let text = clean(&self.text(path)?);
        if text.is_empty() { Err(Unavailable::Unreadable("is empty".into())) } else { Ok(text) }
    }
    /// A whole number; `-1`, which sysfs prints for "not known", is unreadable like any other text.
    pub(crate) fn number(&self, path: &str) -> ReadResult<u64> {
        let text = self.line(path)?;
        text.parse().map_err(|_| not_a(&text, "whole number"))
    }
    pub(crate) fn small(&self, path: &str) -> ReadResult<u32> {
        let number = self.number(path)?;
        u32::try_from(number).map_err(|_| not_a(&number.to_string(), "number below 2^32"))
    }
    /// A CPU or node list: `0-7,64-71`.
    pub(crate) fn set(&self, path: &str) -> ReadResult<CpuSet> {
        cpu_list(&self.text(path)?).map_err(Unavailable::Unreadable)
    }
    /// A CPU mask: `00000000,000000ff`.
    pub(crate) fn mask(&self, path: &str) -> ReadResult<CpuSet> {
        cpu_mask(&self.text(path)?).map_err(Unavailable::Unreadable)
    }
    /// The numbers N of the directory entries `prefixN`, ascending.
    pub(crate) fn numbered(&self, path: &str, prefix: &str) -> ReadResult<Vec<u32>> {
        let names = self.0.list(path).map_err(|error| Unavailable::from(&error))?;
        let ids = names.iter().filter_map(|name| name.strip_prefix(prefix)?.parse().ok());
        Ok(distinct(ids.filter(|id| *id <= CpuSet::MAX)))
    }
    /// The first of them, at most so many; none where they cannot be listed.
    pub(crate) fn some(&self, path: &str, prefix: &str, most: usize) -> Vec<u32> {
        let mut ids = self.numbered(path, prefix).unwrap_or_default();
        ids.truncate(most);
        ids
    }
    /// Records a text file as a fact, or why there is none.
    pub(crate) fn fact(&self, machine: &mut Machine, name: &str, path: &str, need: Presence) {
        put(machine, name, self.line(path), path, need);
    }
}

/// Whether a fact is said to be unknown when its file does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Every machine has it; if not, say so.
    Always,
    /// It does not apply to every machine; a missing file is no news.
    IfThere,
}

/// Records what was read in a file as a fact, or why there is none.
pub(crate) fn put(
    machine: &mut Machine,
    name: &str,
    got: ReadResult<impl Into<Value>>,
    path: &str,
    need: Presence,
) {
    match got {
        Ok(text) => machine.set(name, text, path),
        Err(why) => absent(machine, name, &why, path, need),
    }
}

/// [`put`] for a number with a unit.
pub(crate) fn put_in(
    machine: &mut Machine,
    name: &str,
    got: ReadResult<impl Into<Value>>,
    unit: Unit,
    path: &str,
    need: Presence,
) {
    match got {
        Ok(number) => machine.set_in(name, number, unit, path),
        Err(why) => absent(machine, name, &why, path, need),
    }
}

pub(crate) fn absent(
    machine: &mut Machine,
    name: &str,
    why: &Unavailable,
    path: &str,
    need: Presence,
) {
    if need == Presence::Always || *why != Unavailable::Missing {
        machine.unknown(name, why.reason(path), path);
    }
}

/// Whether a list of words, one a line, has this one.
pub(crate) fn listed(list: &str, word: &str) -> bool {
    list.lines().any(|line| line == word)
}

pub(crate) fn not_a(text: &str, what: &str) -> Unavailable {
    let shown: String = text.chars().take(40).collect();
    Unavailable::Unreadable(format!("holds '{shown}', which is not a {what}"))
}

/// One printable line of at most [`MAX_TEXT`] bytes.
pub(crate) fn clean(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim_matches(|c: char| c.is_whitespace() || c.is_control()).chars() {
        // Direction marks and the like have no place in a model name.
        let c = if c.is_control() || c.is_whitespace() || invisible(c) { ' ' } else { c };
        if c == ' ' && out.is_empty() {
            continue;
        }
        if out.len() + c.len_utf8() > MAX_TEXT {
            break;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Each of these once, ascending.
pub(crate) fn distinct<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    all.into_iter().collect::<BTreeSet<T>>().into_iter().collect()
}

/// A list that may come from anywhere: refused when it is absurdly long or names numbers over and over,
/// because either would cost seconds to build.
pub(crate) fn cpu_list(text: &str) -> Result<CpuSet, String> {
    const MOST: u64 = 2 * CpuSet::MAX as u64;
    if text.len() as u64 > 8 * MOST {
        return Err("is too long for a CPU list".into());
    }
    let mut members = 0u64;
    for part in text.split(',') {
        let range = part.split(':').next().unwrap_or(part).trim();
        if let Some((from, to)) = range.split_once('-')
            && let (Ok(from), Ok(to)) = (from.parse::<u64>(), to.parse::<u64>())
        {
            members = members.saturating_add(to.saturating_sub(from));
        }
        members = members.saturating_add(1);
    }
    if members > MOST {
        return Err("names more CPUs than there can be".into());
    }
    // "(null)" is what some kernels print for an empty isolated list.
    if text.trim() == "(null)" {
        return Ok(CpuSet::default());
    }
    text.parse().map_err(|e: record::CpuSetError| format!("says: {}", clean(&e.to_string())))
}

/// A mask of CPUs: `00000001,000000ff`.
pub(crate) fn cpu_mask(text: &str) -> Result<CpuSet, String> {
    let shown = |part: &str| clean(&part.chars().take(20).collect::<String>());
    CpuSet::from_mask(text)
        .map_err(|part| format!("holds '{}', which is not a CPU mask", shown(part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn masks_and_lists_agree() {
        assert_eq!(cpu_mask("00000001,000000ff").unwrap(), "0-7,32".parse().unwrap());
        assert_eq!(cpu_list("(null)\n").unwrap(), CpuSet::default());
    }

    #[test]
    fn absurd_lists_are_refused_quickly() {
        assert!(cpu_list(&"0-65535,".repeat(100_000)).is_err());
        assert!(cpu_list("0-99999").is_err());
        assert!(cpu_mask(&"ffffffff,".repeat(3000)).is_err());
    }

    proptest! {
        #[test]
        fn cleaned_text_is_short_and_printable(text in "\\PC{0,50}[\u{0}-\u{1f}\u{202e}]{0,5}.{0,50}") {
            let cleaned = clean(&text.repeat(60));
            prop_assert!(cleaned.len() <= MAX_TEXT);
            prop_assert!(!cleaned.chars().any(char::is_control));
            prop_assert_eq!(clean(&cleaned), cleaned);
        }
        #[test]
        fn any_text_is_a_set_or_an_error(text in ".{0,60}") {
            let _ = cpu_list(&text);
            let _ = cpu_mask(&text);
        }
    }
}
