//! Compiles the selection of a listing's rows.

use super::ListingRequest;
use crate::compile::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use async_graphql_parser::types::SelectionSet;
use store::query::GroupingShape;

/// The fields of a row, and where the rows are in the response.
pub(super) struct FieldSelection {
    /// Response key and column name, including `__typename`.
    pub fields: Vec<(String, String)>,
    pub shape: GroupingShape,
}

impl ListingRequest<'_> {
    pub(super) fn selected(
        &self,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<FieldSelection, GraphqlError> {
        let path = path.join("selectionSet");
        let Some(response) = &self.listing.response_type else {
            let fields = self.row_fields(&chosen.sets, &path)?;
            return Ok(FieldSelection { fields, shape: GroupingShape::List });
        };
        let (mut lists, mut texts, mut fields) = (Vec::new(), Vec::new(), Vec::new());
        for part in self.compiler.some(&chosen.sets, response, &path)? {
            let name = part.field.node.name.node.as_str();
            let place = path.join(name);
            match name {
                "__typename" => texts.push((part.key.to_owned(), response.clone())),
                "rows" if lists.is_empty() => {
                    lists.push(part.key.to_owned());
                    fields = self.row_fields(&part.sets, &place.join("selectionSet"))?;
                }
                "rows" => {
                    return Err(place.invalid("ask for 'rows' once; several aliases of it are not supported"));
                }
                _ => return Err(place.invalid(format!("field '{name}' not found in type: '{response}'"))),
            }
        }
        Ok(FieldSelection { fields, shape: GroupingShape::Object { lists, texts } })
    }

    fn row_fields(
        &self,
        sets: &[&SelectionSet],
        path: &Path<'_>,
    ) -> Result<Vec<(String, String)>, GraphqlError> {
        let mut fields = Vec::new();
        for field in self.compiler.some(sets, &self.listing.row_type, path)? {
            let name = field.field.node.name.node.as_str();
            let is_known = self.listing.find_column(name).is_some_and(|column| column.row_type.is_some());
            if name != "__typename" && !is_known {
                return Err(path
                    .join(name)
                    .invalid(format!("field '{name}' not found in type: '{}'", self.listing.row_type)));
            }
            fields.push((field.key.to_owned(), name.to_owned()));
        }
        Ok(fields)
    }
}
