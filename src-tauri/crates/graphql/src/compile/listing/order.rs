//! Compiles `order_by` of listings.

use super::{ListingRequest, is_figure, refused};
use crate::compile::input::Input;
use crate::compile::order::direction;
use crate::error::{GraphqlError, Path};
use store::query::{Direction, Key, Term};

impl ListingRequest<'_> {
    /// Compiles a sort order. `keys` are those of a grouped listing; `None` if rows are not grouped.
    pub(super) fn order(
        &self,
        value: &Input,
        keys: Option<&Vec<Key>>,
        path: &Path<'_>,
    ) -> Result<Vec<(Term, Direction)>, GraphqlError> {
        let mut order = Vec::new();
        for member in value.members().iter().filter(|member| **member != Input::Null) {
            let (mut column, mut wanted) = (None, None);
            self.compiler.spent.condition(path)?;
            for (name, value) in member.entries(path)? {
                let place = path.join(name);
                match (name.as_str(), value) {
                    ("column", Input::Text(name)) => column = Some(self.find(name, &place)?),
                    ("order", Input::Null) => {}
                    ("order", value) => wanted = Some(direction(value, &place)?),
                    (_, value) => {
                        return Err(place.invalid(format!(
                            "expected {{column, order}}, but found {name}: {}",
                            value.describe()
                        )));
                    }
                }
            }
            let column = column.ok_or_else(|| refused(path, "order_by needs a column"))?;
            let wanted = wanted.ok_or_else(|| {
                refused(path, &format!("order_by of column '{}' needs an order: asc or desc", column.name))
            })?;
            if keys.is_none() && is_figure(column) {
                return Err(refused(
                    path,
                    &format!(
                        "aggregate column '{}' of table '{}' orders grouped rows only: ask for it, or group",
                        column.name, self.listing.name
                    ),
                ));
            }
            let term = match self.term(column, keys.is_some(), path)? {
                // A column that is not a group key is sorted by its largest value in the group.
                Term::Key(key) if keys.is_some_and(|keys| !keys.contains(&key)) => Term::Max(key),
                term => term,
            };
            order.push((term, wanted));
        }
        Ok(order)
    }
}
