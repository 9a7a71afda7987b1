//! Rows to JSON bytes, as they come: no value is built in between.

use crate::bounds::Meter;
use crate::driver::db::{Call, Db, Row};
use crate::driver::sqlite::carried;
use crate::pieces::Pieces;
use crate::plan::{AggregateBody, Bound, Data, Node, Print, Rows, Shape};
use crate::query::GroupingShape;
use crate::segments::{self, Explained};
use catalogue::{Value, format_date, format_timestamp, format_timestamptz};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use std::io::Write as _;
use std::time::Instant;
use uuid::Uuid;

/// Room for the brackets that end an answer.
const CLOSING_BYTES: usize = 8;

/// Cells of a parent's row, copied so that they can be bound while that row is still open.
pub(crate) type Keys = Vec<rusqlite::types::Value>;

/// What a plan is given when it runs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given<'a> {
    /// The moment of the answer.
    pub now: i64,
    /// What the slots are filled with.
    pub slots: &'a [Value],
}

impl Given<'_> {
    /// What runs at once, and so has no slots.
    pub(crate) fn at(now: i64) -> Self {
        Self { now, slots: &[] }
    }
}

/// Runs plans of one request on one connection.
pub(crate) struct Writer<'a> {
    pub connection: Db<'a>,
    pub tenant: Option<Uuid>,
    pub given: Given<'a>,
    pub meter: &'a Meter,
    /// Answers groupings from columns; without it, rows do.
    pub segments: Option<segments::Reader<'a>>,
    /// Figures that columns have told already.
    pub memo: segments::Memo,
}

impl Writer<'_> {
    /// Writes `"name":…` of one root field. When it `may_wait`, since nothing else of the answer follows it, a long list of
    /// groups is left to be written later.
    pub(crate) fn root(
        &self,
        name: &str,
        data: &Data,
        may_wait: bool,
        pieces: &mut Pieces,
    ) -> rusqlite::Result<Explained> {
        let began = Instant::now();
        let mut explained = Explained::default();
        let out = pieces.text();
        key(out, name);
        match data {
            Data::Json(json) => out.extend_from_slice(json.as_bytes()),
            Data::Rows(rows) => self.list(rows, &Keys::new(), out)?,
            Data::First(rows) => self.first(rows, &Keys::new(), out)?,
            Data::Aggregate(parts) => explained = self.aggregate(parts, &Keys::new(), out)?,
            Data::Grouped { rows, columns, shape: GroupingShape::List } => {
                let quick = self.quick(columns, &mut explained)?;
                self.groups(rows, quick, may_wait, pieces)?;
            }
            Data::Grouped { rows, columns, shape: GroupingShape::Object { lists, texts } } => {
                let mut quick = self.quick(columns, &mut explained)?;
                out.push(b'{');
                for (place, (name, text)) in texts.iter().enumerate() {
                    separate(out, place);
                    key(out, name);
                    string(out, text);
                }
                for (place, name) in lists.iter().enumerate() {
                    let out = pieces.text();
                    separate(out, texts.len() + place);
                    key(out, name);
                    if place + 1 == lists.len() {
                        self.groups(rows, quick.take(), may_wait, pieces)?;
                    } else if let Some(listed) = &mut quick {
                        listed.write(self.meter, out)?;
                    } else {
                        self.list(rows, &Keys::new(), out)?;
                    }
                }
                pieces.text().push(b'}');
            }
        }
        name.clone_into(&mut explained.name);
        explained.time = began.elapsed();
        Ok(explained)
    }

    /// Writes the rows of a grouping.
    fn groups(
        &self,
        rows: &Rows,
        quick: Option<segments::Listed>,
        may_wait: bool,
        pieces: &mut Pieces,
    ) -> rusqlite::Result<()> {
        let Some(mut listed) = quick else { return self.list(rows, &Keys::new(), pieces.text()) };
        let most = listed.most_bytes();
        // What could come to too much is counted while it is written.
        let fits = self.meter.length(most.saturating_add(pieces.text().len() + CLOSING_BYTES)).is_ok();
        if !(may_wait && fits && Pieces::is_worth(most)) {
            return listed.write(self.meter, pieces.text());
        }
        self.meter.rows(listed.rows()).map_err(carried)?;
        pieces.text().push(b'[');
        pieces.later(listed);
        pieces.text().push(b']');
        Ok(())
    }

    /// The groups from columns, where these can tell them.
    fn quick(
        &self,
        planned: &Result<Box<segments::Plan>, String>,
        explained: &mut Explained,
    ) -> rusqlite::Result<Option<segments::Listed>> {
        let why = match (planned, &self.segments) {
            (Ok(plan), Some(reader)) => {
                let (answer, told) = reader.answer(plan)?;
                *explained = told;
                match answer {
                    Ok(answer) => return Ok(Some(segments::Listed::new(plan, answer))),
                    Err(why) => why,
                }
            }
            (Ok(_), None) => "segments are switched off".to_owned(),
            (Err(why), _) => why.clone(),
        };
        *explained = Explained { why_not: vec![why], ..Explained::default() };
        Ok(None)
    }

    fn list(&self, rows: &Rows, keys: &Keys, out: &mut Vec<u8>) -> rusqlite::Result<()> {
        out.push(b'[');
        let mut place = 0;
        self.each(rows, keys, &mut |row| {
            separate(out, place);
            place += 1;
            self.meter.row(out.len()).map_err(carried)?;
            self.object(row, &rows.shape, out)
        })?;
        out.push(b']');
        Ok(())
    }

    /// Writes the first row, or null.
    pub(crate) fn first(&self, rows: &Rows, keys: &Keys, out: &mut Vec<u8>) -> rusqlite::Result<()> {
        let mut found = false;
        self.each(rows, keys, &mut |row| {
            if found {
                return Ok(());
            }
            found = true;
            self.object(row, &rows.shape, out)
        })?;
        if !found {
            out.extend_from_slice(b"null");
        }
        Ok(())
    }

    fn each(
        &self,
        rows: &Rows,
        keys: &Keys,
        take: &mut dyn FnMut(Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(&rows.statement.sql)?;
        bind(&mut statement, self.tenant, keys, &rows.statement.values, self.given)?;
        let mut cursor = statement.query();
        while let Some(row) = cursor.next()? {
            take(row)?;
        }
        Ok(())
    }

    fn object(&self, row: Row<'_>, shape: &Shape, out: &mut Vec<u8>) -> rusqlite::Result<()> {
        out.push(b'{');
        for (place, (name, node)) in shape.0.iter().enumerate() {
            separate(out, place);
            out.extend_from_slice(name.as_bytes());
            match node {
                Node::Json(json) => out.extend_from_slice(json.as_bytes()),
                Node::Cell { index, print } => cell(out, row.get_ref(*index)?, *print)?,
                Node::Object { present: Some(index), .. } if row.get_ref(*index)? == ValueRef::Null => {
                    out.extend_from_slice(b"null");
                }
                Node::Object { shape, .. } => self.object(row, shape, out)?,
                Node::Many { keys, rows } => self.list(rows, &copied(row, keys)?, out)?,
                Node::Aggregate { keys, parts } => {
                    self.aggregate(parts, &copied(row, keys)?, out)?;
                }
            }
        }
        out.push(b'}');
        Ok(())
    }

    fn aggregate(
        &self,
        parts: &[(String, AggregateBody)],
        keys: &Keys,
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<Explained> {
        let mut explained = Explained::default();
        out.push(b'{');
        for (place, (name, part)) in parts.iter().enumerate() {
            separate(out, place);
            key(out, name);
            match part {
                AggregateBody::Json(json) => out.extend_from_slice(json.as_bytes()),
                AggregateBody::Nodes(rows) => self.list(rows, keys, out)?,
                AggregateBody::Figures(rows, totals) => match self.totals(totals.as_deref(), keys, out)? {
                    Some(told) => explained = told,
                    None => self.each(rows, keys, &mut |row| self.object(row, &rows.shape, out))?,
                },
            }
        }
        out.push(b'}');
        Ok(explained)
    }

    /// Writes figures from columns, where these can tell them.
    fn totals(
        &self,
        totals: Option<&segments::Totals>,
        keys: &Keys,
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<Option<Explained>> {
        match (totals, &self.segments) {
            (Some(totals), Some(reader)) => reader.totals(totals, self.given.slots, keys, &self.memo, out),
            _ => Ok(None),
        }
    }
}

fn copied(row: Row<'_>, keys: &[usize]) -> rusqlite::Result<Keys> {
    keys.iter().map(|index| row.get(*index)).collect()
}

pub(crate) fn separate(out: &mut Vec<u8>, place: usize) {
    if place > 0 {
        out.push(b',');
    }
}

pub(crate) fn key(out: &mut Vec<u8>, name: &str) {
    string(out, name);
    out.push(b':');
}

pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(&mut *out, text).expect("writing to memory cannot fail");
}

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
        (Print::LooseJson, ValueRef::Text(text)) => without_blanks(text, out),
        // PostgreSQL adds up whole numbers as decimals.
        (Print::Json | Print::Decimal | Print::Integer | Print::Float, ValueRef::Text(text)) => {
            out.extend_from_slice(text);
        }
        // What a view picks from JSON may be a number where its column is a text.
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
            // PostgreSQL's bytea text form.
            out.extend_from_slice(b"\"\\\\x");
            for byte in bytes {
                let _ = write!(out, "{byte:02x}");
            }
            out.push(b'"');
        }
    }
    Ok(())
}

/// Copies JSON without what stands between its words.
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

/// Whole numbers without a fraction, as PostgreSQL's JSON has them; JSON has no word for infinities.
fn real(out: &mut Vec<u8>, number: f64) {
    if !number.is_finite() {
        out.extend_from_slice(b"null");
    } else if number.fract() == 0.0 && number.abs() < 1e15 {
        let _ = write!(out, "{number:.0}");
    } else {
        let _ = write!(out, "{number}");
    }
}

/// Binds the tenant to 1, then the parent's cells, then the values with what is given now.
pub(crate) fn bind(
    statement: &mut Call<'_>,
    tenant: Option<Uuid>,
    keys: &Keys,
    values: &[Bound],
    given: Given<'_>,
) -> rusqlite::Result<()> {
    let wanted = statement.parameter_count();
    if wanted >= 1 {
        statement.bind(1, Cell(tenant.map_or(catalogue::ValueRef::Null, Into::into)))?;
    }
    for (place, key) in keys.iter().enumerate().take_while(|(place, _)| place + 2 <= wanted) {
        statement.bind(place + 2, key)?;
    }
    for (place, value) in values.iter().enumerate() {
        let value = match value {
            Bound::Value(value) => value.borrow(),
            Bound::Slot(slot) => {
                given.slots.get(*slot).expect("a plan runs with a value for each of its slots").borrow()
            }
            Bound::After(after) => catalogue::ValueRef::Timestamp(given.now.saturating_add(*after)),
        };
        statement.bind(place + 2 + keys.len(), Cell(value))?;
    }
    Ok(())
}

/// A cell as SQLite holds it: see ARCHITECTURE.md, "How values are held".
pub(crate) struct Cell<'a>(pub catalogue::ValueRef<'a>);

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        use catalogue::ValueRef as Held;
        Ok(match &self.0 {
            Held::Null => ToSqlOutput::Owned(rusqlite::types::Value::Null),
            Held::Bool(value) => ToSqlOutput::from(i64::from(*value)),
            Held::Int(value) | Held::Timestamp(value) => ToSqlOutput::from(*value),
            Held::Date(value) => ToSqlOutput::from(i64::from(*value)),
            Held::Float(value) => ToSqlOutput::from(*value),
            Held::Decimal(value) => ToSqlOutput::from(value.to_string()),
            Held::Text(text) | Held::Json(text) => ToSqlOutput::from(*text),
            Held::Uuid(uuid) => ToSqlOutput::Borrowed(ValueRef::Blob(uuid.as_bytes())),
        })
    }
}
