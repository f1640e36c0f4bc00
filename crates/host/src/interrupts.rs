//! Interrupts of one CPU by kind, cheap to read repeatedly: `/proc/interrupts` and `/proc/softirqs` are kept open.
//! Source: arch/x86/kernel/irq.c and arch/arm64/kernel/smp.c (`arch_show_interrupts`) for the names of the lines.
use std::{collections::BTreeMap, fs::File, os::unix::fs::FileExt};

/// Kinds of interrupts, in the order of [`Counts::hard`].
pub const KINDS: [&str; 11] = [
    "timer",
    "reschedule",
    "function_call",
    "tlb",
    "irq_work",
    "nmi",
    "machine_check",
    "thermal",
    "hypervisor",
    "device",
    "other",
];
const DEVICE: usize = 9;
const OTHER: usize = 10;

/// Interrupts of a CPU since boot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// By [`KINDS`].
    pub hard: [u64; KINDS.len()],
    /// Softirqs of all kinds.
    pub soft: u64,
}

/// Both files, open.
#[derive(Debug)]
pub struct Tables {
    hard: File,
    soft: Option<File>,
    buffer: Vec<u8>,
}

impl Tables {
    /// Opens them; nothing where `/proc/interrupts` is hidden.
    pub fn open() -> Option<Tables> {
        let hard = File::open("/proc/interrupts").ok()?;
        let soft = File::open("/proc/softirqs").ok();
        Some(Tables { hard, soft, buffer: vec![0; 1 << 14] })
    }
    /// The counts of this CPU; nothing if it has no column.
    pub fn counts(&mut self, cpu: u32) -> Option<Counts> {
        let mut counts = Counts::default();
        let text = read_whole(&self.hard, &mut self.buffer)?;
        let here = |of: u32| of == cpu;
        each_line(text, &here, &mut |label, count, words| {
            if let Some(kind) = kind(label, words) {
                counts.hard[kind] += count;
            }
        })?;
        if let Some(text) = self.soft.as_ref().and_then(|f| read_whole(f, &mut self.buffer)) {
            each_line(text, &here, &mut |_, count, _| counts.soft += count);
        }
        Some(counts)
    }
    /// The non-zero lines of this CPU by name: `irq.24` for devices, kinds for the rest, `softirq.RCU`.
    pub fn by_line(&mut self, cpu: u32) -> BTreeMap<String, u64> {
        let mut lines = BTreeMap::new();
        let mut put = |name: String, count: u64| {
            if count > 0 {
                *lines.entry(name).or_insert(0u64) += count;
            }
        };
        let here = |of: u32| of == cpu;
        if let Some(text) = read_whole(&self.hard, &mut self.buffer) {
            each_line(text, &here, &mut |label, count, words| {
                let Some(kind) = kind(label, words) else { return };
                put(format!("interrupts.{}", KINDS[kind]), count);
                if kind == DEVICE {
                    put(format!("irq.{}", String::from_utf8_lossy(label)), count);
                }
            });
        }
        if let Some(text) = self.soft.as_ref().and_then(|f| read_whole(f, &mut self.buffer)) {
            each_line(text, &here, &mut |label, count, _| {
                put(format!("softirqs.{}", String::from_utf8_lossy(label)), count);
            });
        }
        lines
    }
}

/// Reads the whole file, which the kernel generates anew for each read from the beginning.
fn read_whole<'a>(file: &File, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    let mut length = 0;
    loop {
        let got = file.read_at(&mut buffer[length..], length as u64).ok()?;
        length += got;
        if got == 0 {
            return Some(&buffer[..length]);
        }
        if length == buffer.len() {
            buffer.resize(2 * length, 0);
        }
    }
}

/// Called with a line's label, the count of the wanted CPUs, and the words behind the counts.
type Line<'a> = &'a mut dyn FnMut(&[u8], u64, &[u8]);

/// Parses a table with a column for each CPU; nothing if no wanted CPU has one.
pub(crate) fn each_line(table: &[u8], wanted: &dyn Fn(u32) -> bool, of: Line<'_>) -> Option<()> {
    let mut lines = table.split(|b| *b == b'\n');
    let cpu = |word: &[u8]| u32::try_from(number_of(word.strip_prefix(b"CPU")?)?).ok();
    let columns: Vec<bool> =
        words(lines.next()?).map(|word| cpu(word).is_some_and(wanted)).collect();
    columns.contains(&true).then_some(())?;
    for line in lines {
        let Some(colon) = line.iter().position(|b| *b == b':') else { continue };
        let label = line[..colon].trim_ascii();
        let mut rest = &line[colon + 1..];
        let mut next = || {
            let (word, after) = split_word(rest);
            rest = after;
            number_of(word)
        };
        let count = columns.iter().try_fold(0, |sum: u64, wanted| {
            let count = next()?;
            Some(if *wanted { sum.wrapping_add(count) } else { sum })
        });
        // Error lines have one number for the whole machine.
        let none = [&b"ERR"[..], b"Err", b"MIS"].contains(&label);
        if let Some(count) = count.filter(|_| !none) {
            of(label, count, rest);
        }
    }
    Some(())
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()))
}

fn number_of(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    word.iter().try_fold(0u64, |n, b| {
        b.is_ascii_digit().then(|| n.wrapping_mul(10).wrapping_add(u64::from(b - b'0')))
    })
}

/// The index of a line's kind in [`KINDS`]; nothing for counter interrupts (PMI), which are NMIs and counted there.
fn kind(label: &[u8], words: &[u8]) -> Option<usize> {
    let says = |what: &[u8]| words.windows(what.len()).any(|w| w == what);
    let name = match label {
        b"PMI" => return None,
        b"LOC" => "timer",
        b"RES" => "reschedule",
        b"CAL" => "function_call",
        b"TLB" => "tlb",
        b"IWI" => "irq_work",
        b"NMI" => "nmi",
        b"MCE" | b"MCP" | b"DFR" => "machine_check",
        b"TRM" | b"THR" => "thermal",
        b"HYP" | b"HVS" | b"HRE" => "hypervisor",
        _ if number_of(label).is_some() => match says(b"arch_timer") {
            true => "timer",
            false => return Some(DEVICE),
        },
        _ if label.starts_with(b"IPI") => match () {
            () if says(b"Rescheduling") => "reschedule",
            () if says(b"Function call") => "function_call",
            () if says(b"IRQ work") => "irq_work",
            () if says(b"Timer broadcast") => "timer",
            () => return Some(OTHER),
        },
        _ => return Some(OTHER),
    };
    KINDS.iter().position(|k| *k == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86: &[u8] = b"            CPU0       CPU2\n 24:   5   7  PCI-MSI 1-edge eth0\n 36:  1  2  PCI-MSI 2-edge disk\n\
        LOC:  100  200   Local timer interrupts\nTLB:  3  4   TLB shootdowns\nPMI:  1 1 Performance monitoring\nERR:  9\nMIS:  0\n";
    const ARM: &[u8] = b"     CPU0  CPU1\n 11:  70  80  GICv3 27 Level arch_timer\n 12:  1  2  GICv3 9 Level dev\n\
        IPI0:  5  6  Rescheduling interrupts\nIPI1:  7  8  Function call interrupts\nIPI6: 1 1 CPU wake-up\nErr: 0\n";

    fn counts(table: &[u8], cpu: u32) -> Option<Vec<(&'static str, u64)>> {
        let mut all = [0; KINDS.len()];
        each_line(table, &|of| of == cpu, &mut |label, n, words| {
            kind(label, words).into_iter().for_each(|kind| all[kind] += n);
        })?;
        Some(KINDS.into_iter().zip(all).filter(|(_, n)| *n > 0).collect())
    }

    #[test]
    fn lines_are_counted_for_their_cpu_and_kind() {
        assert_eq!(counts(X86, 2).unwrap(), [("timer", 200), ("tlb", 4), ("device", 9)]);
        assert_eq!(counts(X86, 0).unwrap()[2], ("device", 6));
        assert_eq!(counts(X86, 1), None, "it has no column");
        let arm = counts(ARM, 1).unwrap();
        let wanted =
            [("timer", 80), ("reschedule", 6), ("function_call", 8), ("device", 2), ("other", 1)];
        assert_eq!(arm, wanted);
        assert_eq!(counts(b"", 0), None);
        assert_eq!(counts(b"CPU0\n1: x\nLOC:", 0), Some(vec![]));
    }

    #[test]
    fn the_live_tables_only_grow() {
        let Some(mut tables) = Tables::open() else { return eprintln!("skipped: no table") };
        let cpu = crate::cpus::affinity().unwrap().first().unwrap();
        let Some(before) = tables.counts(cpu) else { return eprintln!("skipped: no column") };
        let after = tables.counts(cpu).unwrap();
        assert!(before.hard.iter().zip(&after.hard).all(|(b, a)| a >= b), "{before:?} {after:?}");
        assert!(after.soft >= before.soft);
        let lines = tables.by_line(cpu);
        let devices: u64 =
            lines.iter().filter(|(name, _)| name.starts_with("irq.")).map(|(_, n)| n).sum();
        assert_eq!(devices, lines.get("interrupts.device").copied().unwrap_or(0));
    }
}
