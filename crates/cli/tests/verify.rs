//! `run --verify` with bits that a debugger flips in the registers and the memory of running kernels.
use crate::sandbox::{Sandbox, load, possible};
use record::{ProbeId, Record};
use std::{collections::BTreeSet, fs};

/// Flips a bit once in each kernel, at the end of its loop, and says on which CPU: registers by their names, and for `rdi` the
/// memory that was just written.
const SCRIPT: &str = r#"
import gdb, re, subprocess
gdb.execute("set pagination off")
gdb.execute("set language c")
gdb.execute("set print thread-events off")
gdb.execute("starti", to_string=True)
program = gdb.current_progspace().filename
maps = open("/proc/%d/maps" % gdb.selected_inferior().pid).read()
base = int(re.search(r"(\w+)-.* 00000000 .*" + re.escape(program), maps).group(1), 16)
listed = subprocess.run(["nm", "--demangle", program], capture_output=True, text=True).stdout
symbols = {l.split(" ", 2)[2]: int(l.split()[0], 16) for l in listed.splitlines() if " T " in l or " t " in l}
FLIPS = [
    ("integer", "compute::add::native", "dec ", "$rax = $rax ^ 0x100"),
    ("multiply", "compute::mul::native", "dec ", "$rax = $rax ^ 0x100"),
    ("divide", "compute::div::native", "dec ", "$r10 = $r10 ^ 0x100"),
    ("floating_point", "compute::fma::native", "dec ", "$xmm0.v2_int64[0] = $xmm0.v2_int64[0] ^ 0x100000"),
    ("vector", "compute::fma_vector::avx2", "dec ", "$xmm3.v2_int64[1] = $xmm3.v2_int64[1] ^ 0x100000"),
    ("aes", "compute::aes::native", "dec ", "$xmm5.v2_int64[0] = $xmm5.v2_int64[0] ^ 1"),
    ("atomic", "compute::atomic_add::native", "dec ", "$rax = $rax ^ 0x100"),
    ("load_store", "memory::mix_1_1::sse2", r"add +\$0x100,", "*(long *)($rdi + $rcx) = *(long *)($rdi + $rcx) ^ 0x100"),
]
done = set()
# The reference sample adds, too: only what comes after another kernel's flip is verified.
later = []
class Flip(gdb.Breakpoint):
    def stop(self):
        self.enabled = False
        if self.kind in done:
            return False
        done.add(self.kind)
        gdb.parse_and_eval(self.flip)
        stat = open("/proc/%d/stat" % gdb.selected_thread().ptid[1]).read()
        cpu = stat.rsplit(")", 1)[1].split()[36]
        print("flipped %s on %s" % (self.kind, cpu), flush=True)
        while later:
            later.pop().enabled = True
        return False
for kind, name, end, flip in FLIPS:
    start = base + symbols["kernels::" + name]
    listing = gdb.execute("x/300i %#x" % start, to_string=True)
    ends = [l for l in listing.splitlines() if re.search(end + r".*%rcx", l)]
    # Memory kernels have a second loop.
    for line in ends[:2 if kind == "load_store" else 1]:
        point = Flip("*" + re.search("0x[0-9a-f]+", line).group())
        point.kind, point.flip = kind, flip
        if kind == "integer":
            point.enabled = False
            later.append(point)
gdb.execute("continue")
"#;

/// Readings of wrong results: the class and the CPU of each.
fn wrong(record: &Record) -> BTreeSet<(String, String)> {
    let readings = record.runs.iter().flat_map(|run| &run.readings);
    let names = readings.filter_map(|r| r.name.strip_prefix("verify.wrong."));
    let parts =
        |name: &str| Some((name.split('.').next()?.into(), name.rsplit_once(".cpu")?.1.into()));
    names.filter_map(parts).collect()
}

#[test]
fn a_flipped_bit_is_named_by_cpu_and_class() {
    let sandbox = Sandbox::new();
    let avx2 = fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains(" avx2 "));
    let python = sandbox.shell("gdb --batch -ex 'python print(1)'").out == "1\n";
    let here = cfg!(target_arch = "x86_64") && avx2 && python;
    if !possible("no x86-64 with AVX2, or no gdb with Python", here) {
        return;
    }
    sandbox.file("flip.py", SCRIPT);
    let run = "run --quiet --full --only verify --record record.json";
    let ran = sandbox.shell(&format!("gdb --batch --nx -x flip.py --args $0 {run}"));
    let flips =
        ran.out.lines().filter_map(|line| line.split_once("flipped ")?.1.split_once(" on "));
    let flips: BTreeSet<_> = flips.map(|(class, cpu)| (class.into(), cpu.into())).collect();
    assert_eq!(flips.len(), 8, "{}{}", ran.out, ran.err);
    assert_eq!(wrong(&load(&sandbox.path("record.json"))), flips);
    assert!(ran.out.contains("exited with code 01"), "{}", ran.out);
    assert!(ran.out.contains(" results of ") && ran.out.contains(" were wrong: "), "{}", ran.out);
}

#[test]
fn verification_comes_along_for_a_tenth_of_the_time_and_finds_nothing_here() {
    let sandbox = Sandbox::new();
    let args = ["run", "--verify", "--only", "core_frequency", "--record", "record.json"];
    sandbox.cpulens(&args).done();
    let record = load(&sandbox.path("record.json"));
    let (along, others): (Vec<_>, Vec<_>) =
        record.runs.iter().partition(|run| run.case.probe == ProbeId::Verify);
    let seconds = |runs: &[&record::Run]| runs.iter().map(|run| run.case.estimate).sum::<f64>();
    assert!(along.len() == 1 && seconds(&along) <= 0.1 * seconds(&others));
    assert_eq!(wrong(&record), BTreeSet::new());
    assert!(along[0].reading("verify.checked.divide").is_some_and(|r| r.value > 0.0));
}
