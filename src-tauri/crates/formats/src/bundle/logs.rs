//! Container logs of a bundle, held compressed until the cluster and the time of the bundle are known.

use crate::logs::{line, untimed_note};
use crate::read_error::ReadError;
use crate::record::{Account, LogLine, Record};
use crate::shape::Lines;
use crate::shape::archive::Member;
use crate::sink::{InnerFile, InnerOutcome, Position, Sink};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde_json::Map;
use std::io::Write;

/// Maximum compressed size of all logs held, in bytes.
const MAX_BYTES: usize = 96 << 20;

/// The container that wrote a log.
pub struct Origin {
    pub namespace: Option<String>,
    pub pod: String,
    pub container: Option<String>,
    pub is_previous: bool,
}

struct LogFile {
    name: String,
    size_bytes: u64,
    origin: Origin,
    packed: Vec<u8>,
}

/// The logs of a bundle.
#[derive(Default)]
pub struct Logs {
    files: Vec<LogFile>,
    bytes: usize,
}

impl Logs {
    /// Stores one log, compressed; `false` when the memory limit has been reached.
    pub fn store(&mut self, member: &mut Member<'_>, origin: Origin) -> Result<bool, ReadError> {
        if self.bytes >= MAX_BYTES {
            return Ok(false);
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = member.content.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            packer.write_all(&buffer[..count])?;
            if self.bytes + packer.get_ref().len() > MAX_BYTES {
                return Ok(false);
            }
        }
        let bytes = packer.finish()?;
        self.bytes += bytes.len();
        let (name, size_bytes) = (member.name.to_owned(), member.size);
        self.files.push(LogFile { name, size_bytes, origin, packed: bytes });
        Ok(true)
    }

    /// Reads the lines of all logs. `namespace_of` returns the namespace of a pod; `taken_at` is when the bundle was made.
    pub fn write(
        self,
        account: &Account,
        taken_at: Option<i64>,
        namespace_of: &dyn Fn(&str) -> Option<String>,
        sink: &mut dyn Sink,
    ) -> Result<(), ReadError> {
        let mut untimed = 0_u64;
        for file in self.files {
            let mut labels = Map::new();
            let namespace = file.origin.namespace.or_else(|| namespace_of(&file.origin.pod));
            let names = [
                ("namespace", namespace),
                ("pod", Some(file.origin.pod)),
                ("container", file.origin.container),
            ];
            for (name, value) in names {
                if let Some(value) = value {
                    labels.insert(name.to_owned(), value.into());
                }
            }
            if file.origin.is_previous {
                labels.insert("previous".to_owned(), true.into());
            }
            // Lines before the first time get that first time.
            let first = first_time(&file.packed, taken_at)?;
            let (mut last, mut behind) = (first, IN_FRONT);
            let read_as =
                if file.origin.is_previous { "Log of the previous container" } else { "Log of a container" };
            sink.file(InnerFile {
                name: file.name.clone(),
                size_bytes: file.size_bytes,
                outcome: if first.is_some() {
                    InnerOutcome::ReadAs(read_as.to_owned())
                } else {
                    InnerOutcome::Skipped(NO_TIME)
                },
            });
            let mut content = ZlibDecoder::new(file.packed.as_slice());
            let mut lines = Lines::new(&mut content);
            while let Some(raw) = lines.next_line()? {
                let text = String::from_utf8_lossy(raw.bytes);
                if text.trim().is_empty() {
                    continue;
                }
                let place = Position(format!("{} line {}", file.name, raw.number));
                let read = line::read(&text, taken_at.or(last));
                last = read.at.or(last);
                behind = match read.at {
                    Some(_) => 0,
                    // Up to 999 lines before the first time keep their order.
                    None if behind < 0 => (behind + 1).min(-1),
                    None => behind.saturating_add(1),
                };
                let Some(at) = last else {
                    let quote: String = text.chars().take(80).collect();
                    sink.skip(&place, "no line of its log has a time", &quote)?;
                    continue;
                };
                let mut labels = labels.clone();
                labels.extend(read.origin);
                let line = LogLine {
                    account: account.clone(),
                    at,
                    untimed_order: read.at.is_none().then_some(behind),
                    severity: read.severity,
                    message: read.message,
                    labels,
                };
                untimed += u64::from(line.untimed_order.is_some());
                sink.record(&place, Record::LogLine(line))?;
            }
        }
        if untimed > 0 {
            sink.note(untimed_note(untimed));
        }
        Ok(())
    }
}

const NO_TIME: &str = "No line of the log has a time";

/// The order number of the first line before the first time.
const IN_FRONT: i32 = -1000;

fn first_time(packed: &[u8], taken_at: Option<i64>) -> Result<Option<i64>, ReadError> {
    let mut content = ZlibDecoder::new(packed);
    let mut lines = Lines::new(&mut content);
    while let Some(raw) = lines.next_line()? {
        if let Some(at) = line::read(&String::from_utf8_lossy(raw.bytes), taken_at).at {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
