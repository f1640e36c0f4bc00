//! Moments as records state them: RFC 3339 in UTC, whole seconds. The calendar is Howard Hinnant's `days_from_civil` and
//! `civil_from_days` (howardhinnant.github.io/date_algorithms.html): years begin in March, so leap days come last.

/// Seconds since 1970 of such a text (`2026-03-01T12:00:00Z`), a fraction left out; nothing for another text.
pub fn seconds_since_1970(utc: &str) -> Option<i64> {
    let utc = utc.strip_suffix('Z')?;
    let (utc, _) = utc.split_once('.').unwrap_or((utc, ""));
    let digits = |from: usize, to: usize| utc.get(from..to)?.parse::<u32>().ok().map(i64::from);
    if utc.len() != "2026-03-01T12:00:00".len() {
        return None;
    }
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = year - i64::from(month <= 2);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400 + digits(11, 13)? * 3600 + digits(14, 16)? * 60 + digits(17, 19)?)
}

/// Such a text to the minute, as people read it: `2026-03-01 12:00 UTC`; another text stays as it is.
pub fn minute(utc: &str) -> String {
    let moment = utc.strip_suffix('Z').and_then(|moment| moment.split_once('T'));
    let parts = moment.and_then(|(day, time)| Some((day, time.get(..5)?)));
    parts.map_or(utc.to_owned(), |(day, time)| format!("{day} {time} UTC"))
}

/// Seconds since 1970 as such a text.
pub fn rfc3339(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `date -u -d ... +%s` prints them.
    #[test]
    fn moments_are_those_of_date() {
        for (utc, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-28T23:59:59Z", 951_782_399),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2024-02-29T23:59:59Z", 1_709_251_199),
            ("2026-03-01T12:00:00Z", 1_772_366_400),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] {
            assert_eq!(seconds_since_1970(utc), Some(seconds), "{utc}");
            assert_eq!(rfc3339(seconds.cast_unsigned()), utc);
        }
        assert_eq!(seconds_since_1970("1970-01-01T00:00:01.5Z"), Some(1));
        assert_eq!(minute("2026-03-01T12:00:59Z"), "2026-03-01 12:00 UTC");
        assert_eq!(minute("yesterday"), "yesterday");
        for odd in ["", "2026-13-01T12:00:00Z", "2026-03-01T12:00:00+08", "2026-03-01 noon today"] {
            assert_eq!(seconds_since_1970(odd), None, "{odd}");
        }
    }
}
