//! Programs get small pages, and a load from memory takes longer on them than on huge ones.
//!
//! Beyond the reach of the TLB every load waits for the page's translation first, which comes from caches or from memory. With
//! transparent huge pages on `madvise` only those who ask get them; most allocators do not. Where they are off altogether,
//! `thp_never` says so. It is told where even the shortest load on base pages is a tenth longer than the longest on huge ones.
//! Source: Linux, Documentation/admin-guide/mm/transhuge.rst.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured};
use crate::facts::{THP, selected};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{percent, time};
use record::{Better, Buffer, Cache, CacheKind, Pages, Record, Series, Unit, Value};

/// A smaller difference is not worth a setting.
const MORE: f64 = 1.1;

/// See the file's header.
#[derive(Debug)]
pub struct SmallPages;

impl Rule for SmallPages {
    fn title(&self) -> &'static str {
        "Small pages make loads from memory longer"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let setting = selected(evidence.text(THP)?);
        let [base, huge] = evidence.by_page()?;
        if setting != "madvise" || base.0 <= huge.1 * MORE {
            return Ok(None);
        }
        let middle = |(low, high): (f64, f64)| f64::midpoint(low, high);
        Ok(Some(Finding {
            claim: format!(
                "A random load from memory takes {} on base pages and {} on huge ones ({} less), and only programs that ask for huge pages get them.",
                time(middle(base)),
                time(middle(huge)),
                percent(1.0 - middle(huge) / middle(base))
            ),
            advice: "Let the program ask: GLIBC_TUNABLES=glibc.malloc.hugetlb=1, its own setting (huge_pages, large-pages, UseTransparentHugePages), or for all of them: echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.".into(),
            confirm_with: "cpulens spread --prove with and without GLIBC_TUNABLES=glibc.malloc.hugetlb=1: the program takes as long".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Latency]
    }

    fn as_built(&self) -> Option<&'static str> {
        Some(
            "Huge pages for those who ask are the default of many systems, and programs within reach of the TLB need none.",
        )
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let [base, huge] = evidence.by_page()?;
        Cost::between(
            0.0,
            1.0 - huge.0 / base.1,
            Sure::Measured,
            "From nothing, within reach of the TLB, to all that a random load is longer on base pages, by a program that does nothing else.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "130 ns on base pages, 100 on huge ones, for those who ask",
                build: |r| pages(r, "madvise", 130.0, 1.0),
                expect: Expect::Fires,
            },
            Example {
                about: "the same, and everybody gets huge pages",
                build: |r| pages(r, "always", 130.0, 1.0),
                expect: Expect::Clear,
            },
            Example {
                about: "no difference",
                build: |r| pages(r, "madvise", 103.0, 1.0),
                expect: Expect::Clear,
            },
            Example {
                about: "the kernel had no huge pages to give",
                build: |r| pages(r, "madvise", 130.0, 0.2),
                expect: Expect::CannotTell,
            },
            Example { about: "not measured", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

/// Curves on both kinds of pages, with so much of the second on huge ones.
fn pages(record: &mut Record, setting: &str, base: f64, share: f64) {
    record.machine.set(THP, setting, "example");
    record.machine.topology.caches = vec![Cache {
        level: 1,
        kind: CacheKind::Data,
        bytes: Some(1 << 20),
        line: None,
        ways: None,
        cpus: [0].into_iter().collect(),
    }];
    for (name, pages, ns) in [("base", Pages::Base, base), ("thp", Pages::Thp, 100.0)] {
        let series = (12..31).map(|e| {
            let bytes = 1u64 << e;
            let seconds = if e < 20 { 1e-9 } else { ns * 1e-9 };
            let mut s = Series::new("load_to_use", Unit::Seconds, Better::Lower);
            s.samples = vec![seconds; 7];
            s.buffer = Some(Buffer {
                bytes,
                pages,
                huge_share: Some(if pages == Pages::Base { 0.0 } else { share }),
                ..Buffer::default()
            });
            s.at("working_set", Value::Integer(bytes))
        });
        let params = [("pages", name), ("order", "random")];
        measured(record, "load_latency", &params, series.collect());
    }
}
