//! Compiles `column_transformations`.

use super::{ListingRequest, refused, texts};
use crate::compile::input::Input;
use crate::error::{GraphqlError, Path};
use crate::limits::LimitMeter;
use catalogue::{ListingColumn, LogicalType};
use std::collections::HashMap;
use store::query::TimeUnit;

/// The allowed values of `expr`.
const EXPRESSIONS: [&str; 3] = ["date_unit", "distinct", "json_key"];

/// The requested transformations by column.
#[derive(Default)]
pub(super) struct Transformations {
    /// Units to which times are truncated.
    pub units: HashMap<String, TimeUnit>,
    /// Keys of JSON columns.
    pub keys: HashMap<String, String>,
    /// For a row count: the columns whose distinct combinations it counts.
    pub distinct: HashMap<String, Vec<String>>,
}

pub(super) fn read(
    value: &Input,
    spent: &LimitMeter,
    path: &Path<'_>,
) -> Result<Transformations, GraphqlError> {
    let mut known = Transformations::default();
    for member in value.members() {
        spent.condition(path)?;
        let (mut name, mut expression, mut arguments) = (String::new(), String::new(), Vec::new());
        for (entry, value) in member.entries(path)? {
            match (entry.as_str(), value) {
                ("name", Input::Text(text)) => name.clone_from(text),
                ("expr", Input::Text(text)) => expression.clone_from(text),
                ("args", Input::Null) => {}
                ("args", value) => {
                    arguments = texts(value, path)?;
                    arguments.iter().try_for_each(|_| spent.condition(path))?;
                }
                (entry, value) => {
                    return Err(path.invalid(format!(
                        "expected {{name, expr, args}}, but found {entry}: {}",
                        value.describe()
                    )));
                }
            }
        }
        if name.is_empty() || expression.is_empty() {
            return Err(refused(path, "a column transformation needs name and expr"));
        }
        match expression.as_str() {
            "date_unit" => {
                let word = arguments.first().map_or("day", String::as_str);
                let unit = TimeUnit::find(word).ok_or_else(|| {
                    let units = TimeUnit::ALL.map(TimeUnit::name).join(", ");
                    refused(
                        path,
                        &format!("unknown date_unit \"{word}\" of column '{name}': expected one of {units}"),
                    )
                })?;
                known.units.insert(name, unit);
            }
            "distinct" => {
                known.distinct.insert(name, arguments);
            }
            "json_key" => {
                let key = arguments.into_iter().next().ok_or_else(|| {
                    refused(path, "json_key needs the key as its argument: args: [\"team\"]")
                })?;
                known.keys.insert(name, key);
            }
            // The reference implementation ignores unknown transformations (semantics §5). A misspelt unit would then silently return
            // other groups than requested. The contract names no unknown ones, therefore no working request is refused.
            unknown => {
                return Err(refused(
                    path,
                    &format!(
                        "unknown transformation \"{unknown}\" of column '{name}': expected one of {}",
                        EXPRESSIONS.join(", ")
                    ),
                ));
            }
        }
    }
    Ok(known)
}

impl ListingRequest<'_> {
    /// Refuses transformations of unknown columns, and those that do not apply to the column's type.
    pub(super) fn check_transformations(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let known = &self.known;
        for name in known.units.keys() {
            let column = self.find(name, path)?;
            if column.logical != LogicalType::Datetime || super::is_figure(column) {
                return Err(self.unfit(column, "date_unit cuts times of single rows", path));
            }
        }
        for name in known.keys.keys() {
            self.find(name, path)?;
        }
        // Applications name `distinct` for columns that count nothing, or without columns: it then has no effect.
        for name in known.distinct.keys() {
            self.find(name, path)?;
        }
        Ok(())
    }

    fn unfit(&self, column: &ListingColumn, why: &str, path: &Path<'_>) -> GraphqlError {
        let (name, table) = (&column.name, &self.listing.name);
        refused(path, &format!("column '{name}' of table '{table}' cannot be transformed so: {why}"))
    }
}
