//! DNS queries and responses (RFC 1035).

use crate::call::TaskFailure;
use crate::params::wrong;
use serde::Serialize;
use serde_json::Value;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Maximum number of compression pointers followed in a name.
const MOST_JUMPS: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    A,
    Aaaa,
    Cname,
    Mx,
    Ns,
    Txt,
}

const KINDS: [(&str, u16, RecordKind); 6] = [
    ("A", 1, RecordKind::A),
    ("AAAA", 28, RecordKind::Aaaa),
    ("CNAME", 5, RecordKind::Cname),
    ("MX", 15, RecordKind::Mx),
    ("NS", 2, RecordKind::Ns),
    ("TXT", 16, RecordKind::Txt),
];

impl RecordKind {
    /// The record type with that name; A for an empty name.
    pub fn read(text: &str) -> Result<Self, TaskFailure> {
        let text = text.trim().to_uppercase();
        if text.is_empty() {
            return Ok(Self::A);
        }
        let found = KINDS.iter().find(|(name, ..)| *name == text).map(|(.., kind)| *kind);
        found.ok_or_else(|| wrong(format!("type: expected A, AAAA, CNAME, MX, TXT or NS, found \"{text}\"")))
    }

    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(.., kind)| *kind == self).map_or("A", |(name, ..)| name)
    }

    fn code(self) -> u16 {
        KINDS.iter().find(|(.., kind)| *kind == self).map_or(1, |(_, code, _)| *code)
    }
}

/// The output of `network.dns`.
#[derive(Debug, Serialize)]
pub struct NameAnswer {
    pub domain: String,
    #[serde(rename = "type")]
    pub record: &'static str,
    /// A list of texts; of objects for MX; one text for CNAME.
    pub answer: Value,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    V4(Ipv4Addr),
    V6(Ipv6Addr),
    Name(String),
    Mail { host: String, preference: u16 },
    Text(String),
}

/// A mail server (MX).
#[derive(Debug, Serialize)]
struct MailHost {
    host: String,
    pref: u16,
}

/// The response of a name server.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    Records(Vec<Record>),
    /// The response was truncated: repeat the query over TCP.
    TooLong,
}

/// A query with recursion desired. `id` is random.
pub fn question(id: u16, domain: &str, record: RecordKind) -> Result<Vec<u8>, TaskFailure> {
    let mut bytes = Vec::new();
    bytes.extend(id.to_be_bytes());
    bytes.extend([0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0]);
    for label in domain.trim_end_matches('.').split('.') {
        let length = u8::try_from(label.len()).ok().filter(|length| (1..=63).contains(length));
        let length = length.ok_or_else(|| wrong(format!("domain: \"{domain}\" is no name")))?;
        bytes.push(length);
        bytes.extend(label.as_bytes());
    }
    bytes.push(0);
    bytes.extend(record.code().to_be_bytes());
    bytes.extend([0, 1]);
    Ok(bytes)
}

/// Parses the response to the query with that id.
pub fn reply(bytes: &[u8], id: u16, record: RecordKind) -> Result<Reply, TaskFailure> {
    let broken = || TaskFailure::new("Network", "the answer of the name server cannot be read");
    let mut reader = Reader { bytes, at: 0 };
    let (found_id, flags) = (reader.u16().ok_or_else(broken)?, reader.u16().ok_or_else(broken)?);
    if found_id != id || flags & 0x8000 == 0 {
        return Err(broken());
    }
    if flags & 0x0200 != 0 {
        return Ok(Reply::TooLong);
    }
    match flags & 0xf {
        0 => {}
        3 => return Err(TaskFailure::new("NameNotFound", "there is no such name")),
        2 => return Err(TaskFailure::new("Network", "the name server failed (SERVFAIL)")),
        5 => return Err(TaskFailure::new("Network", "the name server refused to answer (REFUSED)")),
        code => return Err(TaskFailure::new("Network", format!("the name server answered code {code}"))),
    }
    reader.records(record).map(Reply::Records).ok_or_else(broken)
}

/// The output of a task for these records.
pub fn answer(domain: &str, record: RecordKind, records: Vec<Record>) -> Result<NameAnswer, TaskFailure> {
    let mut list = Vec::new();
    for one in records {
        list.push(match one {
            Record::V4(address) => address.to_string().into(),
            Record::V6(address) => address.to_string().into(),
            Record::Name(text) | Record::Text(text) => text.into(),
            Record::Mail { host, preference } => crate::params::given(&MailHost { host, pref: preference })?,
        });
    }
    let answer = match record {
        // A name without CNAME is its own canonical name.
        RecordKind::Cname => list.pop().unwrap_or_else(|| domain.into()),
        _ if list.is_empty() => {
            return Err(TaskFailure::new(
                "NameNotFound",
                format!("{domain} has no {} record", record.name()),
            ));
        }
        _ => Value::Array(list),
    };
    Ok(NameAnswer { domain: domain.to_owned(), record: record.name(), answer })
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn u8(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes([self.u8()?, self.u8()?]))
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let part = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(part)
    }

    /// A name; it may contain pointers to earlier names.
    fn name(&mut self) -> Option<String> {
        let mut labels: Vec<String> = Vec::new();
        let (mut behind, mut jumps) = (None, 0);
        loop {
            let length = self.u8()?;
            if length & 0xc0 == 0xc0 {
                let target = usize::from(u16::from_be_bytes([length & 0x3f, self.u8()?]));
                behind.get_or_insert(self.at);
                jumps += 1;
                if jumps > MOST_JUMPS {
                    return None;
                }
                self.at = target;
            } else if length == 0 {
                break;
            } else {
                let label = String::from_utf8_lossy(self.take(length.into())?).into_owned();
                labels.push(label);
                if labels.len() > 128 {
                    return None;
                }
            }
        }
        self.at = behind.unwrap_or(self.at);
        Some(format!("{}.", labels.join(".")))
    }

    /// The records of a type. The reader is after the id and flags of the header.
    fn records(&mut self, wanted: RecordKind) -> Option<Vec<Record>> {
        let (questions, answers) = (self.u16()?, self.u16()?);
        self.take(4)?;
        for _ in 0..questions {
            self.name()?;
            self.take(4)?;
        }
        let mut found = Vec::new();
        for _ in 0..answers {
            self.name()?;
            let code = self.u16()?;
            self.take(6)?;
            let length = usize::from(self.u16()?);
            let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len())?;
            if code == wanted.code() {
                found.push(self.record(wanted, end)?);
            }
            self.at = end;
        }
        Some(found)
    }

    fn record(&mut self, wanted: RecordKind, end: usize) -> Option<Record> {
        Some(match wanted {
            RecordKind::A => Record::V4(Ipv4Addr::from(<[u8; 4]>::try_from(self.take(4)?).ok()?)),
            RecordKind::Aaaa => Record::V6(Ipv6Addr::from(<[u8; 16]>::try_from(self.take(16)?).ok()?)),
            RecordKind::Cname | RecordKind::Ns => Record::Name(self.name()?),
            RecordKind::Mx => Record::Mail { preference: self.u16()?, host: self.name()? },
            RecordKind::Txt => {
                let mut text = Vec::new();
                while self.at < end {
                    let length = self.u8()?;
                    text.extend_from_slice(self.take(length.into())?);
                }
                Record::Text(String::from_utf8_lossy(&text).into_owned())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Record, RecordKind, Reply, answer, question, reply};
    use serde_json::json;

    /// A response that repeats the query and adds records, each with a pointer to the queried name.
    fn answered(question: &[u8], records: &[(u16, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = question.to_vec();
        bytes[2..4].copy_from_slice(&[0x81, 0x80]);
        bytes[6..8].copy_from_slice(&u16::try_from(records.len()).unwrap().to_be_bytes());
        for (code, data) in records {
            bytes.extend([0xc0, 12]);
            bytes.extend(code.to_be_bytes());
            bytes.extend([0, 1, 0, 0, 0, 60]);
            bytes.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
            bytes.extend(data);
        }
        bytes
    }

    #[test]
    fn records_are_read_from_answers() {
        let asked = question(7, "a.example", RecordKind::Mx).unwrap();
        let bytes = answered(&asked, &[(15, [&[0, 10, 4][..], b"mail", &[0xc0, 12]].concat())]);
        let read = reply(&bytes, 7, RecordKind::Mx).unwrap();
        let Reply::Records(records) = read else { panic!("{read:?}") };
        let found = serde_json::to_value(answer("a.example", RecordKind::Mx, records).unwrap()).unwrap();
        assert_eq!(
            found,
            json!({ "domain": "a.example", "type": "MX", "answer": [{ "host": "mail.a.example.", "pref": 10 }] })
        );
        let asked = question(7, "a.example", RecordKind::Txt).unwrap();
        let bytes = answered(&asked, &[(16, b"\x03v=s\x02pf".to_vec()), (1, vec![1, 2, 3, 4])]);
        let records = vec![Record::Text("v=spf".to_owned())];
        assert_eq!(reply(&bytes, 7, RecordKind::Txt), Ok(Reply::Records(records)));
    }

    #[test]
    fn answers_of_others_and_broken_ones_are_none() {
        let asked = question(7, "a.example", RecordKind::A).unwrap();
        let bytes = answered(&asked, &[(1, vec![1, 2, 3, 4])]);
        assert!(reply(&bytes, 8, RecordKind::A).is_err(), "another id");
        assert!(reply(&asked, 7, RecordKind::A).is_err(), "a question");
        for end in 0..bytes.len() {
            let _ = reply(&bytes[..end], 7, RecordKind::A);
        }
        let mut circle = bytes.clone();
        let place = asked.len();
        circle[place + 1] = u8::try_from(place).unwrap();
        assert!(reply(&circle, 7, RecordKind::A).is_err(), "a name that points at itself");
        let mut unknown = bytes.clone();
        unknown[3] = 0x83;
        assert_eq!(reply(&unknown, 7, RecordKind::A).unwrap_err().message, "there is no such name");
        let mut cut = bytes;
        cut[2] |= 0x02;
        assert_eq!(reply(&cut, 7, RecordKind::A), Ok(Reply::TooLong));
        assert!(question(1, "a..b", RecordKind::A).is_err());
    }
}
