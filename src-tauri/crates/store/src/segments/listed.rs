//! Writes the rows of an answer as JSON, one after another.

use super::answer::Answer;
use super::plan::{Output, Plan};
use crate::bounds::Meter;
use crate::driver::sqlite::carried;
use crate::json::{key, separate};

/// Maximum bytes of a number or time: 39 digits, or a time.
const FIGURE_BYTES: usize = 48;
/// Number of rows used to estimate the length of the others, and maximum bytes reserved at once.
const ROWS_TO_GUESS: usize = 64;
const MOST_RESERVED: usize = 32 * 1024 * 1024;

/// An answer, and how its rows are written. Self-contained: needs neither the database nor the plan.
pub(crate) struct ListedAnswer {
    answer: Answer,
    fields: Vec<Field>,
    /// The index of the next row.
    next: usize,
    text: String,
}

/// A field of every row.
struct Field {
    output: Output,
    /// `"name":`, with the comma before it.
    name: Vec<u8>,
    /// Name and value together, by id of the key: values repeat in many rows.
    ready: Option<Vec<Vec<u8>>>,
}

impl ListedAnswer {
    pub fn new(plan: &Plan, answer: Answer) -> Self {
        let field = |(place, (name, output)): (usize, &(String, Output))| {
            let mut start = Vec::new();
            separate(&mut start, place);
            key(&mut start, name);
            let together = |json: &Vec<u8>| {
                if json.is_empty() { Vec::new() } else { [start.as_slice(), json].concat() }
            };
            let ready = match output {
                Output::Key(place) => Some(answer.key_json(*place).iter().map(together).collect()),
                _ => None,
            };
            Field { output: output.clone(), name: start, ready }
        };
        let fields = plan.fields.iter().enumerate().map(field).collect();
        Self { answer, fields, next: 0, text: String::new() }
    }

    /// An upper bound for the bytes written.
    pub fn most_bytes(&self) -> usize {
        let longest = |texts: &[Vec<u8>]| texts.iter().map(Vec::len).max().unwrap_or_default();
        let field = |field: &Field| match (&field.ready, &field.output) {
            (Some(ready), _) => longest(ready),
            (None, Output::Json(json)) => field.name.len() + json.len(),
            (None, output) => field.name.len() + self.most_of(output),
        };
        let row: usize = self.fields.iter().map(field).sum();
        self.answer.rows().saturating_mul(row + "{},".len())
    }

    fn most_of(&self, output: &Output) -> usize {
        match output {
            Output::AsText(inner) => self.most_of(inner) + 2,
            Output::Key(place) => self.answer.key_json(*place).iter().map(Vec::len).max().unwrap_or_default(),
            Output::Json(json) => json.len(),
            Output::Count | Output::Sum(..) | Output::Distinct(_) | Output::Extreme(..) => FIGURE_BYTES,
        }
    }

    pub fn rows(&self) -> usize {
        self.answer.rows()
    }

    pub fn is_written(&self) -> bool {
        self.next >= self.answer.rows()
    }

    /// Writes the list of all rows.
    pub fn write(&mut self, meter: &Meter, out: &mut Vec<u8>) -> rusqlite::Result<()> {
        self.next = 0;
        out.push(b'[');
        let start = out.len();
        while !self.is_written() {
            if self.next == ROWS_TO_GUESS {
                // Rows have similar lengths: reserving once avoids repeated growth.
                let guess = (out.len() - start) / ROWS_TO_GUESS * self.rows();
                out.reserve((guess + guess / 16).min(MOST_RESERVED));
            }
            meter.row(out.len()).map_err(carried)?;
            self.write_row(out);
        }
        out.push(b']');
        Ok(())
    }

    /// Writes the next row, with the comma before it. Returns whether there was one.
    pub fn write_row(&mut self, out: &mut Vec<u8>) -> bool {
        if self.is_written() {
            return false;
        }
        separate(out, self.next);
        let group = self.answer.group(self.next);
        self.next += 1;
        out.push(b'{');
        for field in &self.fields {
            if let (Some(ready), Output::Key(place)) = (&field.ready, &field.output) {
                out.extend_from_slice(&ready[self.answer.key_id(group, *place)]);
                continue;
            }
            out.extend_from_slice(&field.name);
            match &field.output {
                Output::AsText(inner) => {
                    let start = out.len();
                    self.answer.value(group, inner, &mut self.text, out);
                    if !matches!(out.get(start), Some(b'"')) && out[start..] != *b"null" {
                        out.insert(start, b'"');
                        out.push(b'"');
                    }
                }
                output => self.answer.value(group, output, &mut self.text, out),
            }
        }
        out.push(b'}');
        true
    }
}
