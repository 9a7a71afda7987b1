//! Parses one log line as klog, logfmt, JSON, access logs and plain loggers write it.

use super::time::{anywhere, leading, since_1970, without_year};
use catalogue::parse_timestamp;
use serde_json::{Map, Value};

/// Field names for the time, the severity and the message in JSON and logfmt.
const TIMES: [&str; 8] = ["time", "timestamp", "@timestamp", "ts", "t", "datetime", "date", "eventTime"];
const SEVERITIES: [&str; 6] = ["level", "severity", "lvl", "loglevel", "log.level", "levelname"];
const MESSAGES: [&str; 5] = ["msg", "message", "log", "text", "@message"];
/// Field names in JSON and logfmt for the origin of a line.
const ORIGINS: [&str; 10] =
    ["app", "service", "logger", "component", "namespace", "pod", "container", "host", "trace_id", "caller"];

/// The parts of a log line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// µs since 1970 UTC.
    pub at: Option<i64>,
    /// `debug`, `info`, `warn`, `error`, `fatal`.
    pub severity: Option<String>,
    pub message: String,
    /// The origin, as far as the line states it.
    pub origin: Map<String, Value>,
}

/// Parses one line. `before` is a time that the line is not much later than; it supplies the year, which klog omits.
pub fn read(text: &str, before: Option<i64>) -> Line {
    let text = text.trim_end();
    if let Some((at, rest)) = leading(text) {
        let (rest, stream) = runtime(rest.trim_start());
        let mut line = inner(rest, before.or(Some(at)));
        line.at = line.at.or(Some(at));
        if let Some(stream) = stream {
            line.origin.insert("stream".to_owned(), stream.into());
        }
        return line;
    }
    let mut line = inner(text, before);
    line.at = line.at.or_else(|| anywhere(text));
    line
}

/// Splits off the prefix of the container runtime: `stdout F `.
fn runtime(text: &str) -> (&str, Option<&'static str>) {
    for stream in ["stdout", "stderr"] {
        let rest =
            text.strip_prefix(stream).and_then(|rest| rest.strip_prefix(" F ").or(rest.strip_prefix(" P ")));
        if let Some(rest) = rest {
            return (rest, Some(stream));
        }
    }
    (text, None)
}

fn inner(text: &str, before: Option<i64>) -> Line {
    json(text).or_else(|| klog(text, before)).or_else(|| logfmt(text)).unwrap_or_else(|| Line {
        severity: word(text),
        message: text.to_owned(),
        ..Line::default()
    })
}

fn json(text: &str) -> Option<Line> {
    if !text.starts_with('{') {
        return None;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else { return None };
    Some(of_fields(&fields, text))
}

/// The line that a JSON object describes; `whole` is the message when the object has none of the known field names.
pub fn of_fields(fields: &Map<String, Value>, whole: &str) -> Line {
    let find = |names: &[&str]| names.iter().find_map(|name| fields.get(*name));
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let at = find(&TIMES).and_then(|value| match value {
        Value::String(text) => parse_timestamp(text).or_else(|| since_1970(text.parse().ok()?)),
        value => since_1970(value.as_f64()?),
    });
    let severity = find(&SEVERITIES).and_then(|value| match value {
        Value::String(text) => severity(text),
        // Numeric levels of pino and bunyan.
        value => Some(
            match value.as_u64()? {
                0..=29 => "debug",
                30..=39 => "info",
                40..=49 => "warn",
                50..=59 => "error",
                _ => "fatal",
            }
            .to_owned(),
        ),
    });
    let mut origin = Map::new();
    for name in ORIGINS {
        if let Some(value @ Value::String(_)) = fields.get(name) {
            origin.insert(name.to_owned(), value.clone());
        }
    }
    Line { at, severity, message: find(&MESSAGES).and_then(text).unwrap_or_else(|| whole.to_owned()), origin }
}

/// `I1221 09:43:29.498401       1 file.go:12] message`.
fn klog(text: &str, before: Option<i64>) -> Option<Line> {
    let bytes = text.as_bytes();
    let severity = match bytes.first()? {
        b'I' => "info",
        b'W' => "warn",
        b'E' => "error",
        b'F' => "fatal",
        _ => return None,
    };
    let is_stamped = bytes.len() > 13 && bytes[1..5].iter().all(u8::is_ascii_digit) && bytes[5] == b' ';
    if !is_stamped {
        return None;
    }
    let (clock, rest) = text.get(6..)?.split_once(' ')?;
    let month = text.get(1..3)?.parse().ok()?;
    let day = text.get(3..5)?.parse().ok()?;
    let (head, message) = rest.split_once("] ")?;
    let mut origin = Map::new();
    if let Some(caller) = head.split_whitespace().last() {
        origin.insert("caller".to_owned(), caller.into());
    }
    Some(Line {
        at: before.and_then(|before| without_year(month, day, clock, before)),
        severity: Some(severity.to_owned()),
        message: message.to_owned(),
        origin,
    })
}

/// `time="…" level=info msg="…" key=value`.
fn logfmt(text: &str) -> Option<Line> {
    let mut fields = Map::new();
    let mut rest = text.trim_start();
    while let Some((key, after)) = rest.split_once('=') {
        if key.is_empty() || key.contains(|sign: char| sign.is_whitespace() || sign == '"') {
            break;
        }
        let (value, after) = if let Some(quoted) = after.strip_prefix('"') {
            quoted_text(quoted)?
        } else {
            let end = after.find(' ').unwrap_or(after.len());
            (after[..end].to_owned(), &after[end..])
        };
        fields.insert(key.to_owned(), value.into());
        rest = after.trim_start();
    }
    let has = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
    (has(&MESSAGES) && (has(&TIMES) || has(&SEVERITIES))).then(|| of_fields(&fields, text))
}

/// The text up to its closing quote, and the rest.
fn quoted_text(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut signs = text.char_indices();
    while let Some((place, sign)) = signs.next() {
        match sign {
            '"' => return Some((value, &text[place + 1..])),
            '\\' => match signs.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                other => value.push(other),
            },
            sign => value.push(sign),
        }
    }
    None
}

/// The severity at the beginning of a plain line: `[INFO] …`, `ERROR: …`, `10:00 WARN …`.
fn word(text: &str) -> Option<String> {
    text.split(|sign: char| sign.is_whitespace() || matches!(sign, '[' | ']' | ':' | '|' | '(' | ')'))
        .filter(|word| !word.is_empty())
        .take(4)
        .filter(|word| word.chars().all(|sign| sign.is_ascii_uppercase()) || text.starts_with('['))
        .find_map(severity)
}

/// Maps a severity name to the one this service uses.
pub fn severity(word: &str) -> Option<String> {
    let known = match word.to_ascii_lowercase().as_str() {
        "trace" | "debug" | "dbg" | "verbose" | "fine" => "debug",
        "info" | "information" | "informational" | "notice" | "inf" => "info",
        "warn" | "warning" | "wrn" => "warn",
        "error" | "err" | "eror" | "severe" => "error",
        "fatal" | "critical" | "crit" | "panic" | "emerg" | "emergency" | "alert" | "dpanic" => "fatal",
        _ => return None,
    };
    Some(known.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<i64> {
        parse_timestamp(text)
    }

    #[test]
    fn lines_of_many_loggers_are_read() {
        let now = at("2022-12-22T00:00:00Z");
        let klog = read("I1221 09:43:29.498401       1 shared.go:240] Waiting", now);
        assert_eq!(
            (klog.at, klog.severity.as_deref(), klog.message.as_str()),
            (at("2022-12-21T09:43:29.498401Z"), Some("info"), "Waiting")
        );
        assert_eq!(klog.origin["caller"], "shared.go:240");
        assert_eq!(read("I1221 09:43:29.498401       1 shared.go:240] Waiting", None).at, None);
        let logfmt = read(r#"time="2022-12-21T09:42:40Z" level=error msg="a \"b\" c" provider=k"#, None);
        assert_eq!(
            (logfmt.at, logfmt.severity.as_deref(), logfmt.message.as_str()),
            (at("2022-12-21T09:42:40Z"), Some("error"), "a \"b\" c")
        );
        let json = read(r#"{"ts":1671615760.5,"level":"warn","msg":"slow","logger":"db"}"#, None);
        assert_eq!(
            (json.at, json.severity.as_deref(), json.message.as_str()),
            (at("2022-12-21T09:42:40.5Z"), Some("warn"), "slow")
        );
        let kubelet = read("2022-12-21T09:42:40.1Z stdout F [WARNING] No files", None);
        assert_eq!(
            (kubelet.at, kubelet.severity.as_deref(), kubelet.message.as_str()),
            (at("2022-12-21T09:42:40.1Z"), Some("warn"), "[WARNING] No files")
        );
        assert_eq!(kubelet.origin["stream"], "stdout");
        let plain = read("2022-12-21 09:42:40,100 ERROR shop - failed", None);
        assert_eq!((plain.at, plain.severity.as_deref()), (at("2022-12-21T09:42:40.1Z"), Some("error")));
        assert_eq!(
            read("nothing to see", None),
            Line { message: "nothing to see".to_owned(), ..Line::default() }
        );
        assert_eq!(read("an error happened", None).severity, None);
    }
}
