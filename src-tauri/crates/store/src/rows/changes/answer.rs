//! Writes the result of a change.

use super::{Changes, TouchedRows};
use crate::answers::Writer;
use crate::driver::sqlite::store_error;
use crate::json::{key, separate, string};
use crate::query::change::{Answer, ResponsePart};
use crate::statement::{Keys, PlanArguments};
use crate::{StoreError, segments};
use catalogue::TableId;
use std::io::Write as _;

impl Changes<'_> {
    pub(super) fn answer(
        &self,
        table: TableId,
        answer: &Answer,
        touched: &TouchedRows,
        out: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        match answer {
            Answer::Response(parts) | Answer::Responses(parts) => self.response(table, parts, touched, out),
            Answer::Row(fields) => {
                if let Some(key) = touched.keys.first() {
                    return self.row(table, fields, key, out);
                }
                out.extend_from_slice(b"null");
                Ok(())
            }
        }
    }

    pub(super) fn response(
        &self,
        table: TableId,
        parts: &[ResponsePart],
        touched: &TouchedRows,
        out: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        out.push(b'{');
        for (place, part) in parts.iter().enumerate() {
            separate(out, place);
            match part {
                ResponsePart::AffectedRows { name } => {
                    key(out, name);
                    let _ = write!(out, "{}", touched.count);
                }
                ResponsePart::Text { name, text } => {
                    key(out, name);
                    string(out, text);
                }
                ResponsePart::Returning { name, fields } => {
                    key(out, name);
                    out.push(b'[');
                    for (place, row) in touched.keys.iter().enumerate() {
                        separate(out, place);
                        self.row(table, fields, row, out)?;
                    }
                    out.push(b']');
                }
            }
        }
        out.push(b'}');
        Ok(())
    }

    pub(super) fn row(
        &self,
        table: TableId,
        fields: &[crate::query::Field],
        row: &Keys,
        out: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let rows = self.printer().row(table, fields);
        let writer = Writer {
            connection: self.connection,
            tenant: self.caller.tenant(),
            given: PlanArguments::at(self.now),
            meter: self.meter,
            segments: None,
            memo: segments::Memo::default(),
        };
        self.meter.row(out.len())?;
        writer.first(&rows, std::slice::from_ref(row), out).map_err(store_error)
    }
}
