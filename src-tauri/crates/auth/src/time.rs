//! Times in the format of SAML and of the pages (RFC 3339).

use chrono::{DateTime, SecondsFormat};

/// Formats µs since 1970 UTC as `2026-11-20T06:38:00Z`.
pub fn text(micros: i64) -> String {
    let format = if micros % 1_000_000 == 0 { SecondsFormat::Secs } else { SecondsFormat::Millis };
    DateTime::from_timestamp_micros(micros)
        .map_or_else(|| "out of range".to_owned(), |time| time.to_rfc3339_opts(format, true))
}

/// Parses a time with a zone into µs since 1970 UTC.
pub fn parse(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(text.trim()).ok().map(|time| time.timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_back_as_they_were_written() {
        for written in ["2026-11-20T06:38:00Z", "2026-11-20T06:38:00.250Z"] {
            assert_eq!(text(parse(written).unwrap()), written);
        }
        assert_eq!(parse("2026-11-20T07:38:00+01:00"), parse("2026-11-20T06:38:00Z"));
        for wrong in ["", "2026-11-20", "2026-11-20T06:38:00", "soon", "9999999999-01-01T00:00:00Z"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
