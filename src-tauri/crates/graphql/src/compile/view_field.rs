//! Compiles root fields over views with arguments: `args`, and the arguments of lists of a table.

use super::Compiler;
use super::input::Input;
use super::scalar::read;
use super::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use catalogue::{Value, ViewField};
use store::query::Select;

impl Compiler<'_> {
    pub(super) fn view_field(
        &self,
        field: &ViewField,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Select, GraphqlError> {
        let arguments = path.join("args");
        let mut given = self.arguments(chosen, &arguments)?;
        let place = given.iter().position(|(name, _)| name == "args");
        let path_of_args = arguments.join("args");
        let Some((_, args)) = place.map(|place| given.remove(place)) else {
            return Err(path_of_args.invalid(format!("missing required field 'args' of '{}'", field.name)));
        };
        let values = self.view_arguments(field, &args, &path_of_args)?;
        let mut range = self.range_of(field.table, given, chosen, path)?;
        range.arguments = values;
        Ok(Select { table: field.table, fields: self.fields(field.table, &chosen.sets, path)?, range })
    }

    fn view_arguments(
        &self,
        field: &ViewField,
        args: &Input,
        path: &Path<'_>,
    ) -> Result<Vec<(String, Value)>, GraphqlError> {
        let entries = args.entries(path)?;
        let is_known = |name: &str| field.parameters.iter().any(|column| column.name == name);
        if let Some((name, _)) = entries.iter().find(|(name, _)| !is_known(name)) {
            return Err(path
                .join(name)
                .invalid(format!("field '{name}' not found in type: '{}'", field.input_type)));
        }
        let value = |column: &catalogue::Column| {
            let path = path.join(&column.name);
            let found = entries.iter().find(|(name, _)| *name == column.name);
            let Some((_, value)) = found else {
                return Err(path.invalid(format!("missing required field '{}'", column.name)));
            };
            Ok((column.name.clone(), read(self.catalogue, column, value, &path)?))
        };
        let values: Vec<(String, Value)> =
            field.parameters.iter().map(value).collect::<Result<_, GraphqlError>>()?;
        check_windows(field, &values, path)?;
        Ok(values)
    }
}

/// `x_from` and `x_to` form a range: one that ends before it starts is an error, not an empty result.
fn check_windows(field: &ViewField, values: &[(String, Value)], path: &Path<'_>) -> Result<(), GraphqlError> {
    for (name, from) in values {
        let Some(window) = name.strip_suffix("_from") else { continue };
        let end = format!("{window}_to");
        let to = values.iter().find(|(name, _)| *name == end).map(|(_, to)| to);
        if let (Value::Timestamp(from), Some(Value::Timestamp(to))) = (from, to)
            && to < from
        {
            return Err(path.join(&end).invalid(format!(
                "'{end}' of '{}' is before '{name}': the window ends before it starts, swap its bounds",
                field.name
            )));
        }
    }
    Ok(())
}
