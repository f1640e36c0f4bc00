//! `openssl speed` of 1.0 to 3.x: bytes per second by algorithm and block size, signatures and exchanges per second, and
//! `-mr`. Also its lines wrapped in a table whose first cell names the machine.
//!
//! Limits: with `-multi` the processes' rates are summed, and the output does not state their number. `-mr` names no curve and no
//! KEM, only its place in openssl's list. Before 1.1.1 its signatures are seconds, known by being below one for both operations.
//! Source: openssl, apps/speed.c.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("openssl speed", recognises, read);

/// The default block sizes of `speed` since 1.0 (lengths_list), the last since 1.1.
const BLOCKS: [u64; 6] = [16, 64, 256, 1024, 8192, 16384];
/// A rate that falls by so much with a larger block is not how a cipher behaves.
const FALL: f64 = 0.95;

/// The kind of core that sbc-bench puts behind a row: `... 1394524.16k (Cortex-A76)`.
fn on_core(row: &str) -> (&str, Option<&str>) {
    match row.trim_end().strip_suffix(')').and_then(|r| r.rsplit_once("k (")) {
        Some((_, core)) => (&row[..row.rfind(" (").unwrap_or(row.len())], Some(core)),
        None => (row, None),
    }
}

/// An algorithm and its rates: cells like `89602.86k`, of which at most one has lost its `k`.
fn rates(text: &str) -> Option<(String, Vec<(f64, bool)>)> {
    let (text, _) = on_core(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.iter().position(|w| rate(w).is_some_and(|(_, k)| k))?;
    let cells: Option<Vec<(f64, bool)>> = words[first..].iter().map(|w| rate(w)).collect();
    let cells = cells?;
    let named = first > 0 && words[..first].concat().contains(|c: char| c.is_ascii_alphabetic());
    (named && !words[0].starts_with("type") && cells.iter().filter(|(_, k)| !k).count() <= 1)
        .then(|| (tidy(&words[..first].join(" ")), cells))
}

fn rate(word: &str) -> Option<(f64, bool)> {
    let bare = word.strip_suffix('k').unwrap_or(word);
    let decimals = bare.split_once('.').is_some_and(|(_, d)| d.len() == 2);
    Some((number(bare).filter(|x| decimals && *x != 0.0)?, word.ends_with('k')))
}

/// The machine in a table's first cell, and the second cell.
fn cells(line: &str) -> (Option<String>, &str) {
    let Some(inner) = line.trim().strip_prefix('|') else { return (None, line) };
    match inner.trim_end_matches('|').split_once('|') {
        Some((name, rest)) => (Some(tidy(name)), rest.trim()),
        None => (None, inner),
    }
}

fn recognises(text: &Text) -> bool {
    let head = text.any(|l| {
        l.starts_with("The 'numbers' are in 1000s of bytes")
            || machine(l).is_some()
            || (l.starts_with("type ") && l.contains(" bytes"))
    });
    let row = || text.any(|l| rates(cells(l).1).is_some_and(|(_, c)| c.len() > 3));
    let pairs = || text.any(|l| l.contains("sign/s") && l.contains("verify/s"));
    // Exchanges alone: `op op/s` above ` 253 bits ecdh (X25519) 0.0000s 22507.7`.
    let exchange = |l: &str| l.contains(" bits ecdh (") || l.contains(" bits ffdh ");
    let exchanges = || text.any(|l| l.split_whitespace().eq(["op", "op/s"])) && text.any(exchange);
    head || row() || pairs() || exchanges()
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut blocks: Option<Vec<u64>> = None;
    let mut threads = None;
    let mut heads: Vec<String> = vec![];
    let mut case: Option<(Option<Subject>, usize)> = None;
    for line in text.lines() {
        let n = line.number;
        let (system, inner) = cells(line.text);
        let words: Vec<&str> = inner.split_whitespace().collect();
        if let Some(command) = command(line.text, &["openssl"]) {
            threads = option(command, &["-multi"]).and_then(|t| t.parse::<u64>().ok());
            found.command(command);
        } else if let Some(version) = version(line.text) {
            found.version(&version);
        } else if words.first() == Some(&"type") && words.contains(&"bytes") {
            blocks = Some(words.iter().filter_map(|w| w.parse().ok()).collect());
        } else if let Some(sizes) = line.text.strip_prefix("+H:") {
            blocks = Some(sizes.split(':').filter_map(|w| w.parse().ok()).collect());
        } else if words.iter().any(|w| w.ends_with("/s")) && words.iter().all(|w| is_head(w)) {
            heads = words.iter().map(|w| (*w).to_owned()).collect();
        } else if let Some(cells) = line.text.strip_prefix("+F:") {
            let mut cells = cells.split(':').skip(1);
            let name = tidy(cells.next().unwrap_or(""));
            let row: Vec<(f64, bool)> =
                cells.filter_map(|c| Some((number(c)? / 1e3, true))).collect();
            let case = at(&mut case, None, n, threads, found);
            add(n, case, &name, &row, blocks.as_deref(), found);
        } else if let Some((name, operations)) = machine(line.text).and_then(operations) {
            let case = at(&mut case, None, n, threads, found);
            let algorithm = [("algorithm", Value::from(name))];
            for (what, rate) in operations {
                found.series(case, per_second(what.into()), &algorithm, &[rate]);
            }
        } else if let Some((name, row)) = rates(inner) {
            let core = || on_core(inner).1.map(|core| ("core", tidy(core)));
            let system = system.map(|name| ("system", name)).or_else(core);
            let case = at(&mut case, system, n, threads, found);
            if blocks.is_none() {
                found.warn(0, "the line with the block sizes is not there: 16, 64, 256, 1024, 8192 bytes are assumed, as openssl 1.0 measures");
            }
            add(n, case, &name, &row, blocks.as_deref(), found);
        } else if !heads.is_empty() && !words.is_empty() {
            let Some((name, operations)) = pairs(line, &heads) else {
                heads.clear();
                continue;
            };
            let case = at(&mut case, None, n, threads, found);
            let algorithm = [("algorithm", Value::from(name))];
            for (what, rate) in operations {
                found.series(case, per_second((&*what).into()), &algorithm, &[rate]);
            }
        }
    }
    Ok(())
}

/// The kind of a line of `-mr` and its cells, as of `+F2:2:2048:4560.0:74170.8`; of `+F:` it is 1.
fn machine(line: &str) -> Option<(u8, Vec<&str>)> {
    let (kind, cells) = line.strip_prefix("+F")?.split_once(':')?;
    let kind = if kind.is_empty() { Some(1) } else { kind.parse().ok() };
    Some((kind.filter(|kind| (1..=10).contains(kind))?, cells.split(':').collect()))
}

/// The name and the rates of a line of `-mr`, named as the text names them.
fn operations((kind, cells): (u8, Vec<&str>)) -> Option<(String, Vec<(&'static str, f64)>)> {
    let [place, rest @ ..] = &cells[..] else { return None };
    let bits = rest.first().and_then(|bits| whole(bits));
    const SIGNATURE: &[&str] = &["sign", "verify"];
    let (name, values, what): (String, &[&str], &[&'static str]) = match (kind, bits, rest) {
        (9, _, values) => (format!("KEM {place}"), values, &["keygens", "encaps", "decaps"]),
        (10, _, values) => (format!("signature {place}"), values, &["keygens", "sign", "verify"]),
        (6, Some(bits), [_, name, values @ ..]) => {
            (format!("{bits} bits EdDSA ({name})"), values, SIGNATURE)
        }
        (7, Some(bits), [_, name, values @ ..]) => {
            (format!("{bits} bits SM2 ({name})"), values, SIGNATURE)
        }
        (_, Some(bits), [_, values @ ..]) => {
            let (name, what): (String, &[&'static str]) = match kind {
                2 => (format!("rsa {bits} bits"), &["sign", "verify", "encr.", "decr."]),
                3 => (format!("dsa {bits} bits"), SIGNATURE),
                4 => (format!("{bits} bits ecdsa (curve {place})"), SIGNATURE),
                5 => (format!("{bits} bits ecdh (curve {place})"), &["op"]),
                8 => (format!("{bits} bits ffdh"), &["op"]),
                _ => return None,
            };
            (name, values, what)
        }
        _ => return None,
    };
    let values = values.iter().map(|cell| number(cell).filter(|x| *x > 0.0));
    let mut values: Vec<f64> = values.collect::<Option<_>>()?;
    match (what, &mut values[..]) {
        // A rate and the seconds of one; older ones print the seconds first.
        (["op"], [one, other]) => values = vec![one.max(*other)],
        (_, [one, other]) if *one < 1.0 && *other < 1.0 => values = vec![1.0 / *one, 1.0 / *other],
        _ => {}
    }
    let fits = values.len() == what.len() || kind == 2 && values.len() == 2;
    fits.then(|| (tidy(&name), what.iter().copied().zip(values).collect()))
}

/// A column's head: `sign`, `verify/s`, of 3.2 and later also `encr./s`, `keygens/s`. Other tools' columns end in `/s`, too.
fn is_head(word: &str) -> bool {
    const OPERATIONS: [&str; 12] = [
        "sign", "signs", "verify", "encrypt", "decrypt", "encr.", "decr.", "op", "keygen",
        "keygens", "encaps", "decaps",
    ];
    let operation = word.strip_suffix("/s").unwrap_or(word);
    OPERATIONS.contains(&operation)
}

/// `OpenSSL 1.1.1k  25 Mar 2021`, `version: 3.0.2`.
fn version(line: &str) -> Option<String> {
    let rest = line.strip_prefix("OpenSSL ").or_else(|| line.strip_prefix("version: "))?;
    let word = rest.split_whitespace().next()?;
    word.starts_with(|c: char| c.is_ascii_digit()).then(|| tidy(word.trim_end_matches(',')))
}

/// The subject of a row: a machine that a table names, or a kind of core.
type Subject = (&'static str, String);

/// The case of a machine: one for each that a table names.
fn at(
    last: &mut Option<(Option<Subject>, usize)>,
    system: Option<Subject>,
    line: u32,
    threads: Option<u64>,
    found: &mut Found,
) -> usize {
    if let Some((_, case)) = last.as_ref().filter(|(of, _)| *of == system) {
        return *case;
    }
    let mut params: Vec<(&str, Value)> = vec![];
    params.extend(threads.map(|t| ("processes", t.into())));
    params.extend(system.clone().map(|(what, name)| (what, name.into())));
    let case = found.case(line, ProbeId::OpensslSpeed, &params);
    *last = Some((system, case));
    case
}

fn add(
    line: u32,
    case: usize,
    name: &str,
    row: &[(f64, bool)],
    blocks: Option<&[u64]>,
    found: &mut Found,
) {
    let sizes = blocks.unwrap_or(&BLOCKS);
    if row.len() > sizes.len() || (blocks.is_some() && row.len() < sizes.len()) {
        let (rates, sizes) = (row.len(), sizes.len());
        let what = format!("{name} has {rates} rates, and there are {sizes} block sizes");
        found.warn(line, what);
    }
    for ((value, k), block) in row.iter().zip(sizes) {
        // A count of more than 2^31 blocks wraps around.
        if *value < 0.0 {
            found.warn(line, format!("{name} has a negative rate, {value:.2}k: openssl's count overflowed, and it is left out"));
            continue;
        }
        let at = [("algorithm", Value::from(name)), ("block", Value::from(*block))];
        found.series(case, THROUGHPUT, &at, &[value * 1e3]);
        if !k {
            found.warn(line, format!("{value:.2} lacks the k of its neighbours: it is read as thousands of bytes a second"));
        }
    }
    for (pair, block) in row.windows(2).zip(sizes.iter().skip(1)) {
        if pair[1].0 > 0.0 && pair[1].0 < pair[0].0 * FALL {
            let fall = (1.0 - pair[1].0 / pair[0].0) * 100.0;
            found.warn(line, format!("{name} falls by {fall:.1} % at blocks of {block} bytes: no cipher does, so something disturbed it"));
        }
    }
}

/// `rsa 2048 bits 0.000585s 0.000017s 1709.9 58346.7`: the columns whose head ends in `/s`; the others hold seconds.
/// The name and the rates, if the line is such a row.
fn pairs(line: Line<'_>, heads: &[String]) -> Option<(String, Vec<(String, f64)>)> {
    let words: Vec<&str> = line.text.split_whitespace().collect();
    if words.len() <= heads.len() {
        return None;
    }
    let (name, values) = words.split_at(words.len() - heads.len());
    let is = |(head, w): (&String, &&str)| {
        let expected = if head.ends_with("/s") { "" } else { "s" };
        leading(w).is_some_and(|(_, unit)| unit == expected)
    };
    let named = name.iter().any(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()));
    let columns = heads.iter().zip(values);
    if !columns.clone().all(is) || !named {
        return None;
    }
    let rates = columns
        .filter_map(|(head, value)| Some((tidy(head.strip_suffix("/s")?), leading(value)?.0)));
    Some((tidy(&name.join(" ")), rates.collect()))
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::Provenance;

    /// Rows in the form of sbc-bench's published results, with other numbers, and a count that overflowed.
    #[test]
    fn rows_keep_their_core_and_negative_rates_are_left_out() {
        let text = "type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes\naes-128-cbc     163897.15k   444025.39k   782424.49k   983654.74k  1064479.40k  1068936.87k (Cortex-A55)\naes-128-cbc     587227.48k  1174792.36k  1353980.67k  1406049.28k  1423706.79k  1425118.55k (Cortex-A76)\nsha256   187.15k   -425.39k   724.49k   954.74k  1079.40k  1136.87k\n";
        let mut gathered = Gathered::default();
        let read = gathered.add("openssl.txt", text.as_bytes()).unwrap();
        assert_eq!((read.series, read.warnings), (17, 1));
        let runs = gathered.record(Provenance::default()).runs;
        let cores: Vec<_> =
            runs.iter().map(|run| run.case.params.get("core").map(ToString::to_string)).collect();
        assert_eq!(cores, [Some("Cortex-A55".into()), Some("Cortex-A76".into()), None]);
    }

    /// Lines of every kind, by the formats of openssl 1.0.2 (seconds) to 3.5; rows that are cut or hold no rates are left out.
    #[test]
    fn lines_of_mr_have_the_names_and_rates_of_the_text() {
        let text = "+F2:2:2048:0.000585:0.000017\n+F2:2:3072:800.0:40000.0:39000.0:790.0\n+F5:0:160:0.000100:10000.000000\n+F9:1:100.0:200.0:300.0\n+F10:0:1.5:2.5:3.5\n+F7:0:256:CurveSM2:5.0:4.0\n+F2:2:4096:12.5\n+F2:2:x:1.0:2.0\n+F3:1:1024:0.000000:1.0\n+F11:1:2:3\n+F6:0:253:Ed25519:3.0\n";
        let runs = crate::gathered::imported("mr.txt", text).runs;
        let series = runs.iter().flat_map(|run| run.series());
        let all: Vec<String> = series
            .map(|s| format!("{} {} {:.1}", s.at["algorithm"], s.metric, s.samples[0]))
            .collect();
        let expected = [
            "rsa 2048 bits sign 1709.4",
            "rsa 2048 bits verify 58823.5",
            "rsa 3072 bits sign 800.0",
            "rsa 3072 bits verify 40000.0",
            "rsa 3072 bits encr. 39000.0",
            "rsa 3072 bits decr. 790.0",
            "160 bits ecdh (curve 0) op 10000.0",
            "KEM 1 keygens 100.0",
            "KEM 1 encaps 200.0",
            "KEM 1 decaps 300.0",
            "signature 0 keygens 1.5",
            "signature 0 sign 2.5",
            "signature 0 verify 3.5",
            "256 bits SM2 (CurveSM2) sign 5.0",
            "256 bits SM2 (CurveSM2) verify 4.0",
        ];
        assert_eq!(all, expected);
    }

    /// Lines of iostat, 7-Zip and sbc-bench's summary around rows of openssl.
    #[test]
    fn other_tools_columns_are_no_heads() {
        let text = "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsda               0.50        11.20         0.90      12345        990\ntype             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes\naes-128-cbc     163897.15k   444025.39k   782424.49k   983654.74k  1064479.40k  1068936.87k\nCPU Freq:  2351  2395  2402  2478  2490  2488  2488  2489  2489\n                  sign    verify    sign/s verify/s\nrsa 2048 bits 0.000585s 0.000017s   1709.9  58346.7\nCPU Freq:  2351  2395  2402  2478  2490  2488  2488  2489  2489\n";
        let mut gathered = Gathered::default();
        let read = gathered.add("openssl.txt", text.as_bytes()).unwrap();
        assert_eq!((read.series, read.warnings), (6 + 2, 0));
    }
}
