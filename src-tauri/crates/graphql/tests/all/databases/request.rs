//! Generates requests over tables: lists with related rows, aggregates, rows by key.

use super::condition::{self, columns};
use crate::properties::random::Random;
use catalogue::{Catalogue, RelationshipKind, Scalar, Table, TableId};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// The variables of a request, and their declarations.
struct Arguments {
    variables: serde_json::Map<String, Json>,
    declared: Vec<String>,
}

pub fn random(catalogue: &Catalogue, random: &mut Random) -> (String, Json) {
    let roots: Vec<(TableId, &Table)> =
        catalogue.iter().filter(|(_, table)| table.exposed && table.root).collect();
    let (id, table) = roots[random.below(roots.len())];
    let mut arguments = Arguments { variables: serde_json::Map::new(), declared: vec![] };
    let list = arguments.of(catalogue, id, "", random);
    let figures = arguments.of(catalogue, id, "f", random);
    let name = &table.name;
    let mut body = format!("{name}{list} {{ {} }} ", fields(catalogue, id, &mut arguments, random));
    write!(
        body,
        "{name}_aggregate{figures} {{ {} nodes {{ {} }} }}",
        aggregate(table, random),
        plain(table, random)
    )
    .unwrap();
    let declared = arguments.declared.join(", ");
    (format!("query({declared}) {{ {body} }}"), Json::Object(arguments.variables))
}

impl Arguments {
    /// Arguments of a list of the table, in variables with this prefix. The order is total.
    fn of(&mut self, catalogue: &Catalogue, id: TableId, prefix: &str, random: &mut Random) -> String {
        let table = catalogue.table(id);
        let name = &table.name;
        let mut given = Vec::new();
        let mut add = |argument: &str, of: String, value: Json| {
            let variable = format!("{prefix}{argument}");
            self.declared.push(format!("${variable}: {of}"));
            given.push(format!("{argument}: ${variable}"));
            self.variables.insert(variable, value);
        };
        if !random.one_in(4) {
            add("where", format!("{name}_bool_exp"), condition::random(catalogue, id, random, 2));
        }
        let order = order(catalogue, id, random);
        let distinct = if random.one_in(4) { random.below(3) } else { 0 };
        let leading: Vec<&str> = order
            .iter()
            .take(distinct)
            .map_while(|(column, way)| way.is_string().then_some(column.as_str()))
            .collect();
        if !leading.is_empty() {
            add("distinct_on", format!("[{name}_select_column!]"), json!(leading));
        }
        let order: Vec<Json> = order.iter().map(|(column, way)| json!({ column.as_str(): way })).collect();
        add("order_by", format!("[{name}_order_by!]"), Json::Array(order));
        if random.one_in(3) {
            add("limit", "Int".to_owned(), json!(random.below(6)));
        }
        if random.one_in(5) {
            add("offset", "Int".to_owned(), json!(random.below(4)));
        }
        format!("({})", given.join(", "))
    }
}

/// Random order columns; the last ones make the order total.
fn order(catalogue: &Catalogue, id: TableId, random: &mut Random) -> Vec<(String, Json)> {
    let table = catalogue.table(id);
    let way = |random: &mut Random| {
        json!(random.pick(&[
            "asc",
            "desc",
            "asc_nulls_first",
            "asc_nulls_last",
            "desc_nulls_first",
            "desc_nulls_last"
        ]))
    };
    let columns = columns(table);
    let mut order: Vec<(String, Json)> = Vec::new();
    for _ in 0..random.below(3) {
        let column = columns[random.below(columns.len())];
        order.push((column.name.clone(), way(random)));
    }
    if let Some(related) = table.relationships.get(random.below(table.relationships.len() + 3)) {
        let target = catalogue.table(related.target);
        let there = self::columns(target);
        let by = &there[random.below(there.len())].name;
        match related.kind {
            RelationshipKind::One => order.push((related.name.clone(), json!({ by.as_str(): way(random) }))),
            RelationshipKind::Many => {
                order.push((format!("{}_aggregate", related.name), json!({ "count": way(random) })));
            }
        }
    }
    let rest: Vec<&str> = if table.primary_key.is_empty() {
        columns.iter().map(|column| column.name.as_str()).collect()
    } else {
        table.primary_key.iter().map(|id| table.column(*id).name.as_str()).collect()
    };
    for column in rest {
        if order.iter().all(|(known, _)| known != column) {
            order.push((column.to_owned(), way(random)));
        }
    }
    let mut known: Vec<String> = Vec::new();
    order.retain(|(column, _)| {
        let is_new = !known.contains(column);
        known.push(column.clone());
        is_new
    });
    order
}

/// Some columns, and related rows.
fn fields(catalogue: &Catalogue, id: TableId, arguments: &mut Arguments, random: &mut Random) -> String {
    let table = catalogue.table(id);
    let mut text = plain(table, random);
    for place in 0..random.below(3) {
        if table.relationships.is_empty() {
            break;
        }
        let related = &table.relationships[random.below(table.relationships.len())];
        let target = catalogue.table(related.target);
        let name = &related.name;
        match related.kind {
            RelationshipKind::One => {
                write!(text, " r{place}: {name} {{ {} }}", plain(target, random)).unwrap();
            }
            RelationshipKind::Many => {
                let given = arguments.of(catalogue, related.target, &format!("n{place}"), random);
                let inner = plain(target, random);
                write!(text, " r{place}: {name}{given} {{ {inner} }}").unwrap();
                if random.one_in(2) {
                    let given = arguments.of(catalogue, related.target, &format!("m{place}"), random);
                    write!(text, " a{place}: {name}_aggregate{given} {{ {} }}", aggregate(target, random))
                        .unwrap();
                }
            }
        }
    }
    text
}

fn plain(table: &Table, random: &mut Random) -> String {
    let columns = columns(table);
    let mut names: Vec<&str> =
        columns.iter().filter(|_| random.one_in(3)).map(|column| &*column.name).collect();
    if names.is_empty() {
        names.push(&columns[random.below(columns.len())].name);
    }
    names.join(" ")
}

/// Aggregates over rows. `stddev` and `variance` are computed with floats in different orders and agree in the first digits only; they are
/// left out.
fn aggregate(table: &Table, random: &mut Random) -> String {
    let columns = columns(table);
    let some = |random: &mut Random, fits: &dyn Fn(&Scalar) -> bool| -> String {
        let fitting = columns.iter().filter(|column| fits(&column.scalar) && random.one_in(3));
        fitting.map(|column| column.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mut text = "count".to_owned();
    let one = &columns[random.below(columns.len())].name;
    let two = &columns[random.below(columns.len())].name;
    write!(text, " some: count(columns: {one}) kinds: count(columns: [{one}, {two}], distinct: true)")
        .unwrap();
    let is_number =
        |scalar: &Scalar| matches!(scalar, Scalar::Int | Scalar::Bigint | Scalar::Float8 | Scalar::Numeric);
    for function in ["sum", "avg", "min", "max"] {
        let named = match function {
            "sum" | "avg" => some(random, &is_number),
            _ => some(random, &Scalar::is_ordered),
        };
        if !named.is_empty() {
            write!(text, " {function} {{ {named} }}").unwrap();
        }
    }
    format!("aggregate {{ {text} }}")
}
