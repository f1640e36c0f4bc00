//! Moments as records state them, in seconds.

/// Seconds since 1970 of a time as records have it (`2026-03-01T12:00:00Z`); nothing for another text. The calendar is Howard
/// Hinnant's `days_from_civil` (howardhinnant.github.io/date_algorithms.html).
pub fn seconds_since_1970(utc: &str) -> Option<i64> {
    let digits = |from: usize, to: usize| utc.get(from..to)?.parse::<u32>().ok().map(i64::from);
    if utc.len() != "2026-03-01T12:00:00Z".len() || !utc.ends_with('Z') {
        return None;
    }
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so leap days come last.
    let year = year - i64::from(month <= 2);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400 + digits(11, 13)? * 3600 + digits(14, 16)? * 60 + digits(17, 19)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `date -u -d ... +%s` prints them.
    #[test]
    fn moments_are_those_of_date() {
        for (utc, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2026-03-01T12:00:00Z", 1_772_366_400),
        ] {
            assert_eq!(seconds_since_1970(utc), Some(seconds), "{utc}");
        }
        for odd in ["", "2026-13-01T12:00:00Z", "2026-03-01T12:00:00+08", "2026-03-01 noon today"] {
            assert_eq!(seconds_since_1970(odd), None, "{odd}");
        }
    }
}
