//! Memory is not spread evenly over channels or sockets.
//!
//! Channels are interleaved only as far as they hold equal capacity: the rest of the memory runs on fewer channels,
//! and a socket with less memory sends its programs to the other one. Only unlike sizes are claimed, for how slots
//! belong to channels is not told by firmware in any way that can be relied on.
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect};
use crate::report::Finding;
use crate::rule::Rule;
use crate::words::bytes;
use record::{CpuSet, Dimm, Node, Reason, Record};

/// The kernel and devices take some of a node's memory before it is counted: 10 % and more of small nodes.
const EVEN: f64 = 0.75;

/// See the file's header.
#[derive(Debug)]
pub struct ChannelsUnbalanced;

impl Rule for ChannelsUnbalanced {
    fn title(&self) -> &'static str {
        "Memory is spread unevenly"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let sizes = |all: Vec<u64>| Some((*all.iter().min()?, *all.iter().max()?));
        let modules = evidence.dimms()?.iter().filter(|d| d.populated).filter_map(|d| d.bytes);
        let Some((small, large)) = sizes(modules.filter(|b| *b > 0).collect()) else {
            return Err(Missing(Reason::new("firmware states the size of no memory module")));
        };
        // Nodes without CPUs (CXL, HBM) are of another size on purpose.
        let nodes = evidence.nodes()?.iter().filter(|n| !n.cpus.is_empty());
        let nodes = sizes(nodes.filter_map(|n| n.bytes).collect());
        let claim = if small != large {
            format!(
                "Memory modules have unlike sizes, from {} to {}: part of the memory is not interleaved over all channels.",
                bytes(small as f64),
                bytes(large as f64)
            )
        } else if let Some((least, most)) = nodes
            && (least as f64) < most as f64 * EVEN
        {
            format!(
                "Memory nodes have unlike sizes, from {} to {}: they have unlike numbers of channels in use.",
                bytes(least as f64),
                bytes(most as f64)
            )
        } else {
            return Ok(None);
        };
        Ok(Some(Finding {
            claim,
            advice: "Fill the channels of every socket with equal modules, in the slots that the board's manual names first.".into(),
            confirm_with: "sudo dmidecode -t memory | grep -E 'Locator|Size', and numactl --hardware".into(),
        }))
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "a module of twice the size",
                build: |r| memory(r, &[16, 16, 32], &[64]),
                expect: Expect::Fires,
            },
            Example {
                about: "one socket has half of the modules",
                build: |r| memory(r, &[16, 16, 16], &[32, 16]),
                expect: Expect::Fires,
            },
            Example {
                about: "equal modules, equal sockets",
                build: |r| memory(r, &[16, 16], &[15, 16]),
                expect: Expect::Clear,
            },
            Example {
                about: "not root",
                build: |r| memory(r, &[], &[64]),
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}

fn memory(record: &mut Record, modules: &[u64], nodes: &[u64]) {
    let gib = |n: u64| Some(n << 30);
    let topology = &mut record.machine.topology;
    topology.dimms = modules
        .iter()
        .map(|n| Dimm { populated: true, bytes: gib(*n), ..Dimm::default() })
        .collect();
    topology.nodes = (0..)
        .zip(nodes)
        .map(|(id, n)| Node {
            id,
            cpus: CpuSet::from_iter([id]),
            bytes: gib(*n),
            ..Node::default()
        })
        .collect();
}
