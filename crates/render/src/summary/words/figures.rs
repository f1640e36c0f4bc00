//! Figures of a summary in words: names, values, and what they are beside something known.
use crate::quantity;
use analyse::summary::{Figure, FigureId, Note, Quantity, Rated, STATED_L3, State};
use messages::{self as say, Lang};
use record::{Pages, Unit};

/// The rank of a figure where there is little room: lowest stays longest.
pub(in crate::summary) fn rank(id: FigureId) -> usize {
    use FigureId as F;
    const ORDER: &[FigureId] = &[
        F::UnixbenchIndex,
        F::UnixbenchIndexAllCopies,
        F::MemoryLatency,
        F::ReadBandwidthAllCores,
        F::CoreFrequency,
        F::MemoryLatencyHugePages,
        F::MemoryLatencyGrouped,
        F::LargestWorkingSetLatency,
        F::LargestWorkingSetLatencyHugePages,
        F::L3Latency,
        F::ReadBandwidthOneCore,
        F::CoreToCoreLatency,
        F::L2Latency,
        F::L1Latency,
        F::RemoteMemoryLatency,
        F::OsNoise,
        F::CoreToCoreLatencyFarthest,
        F::PrimesAllCores,
        F::PrimesOneCore,
        F::LoadedLatency,
        F::RemoteMemoryBandwidth,
        F::BranchMiss,
        F::MinorPageFault,
    ];
    ORDER.iter().position(|known| *known == id).unwrap_or(ORDER.len())
}

pub(in crate::summary) fn figure(lang: Lang, figure: &Figure) -> String {
    let of = figure.of.as_deref().unwrap_or("");
    let count = of.parse().unwrap_or(0);
    match figure.id {
        FigureId::ReadBandwidthAllCores => say::figure_read_bandwidth_all_cores(lang, of),
        FigureId::CopyBandwidthAllCores => say::figure_copy_bandwidth_all_cores(lang, of),
        FigureId::CoreToCoreLatency => say::figure_core_to_core_latency(lang, relation(lang, of)),
        FigureId::CoreToCoreLatencyFarthest => {
            say::figure_core_to_core_latency_farthest(lang, relation(lang, of))
        }
        FigureId::LoadedLatency if on_huge_pages(figure) => {
            say::figure_loaded_latency_huge_pages(lang).to_owned()
        }
        FigureId::MemoryLatency if count == 0 => {
            say::figure_memory_latency_unstated(lang).to_owned()
        }
        FigureId::MemoryLatency => say::figure_memory_latency(lang, page(count)),
        FigureId::LargestWorkingSetLatency if count == 0 => {
            say::figure_largest_working_set_latency_unstated(lang).to_owned()
        }
        FigureId::LargestWorkingSetLatency => {
            say::figure_largest_working_set_latency(lang, page(count))
        }
        FigureId::RemoteMemoryLatency => say::figure_remote_memory_latency(lang, of),
        FigureId::RemoteMemoryBandwidth => say::figure_remote_memory_bandwidth(lang, of),
        FigureId::TlbShootdown => say::figure_tlb_shootdown(lang, count),
        FigureId::PrimesAllCores => say::figure_primes_all_cores(lang, of),
        FigureId::OsNoise => say::figure_os_noise(lang, of),
        FigureId::LongestDetour => say::figure_longest_detour(lang, of),
        FigureId::UnixbenchIndex if count == 0 => {
            say::figure_unixbench_index_unstated(lang).to_owned()
        }
        FigureId::UnixbenchIndex => say::figure_unixbench_index(lang, count),
        FigureId::UnixbenchIndexAllCopies => say::figure_unixbench_index_all_copies(lang, count),
        other => match say::text(lang, &format!("figure-{}", other.name())) {
            Some(text) => text.to_owned(),
            None => other.name().replace('_', " "),
        },
    }
}

/// A page's size, as the kernel's documents write it: `4K`.
fn page(bytes: u64) -> String {
    format!("{}K", bytes >> 10)
}

/// Whether latency under load was taken on them, as that without.
fn on_huge_pages(figure: &Figure) -> bool {
    let huge = |note: &Note| matches!(note, Note::TimesIdle { pages, .. } if *pages != Pages::Base);
    figure.notes.iter().any(huge)
}

/// The relation of two CPUs; as the record has it where there is no word for it.
fn relation(lang: Lang, of: &str) -> String {
    let key = match of {
        "SMT siblings" => "relation-siblings",
        "same cluster" => "relation-cluster",
        "same L3" => "relation-l3",
        STATED_L3 => "relation-l3-stated",
        "same die" => "relation-die",
        "same node" => "relation-node",
        "same socket" => "relation-socket",
        "other socket" => "relation-other-socket",
        _ => return of.to_owned(),
    };
    say::text(lang, key).unwrap_or(of).to_owned()
}

/// A figure's value with its mark; floating-point operations are named.
pub(in crate::summary) fn median(figure: &Figure) -> String {
    let mark = if figure.moved && !figure.is_doubtful() { " ~" } else { "" };
    let text = value(&figure.quantity) + mark;
    match figure.id {
        FigureId::VectorFlops => text.replace("/s", "FLOP/s"),
        FigureId::UnixbenchIndex | FigureId::UnixbenchIndexAllCopies => {
            format!("{:.1}", figure.quantity.value)
        }
        _ => text,
    }
}

/// The value, or the lowest and the highest of several modes: there is no single value.
pub(in crate::summary) fn value(of: &Quantity) -> String {
    if let [low, .., high] = &of.modes[..] {
        let low = quantity::in_scale_of(low.level, high.level, of.unit);
        return format!("{low}-{} *", quantity::plain(high.level, of.unit));
    }
    quantity::plain(of.value, of.unit)
}

/// The modes without their unit, each with its number of samples; nothing where there is one.
pub(in crate::summary) fn modes(lang: Lang, of: &Quantity) -> String {
    let [_, .., high] = &of.modes[..] else { return String::new() };
    let mode = |mode: &State| {
        format!("{} ({})", quantity::in_scale_of(mode.level, high.level, of.unit), mode.count)
    };
    let levels: Vec<String> = of.modes.iter().map(mode).collect();
    say::note_modes(lang, levels.join(&format!(" {} ", say::or(lang))))
}

/// The interval without its unit, which is that of the value; nothing where modes are shown.
pub(in crate::summary) fn range(of: &Quantity) -> String {
    match of.interval.as_ref().filter(|_| of.modes.is_empty()) {
        Some(interval) => quantity::range(of.value, of.unit, interval),
        None => String::new(),
    }
}

pub(in crate::summary) fn cycles(figure: &Figure) -> String {
    figure.cycles.map_or(String::new(), quantity::cycles)
}

/// The comparisons of a figure with known values, as a list. A rate that is as expected need not be named, too.
pub(in crate::summary) fn notes(lang: Lang, figure: &Figure) -> String {
    let modes = Some(modes(lang, &figure.quantity)).filter(|modes| !modes.is_empty());
    let expected = figure.notes.contains(&Note::AsExpected);
    let shown = figure.notes.iter().filter(|n| !expected || !matches!(n, Note::PerCycle(_)));
    let notes = shown.map(|n| note(lang, figure, *n));
    modes.into_iter().chain(notes).collect::<Vec<_>>().join(say::comma(lang))
}

fn note(lang: Lang, figure: &Figure, note: Note) -> String {
    let percent = quantity::percent;
    let times = quantity::factor;
    let time = |s: f64| quantity::plain(s, Unit::Seconds);
    match note {
        Note::AtRated(Rated::Base) => say::note_at_base(lang).to_owned(),
        Note::AtRated(Rated::Boost) => say::note_at_boost(lang).to_owned(),
        Note::BelowRated(share, Rated::Base) => say::note_below_base(lang, percent(share)),
        Note::BelowRated(share, Rated::Boost) => say::note_below_boost(lang, percent(share)),
        Note::AboveRated(share, Rated::Base) => say::note_above_base(lang, percent(share)),
        Note::AboveRated(share, Rated::Boost) => say::note_above_boost(lang, percent(share)),
        Note::AsExpected => say::note_as_expected(lang).to_owned(),
        Note::BetterThanExpected => say::note_better(lang).to_owned(),
        Note::OfExpected(share) => say::note_of_expected(lang, percent(share)),
        Note::Rank { place, of, by: None } => say::note_rank(lang, of, place),
        Note::Rank { place, of, by: Some(seconds) } => match figure.id {
            FigureId::PrimesOneCore => say::note_rank_primes(lang, of, place, time(seconds)),
            _ => say::note_rank_lat_mem_rd(lang, of, place, time(seconds)),
        },
        Note::OfKind { low, high, .. } => {
            let span = match (time(low), time(high)) {
                (low, high) if low == high => high,
                (low, high) => format!("{} - {high}", low.split(' ').next().unwrap_or_default()),
            };
            match figure.id {
                FigureId::PrimesOneCore => say::note_of_kind_primes(lang, span),
                _ => say::note_of_kind_lat_mem_rd(lang, span),
            }
        }
        Note::OfPeak(share) => say::note_of_peak(lang, percent(share)),
        Note::OfModelPeak(share) => say::note_of_model_peak(lang, percent(share)),
        Note::EachGets(share) | Note::Efficiency(share) => {
            say::note_each_gets(lang, percent(share))
        }
        Note::LessThanBase(share) => say::note_less(lang, percent(share)),
        // Load makes no access faster: what changed meanwhile was larger.
        Note::TimesIdle { times: x, idle, .. } if x < 1.0 => {
            say::note_not_above_idle(lang, time(idle))
        }
        Note::TimesIdle { times: x, idle, .. } => say::note_times_idle(lang, time(idle), times(x)),
        Note::TimesLocal { times: x, local } => say::note_times_local(lang, time(local), times(x)),
        Note::OfLocal(share) => say::note_of_local(lang, percent(share)),
        Note::Elsewhere { value, share } => {
            let value = quantity::plain(value, figure.quantity.unit);
            say::note_elsewhere(lang, percent(share), value)
        }
        Note::RoundTrip(seconds) => say::note_round_trip(lang, time(seconds)),
        Note::OnBase { seconds, interval, page } => {
            let time = interval.map_or_else(
                || time(seconds),
                |interval| {
                    let range = quantity::range(seconds, Unit::Seconds, &interval);
                    format!("{} ({range})", time(seconds))
                },
            );
            match page {
                0 => say::note_on_base_unstated(lang, time),
                page => say::note_on_base(lang, self::page(page), time),
            }
        }
        Note::StillRises(bytes) => say::note_still_rises(lang, quantity::size(bytes as u64)),
        Note::PerCycle(x) => say::note_per_cycle(lang, times(x)),
        Note::Tests(tests) => say::note_tests(lang, tests as u64),
        Note::TimesOne(x) if figure.id == FigureId::UnixbenchIndexAllCopies => {
            say::note_times_one_copy(lang, times(x))
        }
        Note::TimesOne(x) => say::note_times_one(lang, times(x)),
    }
}
