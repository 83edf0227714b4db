//! Durations as users write them: `500ms`, `10s`, `2m`, `1h`. Owns parsing and printing of them; never looks at the clock.

use std::time::Duration;

/// Parses `500ms`, `10s`, `1.5s`, `2m`, `1h`; a bare number means seconds.
pub fn parse(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let value: f64 =
        number.parse().map_err(|_| format!("`{text}` is not a duration; write for example 500ms, 10s or 2m"))?;
    let seconds = match unit.trim() {
        "ms" => value / 1000.0,
        "s" | "" => value,
        "m" | "min" => value * 60.0,
        "h" => value * 3600.0,
        other => {
            return Err(format!("`{other}` is not a unit of time; use ms, s, m or h"));
        }
    };
    if seconds <= 0.0 {
        return Err(format!("`{text}` leaves no time at all"));
    }
    if seconds > 1e7 {
        return Err(format!("`{text}` is longer than a hundred days"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Short and readable: `0.4 s`, `12 s`, `3 m 05 s`.
pub fn show(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if seconds < 99.5 {
        format!("{seconds:.0} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} m {:02} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<u64>) {
        assert_eq!(parse(text).ok().map(|d| d.as_millis() as u64), expected, "{text}");
    }

    #[test]
    fn durations_parse_as_written_or_not_at_all() {
        check("500ms", Some(500));
        check("10s", Some(10_000));
        check("1.5s", Some(1_500));
        check("2m", Some(120_000));
        check("1h", Some(3_600_000));
        check("3", Some(3_000));
        check("0s", None);
        check("", None);
        check("s", None);
        check("10 parsecs", None);
        check("-3s", None);
        check("1.2.3s", None);
        check("99999999h", None);
    }

    #[test]
    fn durations_print_short() {
        assert_eq!(show(Duration::from_millis(420)), "0.4 s");
        assert_eq!(show(Duration::from_secs(12)), "12 s");
        assert_eq!(show(Duration::from_secs(185)), "3 m 05 s");
    }
}
