//! Writes cells as JSON.

use super::string;
use crate::statement::Print;
use catalogue::{format_date, format_timestamp, format_timestamptz};
use rusqlite::types::ValueRef;
use std::io::Write as _;
use uuid::Uuid;

/// Writes one cell.
pub(crate) fn cell(out: &mut Vec<u8>, value: ValueRef<'_>, print: Print) -> rusqlite::Result<()> {
    match (print, value) {
        (_, ValueRef::Null) => out.extend_from_slice(b"null"),
        (Print::Uuid, ValueRef::Blob(bytes)) => match Uuid::from_slice(bytes) {
            Ok(uuid) => {
                out.push(b'"');
                let mut text = Uuid::encode_buffer();
                out.extend_from_slice(uuid.hyphenated().encode_lower(&mut text).as_bytes());
                out.push(b'"');
            }
            Err(_) => out.extend_from_slice(b"null"),
        },
        (Print::Boolean, ValueRef::Integer(number)) => {
            out.extend_from_slice(if number == 0 { b"false" } else { b"true" });
        }
        (Print::Timestamp, ValueRef::Integer(micros)) => string(out, &format_timestamp(micros)),
        (Print::Timestamptz, ValueRef::Integer(micros)) => string(out, &format_timestamptz(micros)),
        (Print::Instant, ValueRef::Integer(micros)) => {
            let mut text = format_timestamp(micros);
            text.push('Z');
            string(out, &text);
        }
        (Print::Date, ValueRef::Integer(days)) => {
            string(out, &format_date(i32::try_from(days).unwrap_or_default()));
        }
        (Print::JsonWithWhitespace, ValueRef::Text(text)) => without_blanks(text, out),
        // PostgreSQL returns sums of integers as decimals.
        (Print::Json | Print::Decimal | Print::Integer | Print::Float, ValueRef::Text(text)) => {
            out.extend_from_slice(text);
        }
        // A view may read a number from JSON for a text column.
        (Print::Text, ValueRef::Integer(number)) => {
            let _ = write!(out, "\"{number}\"");
        }
        (Print::Text, ValueRef::Real(number)) => string(out, &number.to_string()),
        (_, ValueRef::Integer(number)) => {
            let _ = write!(out, "{number}");
        }
        (_, ValueRef::Real(number)) => real(out, number),
        (_, ValueRef::Text(_)) => string(out, value.as_str()?),
        (_, ValueRef::Blob(bytes)) => {
            // The text format of PostgreSQL's bytea.
            out.extend_from_slice(b"\"\\\\x");
            for byte in bytes {
                let _ = write!(out, "{byte:02x}");
            }
            out.push(b'"');
        }
    }
    Ok(())
}

/// Copies JSON without whitespace between tokens.
fn without_blanks(json: &[u8], out: &mut Vec<u8>) {
    let (mut is_text, mut is_escaped) = (false, false);
    for byte in json {
        if !is_text && byte.is_ascii_whitespace() {
            continue;
        }
        out.push(*byte);
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ => {}
        }
    }
}

/// Writes integers without a fraction, as PostgreSQL's JSON does, and infinities as null, because JSON has none.
fn real(out: &mut Vec<u8>, number: f64) {
    if !number.is_finite() {
        out.extend_from_slice(b"null");
    } else if number.fract() == 0.0 && number.abs() < 1e15 {
        let _ = write!(out, "{number:.0}");
    } else {
        let _ = write!(out, "{number}");
    }
}
