//! Compiles `order_by` of tables: by columns, through object relationships, by aggregates over related rows.

use super::Compiler;
use super::input::Input;
use crate::error::{GraphqlError, Path};
use catalogue::{RelationshipId, RelationshipKind, TableId};
use store::query::{Direction, Order, OrderBy};

impl Compiler<'_> {
    /// Compiles one `T_order_by` object or a list of them; the entries of an object apply in their order.
    pub(super) fn order(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Vec<Order>, GraphqlError> {
        let entries = value.each(path, |member, path| {
            let mut order = Vec::new();
            self.order_entries(table, member, path, &mut Vec::new(), &mut order)?;
            Ok(order)
        })?;
        Ok(entries.concat())
    }

    fn order_entries(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
        steps: &mut Vec<RelationshipId>,
        order: &mut Vec<Order>,
    ) -> Result<(), GraphqlError> {
        let described = self.catalogue.table(table);
        for (name, value) in value.entries(path)? {
            self.spent.condition(path)?;
            let path = path.join(name);
            if *value == Input::Null {
                continue;
            }
            if let Some(column) = described.find_column(name).filter(|id| !described.column(*id).secret) {
                let direction = direction(value, &path)?;
                order.push(Order { path: steps.clone(), by: OrderBy::Column(column), direction });
                continue;
            }
            if let Some(id) = self.aggregated(described, name) {
                let figures = || self.aggregate_order(described, id, value, &path);
                for (figure, direction) in self.spent.related(&path, figures)? {
                    order.push(Order { path: steps.clone(), by: OrderBy::Figure(figure), direction });
                }
                continue;
            }
            let one = described.find_relationship(name).filter(|id| {
                let relationship = described.relationship(*id);
                relationship.kind == RelationshipKind::One && self.roots.show(relationship.target)
            });
            let Some(id) = one else {
                return Err(
                    path.invalid(format!("field '{name}' not found in type: '{}_order_by'", described.name))
                );
            };
            self.spent.table(&path)?;
            steps.push(id);
            let target = described.relationship(id).target;
            self.spent.related(&path, || self.order_entries(target, value, &path, steps, order))?;
            steps.pop();
        }
        Ok(())
    }
}

/// A value of `order_by`.
pub(super) fn direction(value: &Input, path: &Path<'_>) -> Result<Direction, GraphqlError> {
    let found = match value {
        Input::Text(name) => Direction::find(name),
        _ => None,
    };
    found.ok_or_else(|| {
        path.invalid(format!(
            "expected one of the values ['asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', \
             'desc_nulls_last'] for type 'order_by', but found {}",
            value.describe()
        ))
    })
}
