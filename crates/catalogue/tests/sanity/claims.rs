//! Statements of the texts, compared with the figures.
use super::checks::{first, more, warning, warning_with};
use catalogue::{Measurement, Reference, SanityWarning};

const POINT: (&str, &str) = ("sysbench-point-select", "qps");

/// Performance in percent of another machine's, against the elapsed times of both.
pub(super) fn share_of_intel(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("c-cpu_bound", "performance_percent_of_intel") {
        let perf = |e: &Measurement| e.text("tool") == Some("perf stat");
        let elapsed = |machine| first(reference, machine, ("c-cpu_bound", "elapsed"), perf);
        let mut others =
            reference.series("c-cpu_bound", "elapsed").filter(|e| e.machine != m.machine);
        let other = others.find_map(|e| e.value);
        let (Some((_, own)), Some(other), Some(stated)) = (elapsed(&m.machine), other, m.value)
        else {
            continue;
        };
        let gives = other / own * 100.0;
        if (gives - stated).abs() > 2.0 {
            found.push(warning(
                m,
                format!("{} is stated; {other:.3} s over {own:.3} s give {gives:.1} %", m.printed),
            ));
        }
    }
}

/// One core, one pair or so many cores of a database test.
fn at(m: &Measurement, cores: u64, pair: bool) -> bool {
    m.seen()
        && m.integer("cores") == Some(cores)
        && (m.text("placement") == Some("1 SMT pair")) == pair
}

/// Percent of "x86", against the machines that were tested with the same server.
pub(super) fn share_of_x86(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("database-generic", "capability_percent_of_x86") {
        let mut shares = vec![];
        for other in ["intel-8163", "hygon-7280-8node"] {
            let all: Vec<f64> = [1, 4, 16, 32]
                .into_iter()
                .filter_map(|cores| {
                    let community = |x: &Measurement| {
                        at(x, cores, false)
                            && x.text("server").is_some_and(|s| s.starts_with("MySQL 5.7.34"))
                    };
                    let (_, own) = first(reference, &m.machine, POINT, community)?;
                    let (_, theirs) = first(reference, other, POINT, community)?;
                    Some(own / theirs * 100.0)
                })
                .collect();
            let least = all.iter().copied().reduce(f64::min);
            if let Some((least, most)) = least.zip(all.iter().copied().reduce(f64::max)) {
                shares.push((other, least, most));
            }
        }
        let outside = |s: &&(&str, f64, f64)| m.value.is_some_and(|v| v < s.1 || v > s.2);
        if shares.iter().any(|s| outside(&s)) {
            let words: Vec<String> = shares
                .iter()
                .map(|(name, least, most)| format!("{least:.0} to {most:.0} % of {name}"))
                .collect();
            found.push(warning(
                m,
                format!(
                    "{} of 'x86' is stated; point select with the same server gives {}",
                    m.printed,
                    words.join(" and ")
                ),
            ));
        }
    }
}

/// Gains for each doubling of threads, against openssl's own figures.
pub(super) fn doublings(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("scaling-statement", "gain_per_doubling") {
        let within = m.text("range").is_some_and(|r| r.starts_with("<="));
        let rates = |threads: u64| -> Vec<f64> {
            reference
                .series("openssl-speed-aes-256-ige", "throughput")
                .filter(|r| r.machine == m.machine && r.integer("threads_implied") == Some(threads))
                .filter_map(|r| r.value)
                .collect()
        };
        // Beyond the cores, one step can be isolated only where 32 of them are all there are.
        let (from, to) = if within { (1, 32) } else { (32, 64) };
        let steps = (to as f64 / from as f64).log2();
        let gains: Vec<f64> = rates(from)
            .iter()
            .zip(rates(to))
            .map(|(a, b)| ((b / a).powf(1.0 / steps) - 1.0) * 100.0)
            .collect();
        let least = gains.iter().copied().reduce(f64::min);
        let Some((least, most)) = least.zip(gains.iter().copied().reduce(f64::max)) else {
            continue;
        };
        if m.value.is_some_and(|v| v < least - 1.0 || v > most + 1.0) {
            found.push(warning(
                m,
                format!(
                    "{} more for each doubling is stated; openssl from {from} to {to} threads gives {least:.0} to {most:.0} %",
                    m.printed
                ),
            ));
        }
    }
}

/// The gain of the prime test from a pair of threads.
pub(super) fn pair_of_prime(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("sysbench-cpu-prime", "smt_speedup_stated") {
        let mut gains = vec![];
        let mut pairs = vec![];
        for one in reference
            .series("sysbench-cpu-prime", "elapsed")
            .filter(|e| e.machine.starts_with("intel") && e.integer("threads") == Some(1))
        {
            let both = |e: &Measurement| e.integer("threads") == Some(2);
            let two = first(reference, &one.machine, ("sysbench-cpu-prime", "elapsed"), both);
            if let (Some(a), Some((pair, b))) = (one.value, two) {
                gains.push(format!("{:.2} on {}", a / b, one.machine));
                if m.value.is_some_and(|v| (a / b - v).abs() > 0.1) {
                    pairs.push(pair);
                }
            }
        }
        if !pairs.is_empty() {
            let what = format!(
                "{} is stated for a pair of threads; the times give {}",
                m.printed,
                gains.join(", ")
            );
            found.push(warning_with(m, what, pairs));
        }
    }
}

/// The gain of a database from a pair of threads, where the text calls it small.
pub(super) fn pair_of_a_database(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("scaling-statement", "smt_worth_in_cores") {
        let Some((vendor, _)) = m.machine.split_once('-') else { continue };
        let mut gains = vec![];
        for workload in [POINT, ("tpcc", "tpmC")] {
            for pair in reference
                .series(workload.0, workload.1)
                .filter(|x| x.machine.starts_with(vendor) && at(x, 1, true))
            {
                let same = |x: &Measurement| {
                    at(x, 1, false)
                        && x.text("os") == pair.text("os")
                        && x.text("server") == pair.text("server")
                };
                let one = first(reference, &pair.machine, workload, same);
                if let (Some((_, one)), Some(both)) = (one, pair.value) {
                    let os = pair.text("os").unwrap_or("an unnamed system");
                    gains.push(format!("{:+.0} % in {} under {os}", more(both, one), workload.0));
                }
            }
        }
        if !gains.is_empty() {
            found.push(warning(
                m,
                format!(
                    "a second thread is stated to be worth {} of a core; a pair gives {}",
                    m.printed,
                    gains.join(", ")
                ),
            ));
        }
    }
}

/// The cost of the network, compared with the two rates.
pub(super) fn network(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("sysbench-point-select", "network_loss_stated") {
        let rate = |socket: bool| {
            let over = |x: &Measurement| {
                x.integer("cores") == m.integer("cores")
                    && x.text("transport").is_some_and(|t| t.contains("socket") == socket)
            };
            first(reference, &m.machine, POINT, over)
        };
        let (Some((_, near)), Some((far, over))) = (rate(true), rate(false)) else { continue };
        let loss = -more(over, near);
        if m.value.is_some_and(|v| (v - loss).abs() > 1.0) {
            let what = format!(
                "a loss of {} is stated; {near} to {over} queries a second is one of {loss:.1} %",
                m.printed
            );
            found.push(warning_with(m, what, [far]));
        }
    }
}

/// A stated ratio of two machines, compared with the latencies of both.
pub(super) fn times_as_slow(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("lmbench-stream-summary", "latency_ratio_stated") {
        let Some(other) = m.text("relative_to") else { continue };
        let mean = |machine: &str| {
            let all: Vec<f64> = reference
                .series("lmbench-lat_mem_rd", "latency")
                .filter(|x| x.machine == machine)
                .filter_map(|x| x.value)
                .collect();
            (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
        };
        let end = |machine, metric| {
            first(reference, machine, ("lmbench-stream-summary", metric), |_| true).map(|(_, x)| x)
        };
        let average = m.text("which") == Some("average");
        let gives = match average {
            true => mean(&m.machine).zip(mean(other)),
            false => end(&m.machine, "max_latency").zip(end(other, "min_latency")),
        };
        let Some(gives) = gives.map(|(a, b)| a / b) else { continue };
        if m.value.is_some_and(|v| (gives / v - 1.0).abs() > 0.05) {
            let by = if average { "the means of lat_mem_rd" } else { "the ends of the summary" };
            found.push(warning(
                m,
                format!(
                    "{} times the latency of {other} is stated; {by} give {gives:.1} times",
                    m.value.unwrap_or_default()
                ),
            ));
        }
    }
}

/// A drop by remote accesses, against what the latencies give with the stated share of them.
pub(super) fn remote(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("load-generation", "performance_drop_stated") {
        let latency = |where_: &str| {
            let measured = |x: &Measurement| x.seen() && x.text("placement") == Some(where_);
            first(reference, &m.machine, ("lmbench-stream", "latency"), measured)
        };
        let share = first(
            reference,
            &m.machine,
            ("lmbench-stream", "cross_socket_probability_stated"),
            |_| true,
        );
        let (Some((_, near)), Some((_, far)), Some((_, share)), Some(stated)) =
            (latency("local socket"), latency("cross socket"), share, m.value)
        else {
            continue;
        };
        let mean = more(near + (far - near) * share / 100.0, near);
        if (mean - stated).abs() > 2.0 {
            found.push(warning(
                m,
                format!(
                    "a drop by {stated} % is argued from {share} % remote accesses; {near} and {far} ns so weighted give {mean:.1} %, and {:.0} % is all accesses remote",
                    more(far, near)
                ),
            ));
        }
    }
}

/// Results under an added delay that have no run without it beside them.
pub(super) fn no_baseline(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let delayed = "unspecified-tlbi-host";
    let result = |machine: &'static str, test: &'static str| {
        let one = move |m: &Measurement| {
            m.text("test").is_some_and(|t| t.starts_with(test))
                && m.integer("processes").is_none_or(|p| p == 1)
        };
        first(reference, machine, ("unixbench", "result"), one)
    };
    let mut words = vec![];
    let mut about = vec![];
    for test in ["Dhrystone", "Double-Precision Whetstone", "File Copy 1024"] {
        if let (Some((m, with)), Some((_, other))) =
            (result(delayed, test), result("kunpeng-1630v100-sample", test))
        {
            words.push(format!("{test} {:.2}", with / other));
            about.push(m);
        }
    }
    if let Some(first) = about.first() {
        let what = format!(
            "there is no run without the delay beside these; over the only other run of one process (kunpeng-1630v100-sample) they are {}, and no delay of TLB invalidation slows Dhrystone or speeds up file copies: machine or frequency were others",
            words.join(", ")
        );
        found.push(warning_with(first, what, about.iter().skip(1).copied()));
    }
}

/// The line in which an instance of 32 cores on FT2500 is expected to do badly.
const EXPECTED: (&str, u32) = ("cpu-pk", 517);

/// An expectation, against how point select scales.
pub(super) fn many_cores(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let machine = "phytium-ft2500";
    let rate = |cores| {
        let socket = |m: &Measurement| {
            at(m, cores, false) && m.text("transport").is_some_and(|t| t.contains("socket"))
        };
        first(reference, machine, POINT, socket)
    };
    if let (Some((_, one)), Some((many, all))) = (rate(1), rate(32))
        && all / one > 0.95 * 32.0
    {
        found.push(SanityWarning {
            machine: machine.into(),
            publication: EXPECTED.0.into(),
            line: Some(EXPECTED.1),
            what: format!(
                "an instance of 32 cores is expected to do badly and to jitter; point select on 32 cores is {:.2} times that of one, {:.0} % of linear",
                all / one,
                all / one / 0.32
            ),
            measurements: vec![many.id.clone()],
        });
    }
}
