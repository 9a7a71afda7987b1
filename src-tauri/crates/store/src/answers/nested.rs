//! Writes nested lists and aggregates in advance, for many rows at once.
//!
//! With PostgreSQL every statement is a round trip. Rows are therefore buffered in groups. For each nested list or aggregate, one
//! statement answers all rows of a group; then the rows are written. The number of statements depends on the depth of the request and on
//! its rows divided by the group size ([ADR 035](../../../../../docs/adr/035-nested-lists-on-postgresql.md)).

use super::{Keys, Writer};
use crate::driver::db::{Cursor, Row};
use crate::driver::sqlite::carried;
use crate::json::{key, separate};
use crate::plan::{AggregateBody, Node, Rows, Shape};
use crate::segments;
use rusqlite::types::Value;

/// Number of rows buffered until their nested data is read.
const GROUP: usize = 256;

/// The JSON of several rows, concatenated.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    /// The end offset of each row's JSON.
    ends: Vec<usize>,
}

impl Texts {
    fn get(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[row]]
    }

    fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

/// The nested data of one row of a group.
#[derive(Clone, Copy)]
pub(super) struct NestedTexts<'a> {
    /// Indexed by the place of the node.
    group: &'a [Texts],
    row: usize,
}

impl<'a> NestedTexts<'a> {
    pub(super) fn text(self, place: usize) -> &'a [u8] {
        self.group[place].get(self.row)
    }
}

impl Writer<'_> {
    /// Reads the rows of a statement, group by group.
    pub(super) fn each_with_nested(
        &self,
        rows: &Rows,
        cursor: &mut Cursor<'_>,
        take: &mut dyn FnMut(Row<'_>, Option<NestedTexts<'_>>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        loop {
            let mut held = Vec::new();
            while held.len() < GROUP
                && let Some(row) = cursor.next()?
            {
                held.push(row.cells()?);
            }
            if held.is_empty() {
                return Ok(());
            }
            let mut group = Vec::with_capacity(rows.nested);
            self.write_ahead(&rows.shape, &held, &mut group)?;
            for (row, cells) in held.iter().enumerate() {
                take(Row::Postgres(cells), Some(NestedTexts { group: &group, row }))?;
            }
        }
    }

    /// Writes the nested data of these rows, in the order of the places.
    fn write_ahead(
        &self,
        shape: &Shape,
        held: &[Vec<Value>],
        group: &mut Vec<Texts>,
    ) -> rusqlite::Result<()> {
        let of = |keys: &[usize]| -> Vec<Keys> {
            held.iter().map(|cells| keys.iter().map(|index| cells[*index].clone()).collect()).collect()
        };
        for (_, node) in &shape.0 {
            match node {
                Node::Json(_) | Node::Cell { .. } => {}
                Node::Object { shape, .. } => self.write_ahead(shape, held, group)?,
                Node::Many { keys, rows, .. } => group.push(self.lists(rows, &of(keys))?),
                Node::Aggregate { keys, parts, .. } => group.push(self.aggregates(parts, &of(keys))?),
            }
        }
        Ok(())
    }

    /// The list of each parent.
    fn lists(&self, rows: &Rows, parents: &[Keys]) -> rusqlite::Result<Texts> {
        let mut texts = Texts::default();
        let mut place = 0;
        self.each(rows, parents, &mut |row, nested| {
            if close_until(&mut texts, rows.parent_of(row)?, place) {
                place = 0;
            }
            texts.bytes.push(if place == 0 { b'[' } else { b',' });
            place += 1;
            self.meter.row(texts.bytes.len()).map_err(carried)?;
            self.object(row, &rows.shape, nested, &mut texts.bytes)
        })?;
        close_until(&mut texts, parents.len(), place);
        Ok(texts)
    }

    /// The aggregates and nodes of each parent.
    fn aggregates(&self, parts: &[(String, AggregateBody)], parents: &[Keys]) -> rusqlite::Result<Texts> {
        let mut answered = Vec::with_capacity(parts.len());
        for (_, part) in parts {
            answered.push(match part {
                AggregateBody::Json(_) => Texts::default(),
                AggregateBody::Nodes(rows) => self.lists(rows, parents)?,
                AggregateBody::Figures(rows, totals) => self.figures(rows, totals.as_deref(), parents)?,
            });
        }
        let mut texts = Texts::default();
        for parent in 0..parents.len() {
            texts.bytes.push(b'{');
            for (place, ((name, part), answer)) in parts.iter().zip(&answered).enumerate() {
                separate(&mut texts.bytes, place);
                key(&mut texts.bytes, name);
                texts.bytes.extend_from_slice(match part {
                    AggregateBody::Json(json) => json.as_bytes(),
                    AggregateBody::Nodes(_) | AggregateBody::Figures(..) => answer.get(parent),
                });
            }
            texts.bytes.push(b'}');
            texts.end();
        }
        Ok(texts)
    }

    /// The aggregates of each parent: from column segments if possible, the others with one statement.
    fn figures(
        &self,
        rows: &Rows,
        totals: Option<&segments::Totals>,
        parents: &[Keys],
    ) -> rusqlite::Result<Texts> {
        let mut told = Vec::with_capacity(parents.len());
        for parent in parents {
            let mut out = Vec::new();
            told.push(self.totals(totals, parent, &mut out)?.map(|_| out));
        }
        let others: Vec<Keys> = parents
            .iter()
            .zip(&told)
            .filter(|(_, told)| told.is_none())
            .map(|(parent, _)| parent.clone())
            .collect();
        let mut asked = Texts::default();
        if !others.is_empty() {
            self.each(rows, &others, &mut |row, nested| {
                self.object(row, &rows.shape, nested, &mut asked.bytes)?;
                asked.end();
                Ok(())
            })?;
        }
        let (mut texts, mut next) = (Texts::default(), 0);
        for told in told {
            if let Some(told) = told {
                texts.bytes.extend_from_slice(&told);
            } else {
                texts.bytes.extend_from_slice(asked.get(next));
                next += 1;
            }
            texts.end();
        }
        Ok(texts)
    }
}

/// Closes the lists of the parents before `parent`; `rows` is the number of rows in the open list. Returns whether any list was closed.
fn close_until(texts: &mut Texts, parent: usize, rows: usize) -> bool {
    let mut rows = rows;
    let was_open = texts.ends.len() < parent;
    while texts.ends.len() < parent {
        texts.bytes.extend_from_slice(if rows == 0 { b"[]" } else { b"]" });
        rows = 0;
        texts.end();
    }
    was_open
}

impl Rows {
    /// The index of the row's parent among the requested parents.
    fn parent_of(&self, row: Row<'_>) -> rusqlite::Result<usize> {
        let Some(index) = self.parent else { return Ok(0) };
        let number: i64 = row.get(index)?;
        usize::try_from(number - 1).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, number))
    }
}
