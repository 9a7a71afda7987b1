//! Generates mutations: inserts, upserts, updates, deletes.

use super::condition::{self, columns};
use super::rows::{id, value};
use crate::properties::condition::written;
use crate::properties::random::Random;
use catalogue::{Catalogue, Column, Default, Scalar, Table, TableId, TableKind, Writers};
use serde_json::{Map, Value as Json, json};

/// A mutation, and a query that shows the table's content after it.
pub fn random(catalogue: &Catalogue, random: &mut Random) -> [(String, Json); 2] {
    let is_written = |table: &Table| {
        matches!(table.kind, TableKind::Table)
            && table.exposed
            && table.root
            && table.written_by != Writers::Nobody
            && !table.primary_key.is_empty()
    };
    let written: Vec<(TableId, &Table)> = catalogue.iter().filter(|(_, table)| is_written(table)).collect();
    let (place, table) = written[random.below(written.len())];
    let name = &table.name;
    let shown: Vec<&str> = columns(table).iter().map(|column| column.name.as_str()).collect();
    let keys: Vec<String> =
        table.primary_key.iter().map(|key| format!("{{{}: asc}}", table.column(*key).name)).collect();
    let after = format!("{{ {name}(order_by: [{}]) {{ {} }} }}", keys.join(", "), shown.join(" "));
    // Updated rows are returned in no particular order.
    let answer = "{ affected_rows }";
    let change = match random.below(4) {
        0 => {
            let rows: Vec<Json> = (0..=random.below(2)).map(|_| row(catalogue, table, random)).collect();
            (
                format!(
                    "mutation($rows: [{name}_insert_input!]!) {{ insert_{name}(objects: $rows) {{ affected_rows returning {{ {} }} }} }}",
                    shown.join(" ")
                ),
                json!({ "rows": rows }),
            )
        }
        1 => {
            let some: Vec<&str> = shown.iter().copied().filter(|_| random.one_in(4)).collect();
            let conflict = json!({ "constraint": table.primary_key_name, "update_columns": some });
            (
                format!(
                    "mutation($rows: [{name}_insert_input!]!, $conflict: {name}_on_conflict) \
                     {{ insert_{name}(objects: $rows, on_conflict: $conflict) {answer} }}"
                ),
                json!({ "rows": [row(catalogue, table, random)], "conflict": conflict }),
            )
        }
        2 => {
            let filter = condition::random(catalogue, place, random, 1);
            (
                format!("mutation($where: {name}_bool_exp!) {{ delete_{name}(where: $where) {answer} }}"),
                json!({ "where": filter }),
            )
        }
        _ => update(catalogue, (place, table), answer, random),
    };
    [change, (after, Json::Null)]
}

fn update(
    catalogue: &Catalogue,
    (place, table): (TableId, &Table),
    answer: &str,
    random: &mut Random,
) -> (String, Json) {
    let name = &table.name;
    let mut variables = Map::new();
    variables.insert("where".to_owned(), condition::random(catalogue, place, random, 1));
    let mut declared = vec![format!("$where: {name}_bool_exp!")];
    let mut given = vec!["where: $where".to_owned()];
    let mut give = |operator: &str, cells: Map<String, Json>| {
        if !cells.is_empty() {
            declared.push(format!("${operator}: {name}{operator}_input"));
            given.push(format!("{operator}: ${operator}"));
            variables.insert(operator.to_owned(), Json::Object(cells));
        }
    };
    let is_json = |column: &Column| column.scalar == Scalar::Jsonb;
    let is_number = |column: &Column| {
        matches!(column.scalar, Scalar::Int | Scalar::Bigint | Scalar::Float8 | Scalar::Numeric)
    };
    let mut pick = |fits: &dyn Fn(&Column) -> bool, value: &dyn Fn(&Column, &mut Random) -> Json| {
        let mut cells = Map::new();
        for column in table.columns.iter().filter(|column| fits(column)) {
            if random.one_in(3) {
                cells.insert(column.name.clone(), value(column, random));
            }
        }
        cells
    };
    let keys: Vec<&str> = table.primary_key.iter().map(|key| table.column(*key).name.as_str()).collect();
    let set = pick(
        &|column| !is_json(column) && !is_number(column) && !keys.contains(&&*column.name),
        &|column, random| cell(catalogue, column, random),
    );
    let inc = pick(&is_number, &|_, random| json!(random.pick(&[1, -1, 3])));
    let json = pick(&is_json, &|column, random| cell(catalogue, column, random));
    let key = pick(&is_json, &|_, _| json!("a"));
    give("_set", set);
    give("_inc", inc);
    match place.0 % 3 {
        0 => give("_append", json),
        1 => give("_prepend", json),
        _ => give("_delete_key", key),
    }
    let text =
        format!("mutation({}) {{ update_{name}({}) {answer} }}", declared.join(", "), given.join(", "));
    (text, Json::Object(variables))
}

/// A row without random defaults: keys are given, and defaults are texts and times that both databases compute equally.
fn row(catalogue: &Catalogue, table: &Table, random: &mut Random) -> Json {
    let mut cells = Map::new();
    for (place, column) in table.iter_columns() {
        let is_key = table.primary_key.contains(&place);
        let is_chance = matches!(column.default, Some(Default::GeneratedUuid));
        let value = match &column.scalar {
            Scalar::Uuid if is_key || is_chance => json!(id(random.below(40)).to_string()),
            _ if !is_key && (column.nullable || column.default.is_some()) && random.one_in(2) => continue,
            _ => cell(catalogue, column, random),
        };
        cells.insert(column.name.clone(), value);
    }
    Json::Object(cells)
}

fn cell(catalogue: &Catalogue, column: &Column, random: &mut Random) -> Json {
    if let Some(reference) = &column.references
        && let TableKind::Lookup { values, .. } = &catalogue.table(reference.table).kind
    {
        return json!(values[random.below(values.len())].value);
    }
    value(catalogue, &column.scalar, column.exact, random).map_or(Json::Null, |value| written(&value))
}
