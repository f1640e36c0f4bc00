//! A waterfall in characters: each factor as a bar from where the one before it ended, on a logarithmic axis.
use sections::chart::{self, Fall};

/// One line for each factor.
pub(crate) fn lines(of: &[Fall], width: usize) -> Vec<String> {
    let Some((low, high)) = range(of) else { return vec![] };
    let label = of.iter().map(|f| f.label.chars().count()).max().unwrap_or(0).min(40);
    let cells = width.saturating_sub(label + 30).clamp(16, 48);
    let place = |x: f64| {
        let share = (x.clamp(low, high) / low).ln() / (high / low).ln();
        (share * (cells - 1) as f64).round() as usize
    };
    let one = place(1.0);
    let drawn = |fall: &Fall| {
        let (a, b) = (place(fall.from), place(fall.to));
        let fill = if fall.open { '░' } else { '█' };
        let cell = |i: usize| match i {
            i if a.min(b) <= i && i <= a.max(b) && a != b => fill,
            i if i == a && a == b => '▏',
            i if i == one => '│',
            _ => ' ',
        };
        (0..cells).map(cell).collect::<String>()
    };
    let line = |f: &Fall| {
        let name: String = f.label.chars().take(label).collect();
        format!("{name:<label$} {} {}", drawn(f), f.text)
    };
    of.iter().map(line).collect()
}

/// The least and the most that is drawn; nothing where that is no range.
pub(crate) fn range(of: &[Fall]) -> Option<(f64, f64)> {
    let usable = |x: &f64| (1e-9..1e9).contains(x);
    let all = of.iter().flat_map(|f| [f.from, f.to]).filter(usable);
    let (low, high) = chart::range(all);
    // Factors of 1 throughout are shown in the middle of a narrow range.
    low.is_finite().then(|| if high / low < 1.02 { (low / 1.02, high * 1.02) } else { (low, high) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fall(label: &str, from: f64, to: f64) -> Fall {
        let text = format!("{:.2}", to / from);
        Fall { label: label.into(), from, to, ends: None, text: text.into(), open: false }
    }

    #[test]
    fn every_bar_begins_where_the_last_one_ended() {
        let falls = vec![fall("a", 1.0, 2.0), fall("b", 2.0, 0.5), fall("all", 1.0, 0.5)];
        let lines = lines(&falls, 80);
        let bar = |line: &str| {
            let cells: Vec<usize> =
                line.chars().enumerate().filter(|(_, c)| *c == '█').map(|(i, _)| i).collect();
            (cells[0], cells[cells.len() - 1])
        };
        let (a, b, all) = (bar(&lines[0]), bar(&lines[1]), bar(&lines[2]));
        assert_eq!(a.1, b.1);
        assert_eq!((b.0, all.0), (all.0, b.0));
        assert_eq!(a.0, all.1, "both begin at 1");
        assert!(lines[2].ends_with("0.50"));
    }

    #[test]
    fn nothing_that_differs_and_nothing_at_all_are_drawn() {
        assert!(lines(&[], 80).is_empty());
        assert_eq!(lines(&[fall("a", 1.0, 1.0)], 80).len(), 1);
        let odd = vec![fall("a", f64::NAN, f64::INFINITY), fall("b", 0.0, -1.0)];
        assert!(lines(&odd, 80).is_empty());
    }
}
