//! Text forms of times. Inside, a timestamp counts microseconds and a date counts days since 1970-01-01 UTC.

/// Reads ISO 8601 with `T` or blank, with or without zone (none means UTC), down to a bare date; µs since 1970.
pub fn parse_timestamp(_text: &str) -> Option<i64> {
    unimplemented!()
}

/// Reads `2026-11-20`; days since 1970-01-01.
pub fn parse_date(_text: &str) -> Option<i32> {
    unimplemented!()
}

/// `2026-11-20T06:38:00`, with as many fractional digits as needed: the interface's `timestamp`.
pub fn format_timestamp(_micros: i64) -> String {
    unimplemented!()
}

/// `2026-11-20T06:38:00+00:00`: the interface's `timestamptz`.
pub fn format_timestamptz(_micros: i64) -> String {
    unimplemented!()
}

/// `2026-11-20`.
pub fn format_date(_days: i32) -> String {
    unimplemented!()
}
