//! Writes rows as JSON bytes while they are read; no intermediate value is built.

mod nested;
pub(crate) mod pieces;

use crate::answers::pieces::ResponseChunks;
use crate::bounds::Meter;
use crate::driver::db::{Db, Row};
use crate::driver::sqlite::carried;
use crate::json::{cell, key, separate, string};
use crate::plan::{AggregateBody, Data, Node, Rows, Shape};
use crate::query::GroupingShape;
use crate::segments::{self, Explanation};
use crate::sql::Dialect;
use crate::statement::{Keys, PlanArguments, bind, bind_values};
use nested::NestedTexts;
use rusqlite::types::ValueRef;
use std::time::Instant;
use uuid::Uuid;

/// Space for the brackets that close a response.
const CLOSING_BYTES: usize = 8;

/// Runs the plans of one request on one connection.
pub(crate) struct Writer<'a> {
    pub connection: Db<'a>,
    pub tenant: Option<Uuid>,
    pub given: PlanArguments<'a>,
    pub meter: &'a Meter,
    /// Answers groupings from column segments; `None`: from rows.
    pub segments: Option<segments::Reader<'a>>,
    /// Aggregates already read from column segments.
    pub memo: segments::Memo,
}

impl Writer<'_> {
    /// Writes `"name":…` of one root field. If `may_wait`, because nothing else of the response follows, a long list of groups is left to
    /// be written later.
    pub(crate) fn root(
        &self,
        name: &str,
        data: &Data,
        may_wait: bool,
        pieces: &mut ResponseChunks,
    ) -> rusqlite::Result<Explanation> {
        let began = Instant::now();
        let mut explained = Explanation::default();
        let out = pieces.text();
        key(out, name);
        match data {
            Data::Json(json) => out.extend_from_slice(json.as_bytes()),
            Data::Rows(rows) => self.list(rows, &[], out)?,
            Data::First(rows) => self.first(rows, &[], out)?,
            Data::Aggregate(parts) => explained = self.aggregate(parts, &[], out)?,
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
                        self.list(rows, &[], out)?;
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
        quick: Option<segments::ListedAnswer>,
        may_wait: bool,
        pieces: &mut ResponseChunks,
    ) -> rusqlite::Result<()> {
        let Some(mut listed) = quick else { return self.list(rows, &[], pieces.text()) };
        let most = listed.most_bytes();
        // If the list might exceed the limits, it is counted while it is written.
        let fits = self.meter.length(most.saturating_add(pieces.text().len() + CLOSING_BYTES)).is_ok();
        if !(may_wait && fits && ResponseChunks::is_worth(most)) {
            return listed.write(self.meter, pieces.text());
        }
        self.meter.rows(listed.rows()).map_err(carried)?;
        pieces.text().push(b'[');
        pieces.later(listed);
        pieces.text().push(b']');
        Ok(())
    }

    /// The groups from column segments, if possible.
    fn quick(
        &self,
        planned: &Result<Box<segments::Plan>, String>,
        explained: &mut Explanation,
    ) -> rusqlite::Result<Option<segments::ListedAnswer>> {
        let why = match (planned, &self.segments) {
            (Ok(plan), Some(reader)) => {
                let (answer, told) = reader.answer(plan)?;
                *explained = told;
                match answer {
                    Ok(answer) => return Ok(Some(segments::ListedAnswer::new(plan, answer))),
                    Err(why) => why,
                }
            }
            (Ok(_), None) => "segments are switched off".to_owned(),
            (Err(why), _) => why.clone(),
        };
        *explained = Explanation { why_not: vec![why], ..Explanation::default() };
        Ok(None)
    }

    fn list(&self, rows: &Rows, keys: &[Keys], out: &mut Vec<u8>) -> rusqlite::Result<()> {
        out.push(b'[');
        let mut place = 0;
        self.each(rows, keys, &mut |row, nested| {
            separate(out, place);
            place += 1;
            self.meter.row(out.len()).map_err(carried)?;
            self.object(row, &rows.shape, nested, out)
        })?;
        out.push(b']');
        Ok(())
    }

    /// Writes the first row, or null.
    pub(crate) fn first(&self, rows: &Rows, keys: &[Keys], out: &mut Vec<u8>) -> rusqlite::Result<()> {
        let mut found = false;
        self.each(rows, keys, &mut |row, nested| {
            if found {
                return Ok(());
            }
            found = true;
            self.object(row, &rows.shape, nested, out)
        })?;
        if !found {
            out.extend_from_slice(b"null");
        }
        Ok(())
    }

    /// Runs a statement for its parents, whose cells are in `keys`: one parent, many if the statement supports it, or none.
    fn each(
        &self,
        rows: &Rows,
        keys: &[Keys],
        take: &mut dyn FnMut(Row<'_>, Option<NestedTexts<'_>>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(&rows.statement.sql)?;
        let width = keys.first().map_or(0, Vec::len);
        if rows.parent.is_some() {
            for place in 0..width {
                statement.bind_each(place + 2, keys.iter().map(|cells| cells[place].clone()).collect())?;
            }
            bind_values(&mut statement, self.tenant, width, &rows.statement.values, self.given)?;
        } else {
            let none = Keys::new();
            let keys = keys.first().unwrap_or(&none);
            bind(&mut statement, self.tenant, keys, &rows.statement.values, self.given)?;
        }
        let mut cursor = statement.query();
        if rows.nested > 0 && self.connection.dialect() == Dialect::Postgres {
            return self.each_with_nested(rows, &mut cursor, take);
        }
        while let Some(row) = cursor.next()? {
            take(row, None)?;
        }
        Ok(())
    }

    /// Writes a row. Nested data was written before, or is queried now.
    fn object(
        &self,
        row: Row<'_>,
        shape: &Shape,
        nested: Option<NestedTexts<'_>>,
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<()> {
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
                Node::Object { shape, .. } => self.object(row, shape, nested, out)?,
                Node::Many { place, keys, rows } => match nested {
                    Some(nested) => out.extend_from_slice(nested.text(*place)),
                    None => self.list(rows, &[copied(row, keys)?], out)?,
                },
                Node::Aggregate { place, keys, parts } => match nested {
                    Some(nested) => out.extend_from_slice(nested.text(*place)),
                    None => drop(self.aggregate(parts, &[copied(row, keys)?], out)?),
                },
            }
        }
        out.push(b'}');
        Ok(())
    }

    fn aggregate(
        &self,
        parts: &[(String, AggregateBody)],
        keys: &[Keys],
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<Explanation> {
        let mut explained = Explanation::default();
        out.push(b'{');
        for (place, (name, part)) in parts.iter().enumerate() {
            separate(out, place);
            key(out, name);
            match part {
                AggregateBody::Json(json) => out.extend_from_slice(json.as_bytes()),
                AggregateBody::Nodes(rows) => self.list(rows, keys, out)?,
                AggregateBody::Figures(rows, totals) => {
                    let none = Keys::new();
                    match self.totals(totals.as_deref(), keys.first().unwrap_or(&none), out)? {
                        Some(told) => explained = told,
                        None => self.each(rows, keys, &mut |row, nested| {
                            self.object(row, &rows.shape, nested, out)
                        })?,
                    }
                }
            }
        }
        out.push(b'}');
        Ok(explained)
    }

    /// Writes aggregates from column segments, if possible.
    fn totals(
        &self,
        totals: Option<&segments::Totals>,
        keys: &Keys,
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<Option<Explanation>> {
        match (totals, &self.segments) {
            (Some(totals), Some(reader)) => {
                reader.totals(totals, self.given.parameters, keys, &self.memo, out)
            }
            _ => Ok(None),
        }
    }
}

fn copied(row: Row<'_>, keys: &[usize]) -> rusqlite::Result<Keys> {
    keys.iter().map(|index| row.get(*index)).collect()
}
