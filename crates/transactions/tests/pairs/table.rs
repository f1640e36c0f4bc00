//! Windows in pairs as a line: medians of the ratios of neighbours with their 95 % intervals, beside what is wanted.
use crate::turns::Window;
use stats::Sample;

/// Share of a CPU that others may have while a pair counts as undisturbed.
const OTHERS: f64 = 0.05;
/// Pairs that an interval of 95 % needs.
const FEWEST: usize = 6;
/// No bound.
pub(crate) const ANY: f64 = f64::INFINITY;

/// Bounds of the ratio of rates, and of client CPU time an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) rate: (f64, f64),
    pub(crate) cpu: f64,
}

/// Prints the head: the line's labels, and the names of its figures.
pub(crate) fn head(theirs: &str) {
    println!(
        "{:<26} {:>8} {:>8}  {:<22} {:<11}  {:>5} {:>5}  {:>7} {:>7}  {:<22} {:<7} {:>7} {:>7} {:>6} {:>6} {:>5} {:>6}  met",
        "way",
        "rate",
        theirs,
        "ratio (95 %)",
        "wanted",
        "CV %",
        "its",
        "us CPU",
        "its",
        "ratio (95 %)",
        "wanted",
        "server",
        "its",
        "switch",
        "its",
        "pairs",
        "others"
    );
}

/// A ratio's median and its interval as text, and the median.
fn ratio(pairs: &[[Window; 2]], of: fn(&Window) -> f64) -> (f64, String) {
    let ratios: Vec<f64> = pairs.iter().map(|[ours, theirs]| of(ours) / of(theirs)).collect();
    let sample = Sample::new(&ratios).unwrap();
    let interval = sample.median_interval(0.95);
    let shown = interval.map_or(String::new(), |i| format!("({:.3} to {:.3})", i.low, i.high));
    (sample.median(), format!("{:.3} {shown}", sample.median()))
}

/// A way's line, and that of the pairs during which others left the CPUs alone.
pub(crate) fn lines(name: &str, wanted: Wanted, pairs: &[[Window; 2]]) {
    line(name, wanted, pairs);
    let quiet = |pair: &&[Window; 2]| pair.iter().all(|window| window.others <= OTHERS);
    let quiet: Vec<[Window; 2]> = pairs.iter().filter(quiet).copied().collect();
    if (FEWEST..pairs.len()).contains(&quiet.len()) {
        line("  where nobody else worked", wanted, &quiet);
    }
}

fn line(name: &str, wanted: Wanted, pairs: &[[Window; 2]]) {
    let of = |side: usize, what: fn(&Window) -> f64| {
        let values: Vec<f64> = pairs.iter().map(|pair| what(&pair[side])).collect();
        let sample = Sample::new(&values).unwrap();
        (sample.median(), sample.cv().unwrap_or(0.0) * 100.0)
    };
    let rates = [of(0, |w| w.rate), of(1, |w| w.rate)];
    let client = [of(0, |w| w.client).0, of(1, |w| w.client).0];
    let server = [of(0, |w| w.server).0, of(1, |w| w.server).0];
    let switches = [of(0, |w| w.switches).0, of(1, |w| w.switches).0];
    let (rate, rate_shown) = ratio(pairs, |w| w.rate);
    let (cpu, cpu_shown) = ratio(pairs, |w| w.client);
    let Wanted { rate: (low, high), cpu: most } = wanted;
    let bounds = if high == ANY { format!(">= {low}") } else { format!("{low}..{high}") };
    let mut missed = vec![];
    if !(low..=high).contains(&rate) {
        missed.push("rate");
    }
    if cpu > most {
        missed.push("CPU");
    }
    println!(
        "{name:<26} {:>8.0} {:>8.0}  {rate_shown:<22} {bounds:<11}  {:>5.1} {:>5.1}  {:>7.2} {:>7.2}  {cpu_shown:<22} {:<7} {:>7.2} {:>7.2} {:>6.2} {:>6.2} {:>5} {:>6.2}  {}",
        rates[0].0,
        rates[1].0,
        rates[0].1,
        rates[1].1,
        client[0],
        client[1],
        if most == ANY { "any".into() } else { format!("<= {most}") },
        server[0],
        server[1],
        switches[0],
        switches[1],
        pairs.len(),
        of(0, |w| w.others).0,
        if missed.is_empty() { "yes".into() } else { format!("no: {}", missed.join(", ")) },
    );
}
