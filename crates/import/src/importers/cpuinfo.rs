//! `/proc/cpuinfo` of any architecture, read as the inventory reads it.
//!
//! Limits: on Arm it does not say which CPUs share a core, nor what the chip is called.
//! Source: linux, arch/*/kernel/cpu/proc.c and setup.c.
use crate::prelude::*;
use inventory::Root;
use record::FactValue;
use std::io;

pub(crate) static IMPORTER: Importer = Importer::new(FILE, recognises, read);

const FILE: &str = "/proc/cpuinfo";

fn recognises(text: &Text) -> bool {
    let key = |line: &str| line.split_once(':').map(|(key, _)| key.trim().to_ascii_lowercase());
    let has = |words: &[&str]| text.any(|l| key(l).is_some_and(|k| words.contains(&&*k)));
    let cpu = |l: &str| {
        key(l).is_some_and(|k| {
            let k = k.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
            ["processor", "processor name", "hart"].contains(&k)
        })
    };
    // SPARC and Alpha have no block for each CPU.
    has(&["ncpus probed", "cpus detected"])
        || text.any(cpu)
            && has(&[
                "cpu family",
                "cpu implementer",
                "isa",
                "mvendorid",
                "cpu mhz",
                "vendor_id",
                "bogomips per cpu",
                "revision",
                "cpu model",
            ])
}

/// A machine of which nothing but the file is known.
struct Alone<'a>(&'a str);

impl Root for Alone<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == FILE { Ok(self.0.into()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn link(&self, _: &str) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let machine = inventory::inventory(&Alone(text.whole()));
    Problem::when(machine.topology.cpus.is_empty(), "it lists no CPU")?;
    // What no file says is not the machine's.
    let said = |fact: &record::Fact| {
        fact.source.ends_with(FILE) && matches!(fact.known, FactValue::Value(_))
    };
    let alone = machine.topology.cpus.iter().all(|cpu| cpu.core.is_none());
    found.adopt(machine, said);
    if found.machine.value("cpu.model") == found.machine.value("cpu.microarchitecture") {
        found.machine.facts.remove("cpu.model");
    }
    if alone {
        found.machine.topology.cpus.iter_mut().for_each(|cpu| cpu.siblings = Default::default());
        found.siblings_missing(FILE);
    }
    Ok(())
}
