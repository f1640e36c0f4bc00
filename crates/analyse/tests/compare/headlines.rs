//! One verdict for each subject, of rows that belong to it, and one count of what is not compared.
use crate::{again, compared, each, load};
use analyse::compare::{SubjectKind, Sure};
use record::Value;

/// Rows of which none is sure by itself can be sure as a whole: screen, sentence and exit code rest on one interval.
#[test]
fn the_verdict_on_a_subject_is_that_of_its_interval() {
    let (old, mut new) = (again(20), again(21));
    each(&mut new, "bandwidth", |s| s.samples.iter_mut().for_each(|x| *x *= 1.5));
    let mut of = compared(&[&old, &new]);
    let mut seen = [0, 0];
    for headline in std::mem::take(&mut of.headlines) {
        let ahead = headline.sides[1].as_ref().unwrap();
        let i = ahead.interval.unwrap();
        assert!(i.low <= ahead.times && ahead.times <= i.high, "{ahead:?}");
        let beyond = (i.low > 1.0 || i.high < 1.0) && (ahead.times - 1.0).abs() > 0.02;
        let significant = ahead.sure == Sure::Significant;
        assert!(significant || !beyond, "{ahead:?}");
        assert!(!significant || i.low > 1.0 || i.high < 1.0, "{ahead:?}");
        let claim =
            format!("{} {:.2} times ({:.2} to", headline.subject.words(), ahead.times, i.low);
        let claimed = of.summary[0].split(';').next().unwrap().contains(&claim);
        assert_eq!(claimed, significant, "{claim}: {}", of.summary[0]);
        seen[usize::from(significant)] += 1;
    }
    assert!(seen[0] > 2 && seen[1] > 0, "{seen:?}");
}

/// A chain of multiplications has a rate of its own.
#[test]
fn core_frequency_is_that_of_additions() {
    let of = compared(&[&again(1), &again(2)]);
    let frequency = of.headlines.iter().find(|h| h.subject.kind == SubjectKind::CoreFrequency);
    let rows = frequency.unwrap().rows.iter().map(|row| &of.rows[*row].quantity.at);
    assert_eq!(rows.map(|at| at["chain"].to_string()).collect::<Vec<_>>(), ["add"]);
    assert!(
        of.rows.iter().any(|r| r.quantity.at.get("chain").and_then(Value::text) == Some("mul"))
    );
}

/// Rows of no subject count too: the screen, the key and the sentence have one number.
#[test]
fn what_is_not_compared_is_counted_once() {
    for (a, b) in [("quiet-vm", "two-node-server"), ("two-node-server", "busy-vm")] {
        let of = compared(&[&load(a), &load(b)]);
        let count: usize = of.not_compared.iter().map(|(_, count)| count).sum();
        let claim = format!("Nothing is claimed of {count} of ");
        assert!(count > 0 && of.summary.iter().any(|s| s.starts_with(&claim)), "{:?}", of.summary);
        let subjects: usize = of.headlines.iter().map(|h| h.rows.len()).sum();
        assert!(subjects < of.rows.len());
    }
}
