//! Conclusions on accesses to memory, and the effect of the page size.
use crate::curves::{Curve, Plateau};
use crate::estimate::Estimate;
use crate::summary::{FigureId, Note, figures};
use crate::tlb::{Backing, MOSTLY_HUGE, Tlb};
use crate::words::{count, number, percent, time};
use estimates::quantity;
use estimates::report::Report;
use record::{Metric, Pages, ProbeId, Reason, Sort, Unit, param};

/// Below this, two medians within 2 % each do not differ significantly.
const SAME: f64 = 0.03;

/// The cost of memory beside that of the caches, on base pages where they were measured.
pub(super) fn latency(report: &Report<'_>) -> Option<String> {
    let all = report.get::<Vec<Curve>>().iter();
    let mut random: Vec<&Curve> = all.filter(|c| c.order == "random").collect();
    random.order_by_key(|c| c.pages != Pages::Base);
    let flat = random.iter().find(|c| c.plateau("memory").is_some());
    let curve = flat.or(random.first())?;
    let on = match curve.pages {
        Pages::Base => "base pages",
        Pages::Thp => "transparent huge pages",
        Pages::Hugetlb(_) => "reserved huge pages",
    };
    let Some(memory) = curve.plateau("memory") else {
        let why = curve.level("memory")?.err()?;
        return Some(rising(report, why));
    };
    let mut said =
        format!("A random access to memory on {on} costs {}", cost(memory, "or ", "core cycles"));
    let caches: Vec<String> = curve
        .levels
        .iter()
        .filter(|l| l.name != "memory")
        .filter_map(|l| {
            // As in the summary: a cache's latency is that without address translation, where it was measured.
            let near = figures::cache(report, &l.name)?;
            (near.seconds > 0.0).then(|| {
                let times = number(memory.seconds / near.seconds);
                format!("{times} times {} ({})", l.name, cost(near, "", "cycles"))
            })
        })
        .collect();
    if !caches.is_empty() {
        said += &format!(": {}", caches.join(", "));
    }
    Some(said + ".")
}

/// What is known of memory where no curve in random order becomes flat, and why none does.
fn rising(report: &Report<'_>, why: &Reason) -> String {
    let mut said = format!("What an access to memory costs is not known: {why}.");
    for figure in figures::latency(report) {
        let of = &figure.quantity;
        let time = quantity::plain(of.value, of.unit);
        match (figure.id, figure.notes.first()) {
            (FigureId::MemoryLatencyGrouped, _) => {
                said += &format!(" In an order that spares the TLB it costs {time}.");
            }
            (FigureId::LargestWorkingSetLatency, Some(Note::StillRises(bytes))) => {
                let size = quantity::size(*bytes as u64);
                said += &format!(" A random access to {size} costs {time}.");
            }
            (FigureId::LargestWorkingSetLatencyHugePages, Some(Note::StillRises(bytes))) => {
                let size = quantity::size(*bytes as u64);
                said += &format!(" A random access to {size} of huge pages costs {time}.");
            }
            _ => {}
        }
    }
    said
}

fn cost(plateau: &Plateau, or: &str, cycles: &str) -> String {
    let counted = plateau.cycles.map(quantity::cycles);
    let counted = counted.map(|n| format!(", {or}{n} {cycles}"));
    quantity::plain(plateau.seconds, Unit::Seconds) + &counted.unwrap_or_default()
}

/// The cost of page walks: base pages against huge pages, at memory.
pub(super) fn huge_pages(report: &Report<'_>) -> Option<String> {
    let base = Curve::of(report, "random", Pages::Base)?.plateau("memory")?;
    let huge = Curve::of(report, "random", Pages::Thp)?;
    match huge.huge_share {
        Some(share) if share < MOSTLY_HUGE => {
            return Some(format!(
                "What huge pages save is not known: the kernel put only {} of the buffer on them (free memory, or reserve them: sudo sysctl vm.nr_hugepages=512).",
                percent(share)
            ));
        }
        _ => {}
    }
    let huge_memory = huge.plateau("memory")?;
    let saved = base.seconds - huge_memory.seconds;
    let share = saved / base.seconds;
    let unverified = if huge.huge_share.is_none() {
        ", if the kernel gave them, which could not be verified"
    } else {
        ""
    };
    Some(if share.abs() < SAME {
        format!(
            "Huge pages make no difference to a random access to memory that could be measured{unverified}."
        )
    } else if saved > 0.0 {
        format!(
            "Huge pages save {} ({}) of each random access to memory{unverified}.",
            time(saved),
            percent(share)
        )
    } else {
        format!(
            "On huge pages a random access to memory takes {} longer than on base pages, which has no good reason: measure it again.",
            time(-saved)
        )
    })
}

/// The cost of TLB misses, and whether huge pages help.
pub(super) fn translation(report: &Report<'_>) -> Option<String> {
    let tlb = report.get::<Option<Tlb>>().as_ref()?;
    let mut said = vec![];
    if let Some(base) = tlb.memory.iter().find(|cost| cost.pages == Pages::Base) {
        let cost = base.random - base.grouped;
        if cost > SAME * base.random {
            said.push(format!(
                "Of a random access to memory on base pages {} ({}) is address translation: \
                 keep what is used together within a few pages.",
                time(cost),
                percent(cost / base.random)
            ));
        }
    }
    let mut levels = tlb.levels.iter().flatten();
    if let Some(first) = levels.next() {
        let reach = format!(
            "The {} reaches between {:.0} and {:.0} base pages",
            first.name, first.last, first.next
        );
        let others = levels.map(|l| format!(", the {} {:.0} and {:.0}", l.name, l.last, l.next));
        said.push(format!("{reach}{}.", others.collect::<String>()));
    }
    match &tlb.backing {
        Backing::Small if crate::facts::hypervisor(&report.record.machine).is_some() => {
            said.push(
                "Huge pages are backed by small ones on the host: they shorten page walks and spare none."
                    .into(),
            );
        }
        Backing::Small => said.push(
            "Huge pages miss the TLB as small ones do, which only a hypervisor or a processor that splits them explains."
                .into(),
        ),
        Backing::Huge => said.push("Huge pages are real: each takes one entry of the TLB.".into()),
        Backing::Unknown(_) => {}
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// The cost of memory management: first touches, pages taken away, false sharing.
pub(super) fn management(report: &Report<'_>) -> Option<String> {
    fn single<'a>(all: impl Iterator<Item = &'a Estimate>) -> Option<&'a Estimate> {
        all.last().filter(|e| e.median > 0.0 && e.states.len() == 1)
    }
    let mut said: Vec<String> = vec![];
    let fault = |metric, mapping| {
        let at = [(param::MAPPING, mapping), (param::ONE_OR_ALL, "one")];
        single(report.all(ProbeId::PageFault, metric, at)).map(quantity::median)
    };
    if let Some(base) = fault(Metric::TimePerFault, "anonymous") {
        let mut first = format!("The first touch of a page costs {base}");
        let each = fault(Metric::TimePerPage, "huge");
        if let (Some(huge), Some(each)) = (fault(Metric::TimePerFault, "huge"), each) {
            first += &format!(", of a huge page {huge}: {each} for each base page in it");
        }
        said.push(first + ".");
    }
    let calls = report.all(ProbeId::TlbShootdown, Metric::TimePerCall, [(param::CALL, "munmap")]);
    let by_others = |e: &&Estimate| param::OTHERS.of(&e.at);
    let calls: Vec<&Estimate> = calls.filter(|e| e.median > 0.0).collect();
    // As in the summary; with several states it has no single value.
    let most = single(calls.iter().copied().max_by_key(by_others).into_iter());
    let alone = single(calls.iter().copied().filter(|e| by_others(e) == Some(0)));
    if let (Some(alone), Some(most)) = (alone, most)
        && let Some(others) = by_others(&most).filter(|n| *n > 0)
    {
        let threads = count(others as usize, "other thread");
        said.push(format!(
            "Unmapping one costs {}, and {} while {threads} of the program {}.",
            quantity::median(alone),
            quantity::median(most),
            if others == 1 { "runs" } else { "run" }
        ));
    }
    let of_two = |e: &&Estimate| report.record.runs[e.run].case.get(param::COUNTERS) == Some(2);
    let add = |layout| {
        let at = [(param::LAYOUT, layout)];
        let all = report.all(ProbeId::FalseSharing, Metric::TimePerAdd, at);
        single(all.filter(of_two)).map(|e| e.median)
    };
    if let (Some(own), Some(same)) = (add("own_line"), add("same_line"))
        && (same / own).is_finite()
    {
        said.push(format!(
            "Two threads that count side by side in one line take {} times as long as in lines of their own.",
            number(same / own)
        ));
    }
    (!said.is_empty()).then(|| said.join(" "))
}
