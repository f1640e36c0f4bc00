//! What stays English, each with its reason; docs/adr/0038 says which kinds there are.

/// The crates without a text for the reader of a report.
pub(crate) const SILENT: [&str; 2] = ["i18n", "kernels"];

/// Programs whose command lines stay as they are.
pub(crate) const PROGRAMS: [&str; 20] = [
    "apt",
    "cat",
    "cpulens",
    "dmidecode",
    "docker",
    "echo",
    "grep",
    "hwloc-bind",
    "lscpu",
    "lspci",
    "mount",
    "numactl",
    "openssl",
    "perf",
    "ps",
    "sudo",
    "sysbench",
    "taskset",
    "tee",
    "virsh",
];

/// Files, or folders, whose `Err` goes to standard error.
pub(crate) const ERRORS: [&str; 11] = [
    "arguments/src",
    "catalogue/src/reference.rs",
    "cli/src",
    "estimates/src/expected.rs",
    "fleet/src/profile.rs",
    "fleet/src/published.rs",
    "fleet/src/rows.rs",
    "fleet/src/parquet",
    "render/src/renderer.rs",
    "storage/src",
    "record/src",
];

/// Files, or folders, of which nothing is printed in a report.
pub(crate) const FILES: [(&str, &str); 17] = [
    ("arguments/src", "what the argument parser says"),
    ("cli/src/commands/run.rs", "progress and errors on standard error"),
    ("cli/src/commands/spread.rs", "progress and errors on standard error"),
    ("cli/src/progress.rs", "progress on standard error"),
    ("storage/src/named.rs", "says on standard error which names there are"),
    ("storage/src/store.rs", "says on standard error where a record is"),
    ("transactions/src/tpcc/inputs.rs", "what the argument parser says"),
    ("transactions/src/tpcc/statements.rs", "SQL"),
    ("host/src/startup.rs", "errors on standard error, before the program starts"),
    ("measure/src/values.rs", "what the argument parser says"),
    ("measure/src/plan.rs", "errors on standard error about names of probes"),
    ("sections/src/exporters", "files of other tools"),
    ("fleet/src/parquet", "errors on standard error about files"),
    ("render/src/renderers/csv.rs", "heads that programs read, and their documentation"),
    ("render/src/renderers/oslat.rs", "the format of oslat"),
    ("render/src/renderers/osnoise.rs", "the format of the kernel's tracer"),
    ("render/src/renderers/unixbench.rs", "UnixBench's own report"),
];

/// Texts that no report has, or has as they are, by their reason.
pub(crate) const TEXTS: [(&str, &[&str]); 11] = [
    (
        "what the argument parser says",
        &[
            "copies are a number from 1 to {}, N, or scaling",
            "memory is local, interleave or bind=NODE",
        ],
    ),
    (
        "words of other tools and of firmware, which are read",
        &[
            "Cannot fork",
            "Doing CPU performance benchmark",
            "Matrices, plain",
            "Number of Threads counted =",
            "Number of Threads requested =",
            "Number of elements:",
            "ampere altra",
            "ampere altra max",
            "bogomips per cpu",
            "cpu implementer",
            "cpu model",
            "cpu part",
            "cpu revision",
            "cpu variant",
            "cpus detected",
            "default string",
            "ncpus probed",
            "no dimm",
            "processor name",
            "select on 100 files",
            "signal handling",
            "signal installation",
            "to be filled by o.e.m.",
            "untrained return thunk",
        ],
    ),
    (
        "names of tools and of their tests, which stay as the tool prints them",
        &[
            "Dhrystone 2 using register variables",
            "File Copy 1024 bufsize 2000 maxblocks",
            "File Copy 256 bufsize 500 maxblocks",
            "File Copy 4096 bufsize 8000 maxblocks",
            "Spare Cores inspector",
            "create 0k file|delete 0k file|create 10k file|delete 10k file|mmap|protection fault|page fault|select on 100 files",
            "float add|float mul|float div|float bogo",
            "integer bit|integer add|integer mul|integer div|integer mod",
            "remote UDP|remote RPC/UDP|remote TCP|remote RPC/TCP|remote TCP connection",
            "lstopo text",
            "|L1|L2|memory|memory at random",
            "{} bits ecdh (curve {})",
            "{} bits ecdsa (curve {})",
            "{} bits ffdh",
        ],
    ),
    ("values of parameters and of keys in JSON", &["every cache", "one bound"]),
    (
        "the line and the metrics of `check`, which monitoring reads",
        &[
            "1 figure has none ({})",
            "1 limit kept",
            "A fault that was found, by its severity as of the status.",
            "Limit of a result, in its unit.",
            "What one sample in twenty reached, of frequencies the mean, in the base unit.",
            "When the check ended.",
            "environment check failed",
            "{} figures have none ({})",
        ],
    ),
    (
        "SQL",
        &[
            r"SELECT name FROM sqlite_master WHERE type = \'table\' AND name NOT LIKE \'sqlite_%\'",
            r"UPDATE {} SET what = \'{}\' WHERE what LIKE \'{} %\'",
        ],
    ),
    (
        "part of a sentence that another text has as a whole",
        &["bandwidth still rises", "open a pipe"],
    ),
    ("names of registers", &["unknown: marchid {}", "unknown: mvendorid 0x{}"]),
    (
        "files of this program, and a comment in one that is compiled",
        &["/* {} of the {} */", r"pid {}\nstarted {}\nnamespace {}\nboot {}\nhost {}\n"],
    ),
    (
        "errors on standard error",
        &[
            "detours of a CPU; measure them: cpulens noise detours",
            "--workload {} is no run that cpulens stat --format json counted",
            "is a table `metrics`: its runs are in the table `runs`, which is not here",
            "there is no record or digest (.json, .jsonl, also with .zst, or a table `runs` as .parquet) in these places; tables as CSV are for databases and are not read",
            "this is no visit; cpulens run starts one by itself",
            "what disturbed a sample",
            "yes or no, a number, text, or a list of them",
        ],
    ),
    ("a defect of the lists of events, which a test would find", &[r"{}: there is no kind \'{}\'"]),
];

/// Patterns of texts that are not in the code: the beginnings of their keys.
pub(crate) const OF_OTHERS: [(&str, &str); 8] = [
    ("digests-", "sentences of analyses, which digests hold as texts"),
    ("machine-balance-", "governors, as the kernel names them"),
    ("machine-conservative-on", "governors, as the kernel names them"),
    ("machine-ondemand-on", "governors, as the kernel names them"),
    ("machine-os-", "errors of the system and of the standard library"),
    ("machine-unreadable-invalid", "errors of the system"),
    ("machine-unreadable-io", "errors of the system"),
    ("machine-userspace-on", "governors, as the kernel names them"),
];
