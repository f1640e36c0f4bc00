//! Conclusions on accesses to memory, and the effect of the page size.
use crate::curves::{Curve, Plateau};
use crate::estimate::Estimate;
use crate::say;
use crate::summary::{FigureId, Note, figures};
use crate::tlb::{Backing, MOSTLY_HUGE, Tlb, TlbLevel};
use crate::words::{number, percent, time};
use estimates::quantity;
use estimates::report::Report;
use record::{Between, Metric, Pages, ProbeId, Reason, Sort, Text, Unit, param};

/// Below this, two medians within 2 % each do not differ significantly.
const SAME: f64 = 0.03;

/// The cost of memory beside that of the caches, on base pages where they were measured.
pub(super) fn latency(report: &Report<'_>) -> Option<Text> {
    let all = report.get::<Vec<Curve>>().iter();
    let mut random: Vec<&Curve> = all.filter(|c| c.order == "random").collect();
    random.order_by_key(|c| c.pages != Pages::Base);
    let flat = random.iter().find(|c| c.plateau("memory").is_some());
    let curve = flat.or(random.first())?;
    let on = match curve.pages {
        Pages::Base => say::BASE_PAGES,
        Pages::Thp => say::TRANSPARENT_HUGE_PAGES,
        Pages::Hugetlb(_) => say::RESERVED_HUGE_PAGES,
    };
    let Some(memory) = curve.plateau("memory") else {
        let why = curve.level("memory")?.err()?;
        return Some(rising(report, why));
    };
    let cost = match memory.cycles {
        Some(n) => say::or_cycles(seconds(memory), quantity::cycles(n)),
        None => seconds(memory).into(),
    };
    let said = say::random_access(on, cost);
    let caches = curve.levels.iter().filter(|l| l.name != "memory").filter_map(|l| {
        // As in the summary: a cache's latency is that without address translation, where it was measured.
        let near = figures::cache(report, &l.name).filter(|near| near.seconds > 0.0)?;
        let cost = match near.cycles {
            Some(n) => say::and_cycles(seconds(near), quantity::cycles(n)),
            None => seconds(near).into(),
        };
        Some(say::times_cache(number(memory.seconds / near.seconds), &l.name, cost))
    });
    let caches = Text::list(caches, Between::Comma);
    let all = [said, caches].into_iter().filter(|part| !part.is_empty());
    Some(say::sentence(Text::list(all, Between::Colon)))
}

/// What is known of memory where no curve in random order becomes flat, and why none does.
fn rising(report: &Report<'_>, why: &Reason) -> Text {
    let mut said = vec![say::latency_unknown(why)];
    for figure in figures::latency(report) {
        let of = &figure.quantity;
        let time = quantity::plain(of.value, of.unit);
        said.extend(match (figure.id, figure.notes.first()) {
            (FigureId::MemoryLatencyGrouped, _) => Some(say::latency_grouped(time)),
            (FigureId::LargestWorkingSetLatency, Some(Note::StillRises(bytes))) => {
                Some(say::latency_largest(quantity::size(*bytes as u64), time))
            }
            (FigureId::LargestWorkingSetLatencyHugePages, Some(Note::StillRises(bytes))) => {
                Some(say::latency_largest_huge(quantity::size(*bytes as u64), time))
            }
            _ => None,
        });
    }
    Text::list(said, Between::Sentences)
}

fn seconds(plateau: &Plateau) -> String {
    quantity::plain(plateau.seconds, Unit::Seconds)
}

/// The cost of page walks: base pages against huge pages, at memory.
pub(super) fn huge_pages(report: &Report<'_>) -> Option<Text> {
    let base = Curve::of(report, "random", Pages::Base)?.plateau("memory")?;
    let huge = Curve::of(report, "random", Pages::Thp)?;
    match huge.huge_share {
        Some(share) if share < MOSTLY_HUGE => {
            return Some(say::huge_unknown(percent(share)));
        }
        _ => {}
    }
    let huge_memory = huge.plateau("memory")?;
    let saved = base.seconds - huge_memory.seconds;
    let share = saved / base.seconds;
    let saves = (time(saved), percent(share));
    Some(match (share.abs() < SAME, huge.huge_share.is_none()) {
        (true, false) => say::HUGE_NONE.into(),
        (true, true) => say::HUGE_NONE_UNVERIFIED.into(),
        _ if saved <= 0.0 => say::huge_longer(time(-saved)),
        (_, false) => say::huge_saves(saves.0, saves.1),
        (_, true) => say::huge_saves_unverified(saves.0, saves.1),
    })
}

/// The cost of TLB misses, and whether huge pages help.
pub(super) fn translation(report: &Report<'_>) -> Option<Text> {
    let tlb = report.get::<Option<Tlb>>().as_ref()?;
    let mut said = vec![];
    if let Some(base) = tlb.memory.iter().find(|cost| cost.pages == Pages::Base) {
        let cost = base.random - base.grouped;
        if cost > SAME * base.random {
            said.push(say::translation(time(cost), percent(cost / base.random)));
        }
    }
    let mut levels = tlb.levels.iter().flatten();
    if let Some(first) = levels.next() {
        let ends = |l: &TlbLevel| (format!("{:.0}", l.last), format!("{:.0}", l.next));
        let (last, next) = ends(first);
        let reach = say::tlb_reach(&first.name, last, next);
        let others = levels.map(|l| {
            let (last, next) = ends(l);
            say::tlb_reach_next(&l.name, last, next)
        });
        let all = std::iter::once(reach).chain(others);
        said.push(say::sentence(Text::list(all, Between::Comma)));
    }
    match &tlb.backing {
        Backing::Small if crate::facts::hypervisor(&report.record.machine).is_some() => {
            said.push(say::BACKING_SMALL_HOST.into());
        }
        Backing::Small => said.push(say::BACKING_SMALL.into()),
        Backing::Huge => said.push(say::BACKING_HUGE.into()),
        Backing::Unknown(_) => {}
    }
    (!said.is_empty()).then(|| Text::list(said, Between::Sentences))
}

/// The cost of memory management: first touches, pages taken away, false sharing.
pub(super) fn management(report: &Report<'_>) -> Option<Text> {
    fn single<'a>(all: impl Iterator<Item = &'a Estimate>) -> Option<&'a Estimate> {
        all.last().filter(|e| e.median > 0.0 && e.states.len() == 1)
    }
    let mut said: Vec<Text> = vec![];
    let fault = |metric, mapping| {
        let at = [(param::MAPPING, mapping), (param::ONE_OR_ALL, "one")];
        single(report.all(ProbeId::PageFault, metric, at)).map(quantity::median)
    };
    if let Some(base) = fault(Metric::TimePerFault, "anonymous") {
        let each = fault(Metric::TimePerPage, "huge");
        said.push(match fault(Metric::TimePerFault, "huge").zip(each) {
            Some((huge, each)) => say::first_touch_huge(base, huge, each),
            None => say::first_touch(base),
        });
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
        let (alone, most) = (quantity::median(alone), quantity::median(most));
        said.push(say::unmap(alone, most, others as usize));
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
        said.push(say::false_sharing(number(same / own)));
    }
    (!said.is_empty()).then(|| Text::list(said, Between::Sentences))
}
