//! Files into facts about a machine. Pure: no code here can distinguish a live machine from a recorded one, and all that
//! the files hold, the answer is a value or a reason.
//!
//! # Paths that are not files
//! What a process can only ask the processor or the kernel directly, a live [`Root`] serves as text, and a captured
//! tree holds as files:
//!
//! | path | content |
//! |---|---|
//! | `/cpulens/cpuid` | lines `leaf subleaf eax ebx ecx edx`, hexadecimal, of the CPU it ran on |
//! | `/cpulens/affinity` | the CPUs this process may use, in list syntax |
//! | `/cpulens/auxv` | lines `AT_HWCAP hex`, `AT_HWCAP2 hex`, `AT_PAGESZ n`, `AT_PLATFORM text` |
//! | `/cpulens/uname` | sysname, release, version, machine: one a line |
//! | `/cpulens/unreadable` | captures only: what was there but could not be read ([`root::UNREADABLE`]) |
//!
#![doc = include_str!("names.md")]
#![deny(missing_docs)]

mod caches;
mod capture;
mod cpuinfo;
mod cpus;
mod decode;
mod devices;
mod evidence;
mod firmware;
mod frequency;
mod identity;
mod interrupts;
mod kernel;
mod limits;
mod memory;
mod mitigations;
mod numa;
mod old_caches;
mod partitions;
mod power;
mod processor;
mod reading;
pub mod root;
mod scrub;
mod tiers;
mod tuning;
mod virtualisation;

pub use capture::{Captured, Entry, capture};
pub use decode::cpuid::signature as cpuid_signature;
pub use firmware::channels_of_slots;
pub use processor::{names_processor, resolve, vendor};
pub use root::{Folder, Root};
pub use virtualisation::UNNAMED as UNNAMED_HYPERVISORS;

use record::{FactValue, Machine, Reason, Value};

/// Reads everything about a machine. Never fails: what cannot be known is a fact with a reason.
pub fn inventory(root: &dyn Root) -> Machine {
    let evidence = evidence::Evidence::gather(reading::Files(root));
    let mut machine = Machine::default();
    cpus::look(&evidence, &mut machine);
    caches::look(&evidence, &mut machine);
    numa::look(&evidence, &mut machine);
    memory::look(&evidence, &mut machine);
    // Identity and frequencies fall back on what firmware says, so it goes first; likewise the hypervisor on the board.
    firmware::look(&evidence, &mut machine);
    identity::look(&evidence, &mut machine);
    frequency::look(&evidence, &mut machine);
    kernel::look(&evidence, &mut machine);
    mitigations::look(&evidence, &mut machine);
    virtualisation::look(&evidence, &mut machine);
    limits::look(&evidence, &mut machine);
    interrupts::look(&evidence, &mut machine);
    power::look(&evidence, &mut machine);
    partitions::look(&evidence, &mut machine);
    tiers::look(&evidence, &mut machine);
    tuning::look(&evidence, &mut machine);
    // Its interrupts go where the routes say.
    devices::look(&evidence, &mut machine);
    // An empty file or value is no answer.
    for fact in machine.facts.values_mut() {
        if matches!(&fact.known, FactValue::Value(Value::Text(text)) if text.is_empty()) {
            fact.known = FactValue::Unknown(Reason::new(format!("{} says nothing", fact.source)));
        }
    }
    machine
}
