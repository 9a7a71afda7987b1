//! Checks whether the caller may write a change.

use super::{Changes, held};
use crate::StoreError;
use crate::access::{fixed_columns, names_tenant, scope_columns};
use crate::driver::constraint::dangling;
use crate::query::change::{ColumnChange, Update};
use crate::query::{Filter, Operator, Subject, Test};
use crate::statement::Keys;
use catalogue::{ColumnId, Default, Right, Scope, TableId, TableKind, Value};
use uuid::Uuid;

impl Changes<'_> {
    /// A caller with rights over single accounts may not move a row to another account, and no caller may move a private row to another user.
    pub(super) fn check_moves(&self, table: TableId, update: &Update) -> Result<(), StoreError> {
        let fixed = fixed_columns(self.catalogue, self.caller, table);
        for set in update.sets.iter().filter(|set| fixed.contains(&set.column())) {
            let ColumnChange::To(column, value) = set else { return Err(StoreError::Denied) };
            let stays = Filter::Test {
                subject: Subject::Column(*column),
                test: Test::Compare(Operator::Equal, value.clone()),
            };
            let moved = Filter::And(vec![update.filter.clone(), Filter::Not(Box::new(stays))]);
            if !self.keys(table, &self.printer().find(table, &moved))?.is_empty() {
                return Err(StoreError::Denied);
            }
        }
        Ok(())
    }

    /// A row is never assigned to another tenant. Refused before a constraint can reveal what the other tenant has.
    pub(super) fn check_tenant(&self, table: TableId, cells: &[(ColumnId, Value)]) -> Result<(), StoreError> {
        let (Scope::Tenant(column), Some(tenant)) =
            (&self.catalogue.table(table).scope, self.caller.tenant())
        else {
            return Ok(());
        };
        let is_foreign =
            |(id, value): &(ColumnId, Value)| id == column && !names_tenant(value.borrow(), tenant);
        if cells.iter().any(is_foreign) { Err(StoreError::Denied) } else { Ok(()) }
    }

    /// The error for a row that violates a unique constraint. If the row also refers to a row the caller may not access, the caller gets
    /// the error they would get without the constraint, which does not reveal whether others have such a row.
    pub(super) fn masked(
        &self,
        table: TableId,
        cells: &[(ColumnId, Value)],
        error: StoreError,
    ) -> StoreError {
        if !matches!(error, StoreError::Unique { .. }) {
            return error;
        }
        self.check_cells(table, cells).err().unwrap_or(error)
    }

    /// Refuses cells that refer to rows the caller may not access, as [`Self::check_row`] does for a written row.
    pub(super) fn check_cells(&self, table: TableId, cells: &[(ColumnId, Value)]) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        let scope = scope_columns(self.catalogue, table);
        let mut broken = None;
        for (id, value) in cells {
            let column = described.column(*id);
            let Some(reference) = column.references.as_ref().filter(|_| *value != Value::Null) else {
                continue;
            };
            let is_met = self.printer().is_accessible(Right::Read, reference.table, &[reference.column]);
            if self.exists(&is_met, &vec![held(value)?])? {
                continue;
            }
            if scope.contains(id) {
                return Err(StoreError::Denied);
            }
            broken = broken.or_else(|| Some(dangling(described, column)));
        }
        broken.map_or(Ok(()), Err)
    }

    /// A written row must be one the caller may write, and the columns the caller set must refer to rows the caller may access. Otherwise
    /// a row could be assigned to another tenant, or a reference could reveal whether another tenant has a row.
    pub(super) fn check_row(&self, table: TableId, row: &Keys, given: &[ColumnId]) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        let printer = self.printer();
        if !self.exists(&printer.is_accessible(Right::Write, table, &described.primary_key), row)? {
            return Err(StoreError::Denied);
        }
        for id in given {
            let column = described.column(*id);
            let Some(reference) = &column.references else { continue };
            let value = self.raw_cells(table, &[*id], row)?;
            if value == [rusqlite::types::Value::Null] {
                continue;
            }
            // Code records the acting user, whether or not that user may read the table of users.
            let is_self = |user: Uuid| value == [rusqlite::types::Value::Blob(user.as_bytes().to_vec())];
            if self.actor.is_code && self.actor.user.is_some_and(is_self) {
                continue;
            }
            if !self
                .exists(&printer.is_accessible(Right::Read, reference.table, &[reference.column]), &value)?
            {
                return Err(dangling(described, column));
            }
        }
        Ok(())
    }

    /// A default may refer to a row that does not exist (rows of lookups always exist).
    pub(super) fn check_defaults(
        &self,
        table: TableId,
        row: &Keys,
        given: &[ColumnId],
    ) -> Result<(), StoreError> {
        let described = self.catalogue.table(table);
        for (id, column) in described.iter_columns().filter(|(id, _)| !given.contains(id)) {
            let (Some(Default::Literal(_)), Some(reference)) = (&column.default, &column.references) else {
                continue;
            };
            if matches!(self.catalogue.table(reference.table).kind, TableKind::Lookup { .. }) {
                continue;
            }
            let value = self.raw_cells(table, &[id], row)?;
            if !self.references().exists(reference, &value)? {
                return Err(dangling(described, column));
            }
        }
        Ok(())
    }
}
