//! `cargo xtask assembly`: the hot loop of every kernel, as it is in a built binary, against its committed snapshot.
//! A compiler that drops, merges or vectorises a timed loop shows up as a diff in review instead of as a better number.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use xtask::{
    children::{child, output},
    dist::{self, Arch},
    tree,
};

/// Kernel and variant, and the normalised listing of its hot loop.
type Loops = BTreeMap<String, String>;

/// Compares the kernels of every program that `dist` has built with their snapshots, or rewrites those.
pub(crate) fn chore(update: bool) -> Result<(), String> {
    for arch in Arch::ALL {
        check(&dist::named(arch)?, arch, update)?;
        println!("{}: every timed loop is as its snapshot says", arch.name());
    }
    Ok(())
}

/// Compares the kernels in `binary` with `crates/kernels/asm/<architecture>/`; `update` rewrites the snapshots.
/// Every snapshot must have its function: a kernel whose loop is gone is the worst difference.
fn check(binary: &Path, arch: Arch, update: bool) -> Result<(), String> {
    let found = hot_loops(&disassemble(binary, arch)?);
    if found.is_empty() {
        return Err(format!("{} holds no kernel: was it stripped?", binary.display()));
    }
    let folder = tree::root().join("crates/kernels/asm").join(arch.name());
    let old = snapshots(&folder)?;
    let differences = compare(&old, &found);
    if !update && !differences.is_empty() {
        let hint = "if that is intended: cargo xtask assembly --update, and look at the diff";
        let folder = tree::relative(&folder);
        return Err(format!("{folder}:\n{}\n{hint}", differences.join("\n")));
    }
    if update {
        for (name, text) in &found {
            tree::refresh(&folder.join(format!("{name}.s")), text)?;
        }
        for name in old.keys().filter(|name| !found.contains_key(*name)) {
            let file = folder.join(format!("{name}.s"));
            fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        }
    }
    Ok(())
}

fn disassemble(binary: &Path, arch: Arch) -> Result<String, String> {
    let mut command = child(arch.tool("objdump"));
    command.args(["--disassemble", "--demangle", "--no-show-raw-insn"]);
    if arch == Arch::X86_64 {
        command.arg("--disassembler-options=intel");
    }
    output(command.arg(binary)).map_err(|e| format!("{e} (package binutils)"))
}

fn snapshots(folder: &Path) -> Result<Loops, String> {
    let files =
        tree::entries(folder).into_iter().filter(|p| p.extension().is_some_and(|x| x == "s"));
    files.map(|path| Ok((tree::name(&path), tree::read(&path)?))).collect()
}

fn compare(old: &Loops, new: &Loops) -> Vec<String> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let difference = |name: &String| match (old.get(name), new.get(name)) {
        (Some(a), Some(b)) if a == b => None,
        (Some(a), Some(b)) => {
            let at = a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count();
            let line = |text: &str| text.lines().nth(at).unwrap_or("(end)").trim().to_owned();
            Some(format!("{name}: line {}: was `{}`, is `{}`", at + 1, line(a), line(b)))
        }
        (Some(_), None) => Some(format!("{name}: its loop is not in the binary")),
        (None, _) => Some(format!("{name}: has no snapshot")),
    };
    names.into_iter().filter_map(difference).collect()
}

struct Instruction<'a> {
    address: u64,
    text: &'a str,
}

impl Instruction<'_> {
    /// The target of a jump within the function: `jne    1a40 <kernels::…+0x40>`.
    fn target(&self) -> Option<u64> {
        let (mnemonic, rest) = self.text.split_once(char::is_whitespace)?;
        let jumps = mnemonic.starts_with('j')
            || mnemonic.starts_with("b.")
            || ["b", "cbz", "cbnz", "tbz", "tbnz"].contains(&mnemonic);
        let operand = rest.split('<').next()?.trim().rsplit([' ', ',']).next()?;
        jumps.then(|| u64::from_str_radix(operand.trim_start_matches("0x"), 16).ok()).flatten()
    }
}

/// The hot loop of every kernel function in a listing.
fn hot_loops(listing: &str) -> Loops {
    let mut out = Loops::new();
    for section in listing.split("\n\n") {
        let mut lines = section.lines().skip_while(|l| !l.ends_with(">:"));
        let Some(name) = lines.next().and_then(kernel_name) else { continue };
        let code: Vec<Instruction<'_>> = lines.filter_map(instruction).collect();
        let loops = if name.starts_with("sync.") || name.starts_with("lock.") {
            every_loop(&code)
        } else {
            hot_loop(&code)
        };
        if let Some(text) = loops {
            out.insert(name, text);
        }
    }
    out
}

/// `0000000000012340 <kernels::memory::triad::avx512>:` → `triad.avx512`. References are not timed.
fn kernel_name(header: &str) -> Option<String> {
    let symbol = header.split_once('<')?.1.strip_suffix(">:")?;
    let symbol = symbol.replace(['<', '>'], "");
    let path: Vec<&str> = symbol.split("::").filter(|part| !is_hash(part)).collect();
    match path[..] {
        ["kernels", "memory" | "compute", kernel, variant] if variant != "reference" => {
            Some(format!("{kernel}.{variant}"))
        }
        ["kernels", "chase", "Ring", "walk"] => Some("chase.walk".into()),
        ["kernels", "lmbench", each] => Some(format!("lmbench.{each}")),
        ["kernels", "sync", side] if side.contains('_') => Some(format!("sync.{side}")),
        ["kernels", "prime", "primes"] => Some("prime.primes".into()),
        ["kernels", "spin", hint] if hint.starts_with("spin_") => Some(format!("spin.{hint}")),
        // The standard library's lock is not ours to pin.
        ["kernels", "lock", "turns_mutex"] => None,
        ["kernels", "lock", turns] if turns.starts_with("turns_") => Some(format!("lock.{turns}")),
        ["kernels", "flush", turns] if turns.starts_with("flush") => Some(format!("flush.{turns}")),
        _ => None,
    }
}

/// The last part of a legacy Rust symbol.
fn is_hash(part: &str) -> bool {
    part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|b| b.is_ascii_hexdigit())
}

/// `   12345:\tadd    rcx,0x100` with objdump's remarks cut off.
fn instruction(line: &str) -> Option<Instruction<'_>> {
    let (address, text) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    let text = text.split("  #").next()?.split("\t//").next()?.trim();
    Some(Instruction { address, text })
}

/// The loop that is timed: a repeated string instruction; else, of the loops without a loop inside, one that counts as our
/// assembly does; else the largest.
fn hot_loop(code: &[Instruction<'_>]) -> Option<String> {
    let repeats = |text: &str| {
        text.starts_with("rep ") && text.contains("movs") || text.starts_with("rep stos")
    };
    if let Some(string) = code.iter().find(|i| repeats(i.text)) {
        return Some(format!("{}\n", squeeze(string.text)));
    }
    let best = innermost(code).into_iter().max_by_key(|(start, end)| {
        (counts_like_ours(&code[*start..=*end]), end - start, usize::MAX - start)
    })?;
    let body = &code[best.0..=best.1];
    // What a loop calls is not ours to pin, and how it calls depends on how the binary was linked.
    (!body.iter().any(|i| is_call(i.text))).then(|| listing(body))
}

/// A hand-off spins in one loop and looks whether to stop in another; they share instructions, so both are shown.
fn every_loop(code: &[Instruction<'_>]) -> Option<String> {
    let loops: Vec<String> =
        innermost(code).into_iter().map(|(start, end)| listing(&code[start..=end])).collect();
    (!loops.is_empty()).then(|| loops.join("\n"))
}

/// First and last instruction of each loop without a loop inside.
fn innermost(code: &[Instruction<'_>]) -> Vec<(usize, usize)> {
    let position = |address| code.iter().position(|i| i.address == address);
    let back = |(end, i): (usize, &Instruction<'_>)| {
        i.target().and_then(position).filter(|start| *start <= end).map(|start| (start, end))
    };
    let loops: Vec<(usize, usize)> = code.iter().enumerate().filter_map(back).collect();
    let holds = |outer: &(usize, usize), inner: &(usize, usize)| {
        outer != inner && inner.0 >= outer.0 && inner.1 <= outer.1
    };
    loops.iter().filter(|outer| !loops.iter().any(|inner| holds(outer, inner))).copied().collect()
}

/// Loops written in assembly end by counting in a register of their convention (see `pass.rs` and `block.rs` in
/// `kernels`).
fn counts_like_ours(body: &[Instruction<'_>]) -> bool {
    const COUNTERS: [&str; 7] = [
        "add rcx,0x100",
        "add rcx,0x40",
        "dec rcx",
        "subs x3, x3, #0x4",
        "subs x2, x2, #0x4",
        "subs x2, x2, #0x1",
        "subs x15, x15, #0x1",
    ];
    let last = body.iter().rev().nth(1).map(|i| squeeze(i.text));
    last.is_some_and(|text| COUNTERS.contains(&text.as_str()))
}

/// The loop without addresses: targets inside become line numbers, targets outside `out`, and distances to constants
/// go.
fn listing(body: &[Instruction<'_>]) -> String {
    let mut out = String::new();
    for i in body {
        let mut text = squeeze(i.text);
        if let Some(target) = i.target() {
            let label = match body.iter().position(|j| j.address == target) {
                Some(line) => format!("line {}", line + 1),
                None => "out".into(),
            };
            let plain = i.text.split('<').next().unwrap_or(i.text).trim();
            let stem = plain.rfind([' ', ',', '\t']).map_or("", |at| &plain[..=at]);
            text = squeeze(&format!("{stem}{label}"));
        }
        if let Some((call, target)) = i.text.split_once('<').filter(|_| is_call(i.text)) {
            let mnemonic = call.split_whitespace().next().unwrap_or(call);
            text = format!("{mnemonic} {}", target.trim_end_matches('>'));
        }
        if let Some((before, after)) = text.split_once("[rip+") {
            let after = after.split_once(']').map_or("", |(_, rest)| rest);
            text = format!("{before}[rip]{after}");
        }
        out += &text;
        out.push('\n');
    }
    out
}

fn is_call(text: &str) -> bool {
    text.starts_with("call") || text.starts_with("bl\t") || text.starts_with("bl ")
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86: &str = "\
bin:     file format elf64-x86-64


Disassembly of section .text:

0000000000001000 <kernels::memory::copy::avx2>:
    1000:\tpush   rbp
    1001:\tmov    rcx,rdi
    1004:\tvmovapd ymm0,YMMWORD PTR [rsi+rcx*1]
    1008:\tvmovapd YMMWORD PTR [rdi+rcx*1],ymm0
    100c:\tadd    rcx,0x100
    1010:\tjne    1004 <kernels::memory::copy::avx2+0x4>
    1012:\tmov    rax,QWORD PTR [rip+0x2f2]        # 4000 <x>
    1014:\tje     1020 <kernels::memory::copy::avx2+0x20>
    1016:\tnop
    1017:\tnop
    1018:\tnop
    1019:\tjne    1012 <kernels::memory::copy::avx2+0x12>
    101b:\tjne    1001 <kernels::memory::copy::avx2+0x1>
    1020:\tret

0000000000002000 <kernels::memory::copy::rep_movsb>:
    2000:\trep movs BYTE PTR es:[rdi],BYTE PTR ds:[rsi]
    2002:\tret

0000000000003000 <kernels::memory::copy::reference>:
    3000:\tjmp    3000 <kernels::memory::copy::reference>

0000000000004000 <kernels::chase::Ring::walk::h0123456789abcdef>:
    4000:\tmov    rax,QWORD PTR [rip+0x2f2]        # 4000 <x>
    4003:\tje     4010 <kernels::chase::Ring::walk+0x10>
    4006:\tjne    4000 <kernels::chase::Ring::walk>
";

    #[test]
    fn the_hot_loop_is_found_and_loses_its_addresses() {
        let loops = hot_loops(X86);
        assert_eq!(loops.keys().collect::<Vec<_>>(), ["chase.walk", "copy.avx2", "copy.rep_movsb"]);
        assert_eq!(
            loops["copy.avx2"],
            "vmovapd ymm0,YMMWORD PTR [rsi+rcx*1]\nvmovapd YMMWORD PTR [rdi+rcx*1],ymm0\nadd rcx,0x100\njne line 1\n"
        );
        assert_eq!(loops["copy.rep_movsb"], "rep movs BYTE PTR es:[rdi],BYTE PTR ds:[rsi]\n");
        assert_eq!(loops["chase.walk"], "mov rax,QWORD PTR [rip]\nje out\njne line 1\n");
    }

    #[test]
    fn aarch64_loops_are_found() {
        let text = "\
0000000000000b40 <kernels::compute::add_chain::native>:
 b40:\tadd\tx0, x0, x1
 b44:\tsubs\tx15, x15, #0x1
 b48:\tb.ne\tb40 <kernels::compute::add_chain::native>  // b.any
 b4c:\tcbnz\tx8, b40 <kernels::compute::add_chain::native>
 b50:\tret
";
        // The second branch makes a larger loop around the first: not the innermost.
        assert_eq!(
            hot_loops(text)["add_chain.native"],
            "add x0, x0, x1\nsubs x15, x15, #0x1\nb.ne line 1\n"
        );
    }

    #[test]
    fn a_loop_that_calls_a_library_has_no_snapshot() {
        let text = X86.replace("vmovapd YMMWORD PTR [rdi+rcx*1],ymm0", "call   rbx");
        assert!(!hot_loops(&text).contains_key("copy.avx2"));
    }

    #[test]
    fn hand_offs_show_every_loop_and_calls_lose_their_address() {
        let text = "\
0000000000000b40 <kernels::sync::cas_ping>:
 b40:\tcbnz\tw8, b4c <kernels::sync::cas_ping+0xc>
 b44:\tb.eq\tb40 <kernels::sync::cas_ping>  // b.none
 b48:\tbl\t50480 <__aarch64_cas8_acq_rel>
 b4c:\tcbnz\tx0, b48 <kernels::sync::cas_ping+0x8>
";
        assert_eq!(
            hot_loops(text)["sync.cas_ping"],
            "cbnz w8, out\nb.eq line 1\n\nbl __aarch64_cas8_acq_rel\ncbnz x0, line 1\n"
        );
    }

    #[test]
    fn a_changed_a_lost_and_a_new_loop_are_differences() {
        let loops = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect::<Loops>()
        };
        let old = loops(&[("a.x", "one\ntwo\n"), ("b.x", "one\n"), ("same.x", "one\n")]);
        let new = loops(&[("a.x", "one\nthree\n"), ("c.x", "one\n"), ("same.x", "one\n")]);
        assert_eq!(
            compare(&old, &new),
            [
                "a.x: line 2: was `two`, is `three`",
                "b.x: its loop is not in the binary",
                "c.x: has no snapshot"
            ]
        );
    }
}
