//! Generates conditions over any table.

use super::rows::value;
use crate::properties::condition::written;
use crate::properties::random::Random;
use catalogue::{Catalogue, Column, RelationshipKind, Scalar, Table, TableId};
use serde_json::{Value as Json, json};

/// The columns that a request may read.
pub fn columns(table: &Table) -> Vec<&Column> {
    table.columns.iter().filter(|column| !column.secret && column.scalar != Scalar::Bytea).collect()
}

/// A random `where` of the table.
pub fn random(catalogue: &Catalogue, table: TableId, random: &mut Random, depth: usize) -> Json {
    let described = catalogue.table(table);
    let inner = |random: &mut Random| self::random(catalogue, table, random, depth - 1);
    match random.below(if depth == 0 { 4 } else { 9 }) {
        4 => json!({ "_and": [inner(random), inner(random)] }),
        5 => json!({ "_or": [inner(random), inner(random)] }),
        6 => json!({ "_not": inner(random) }),
        7 | 8 if !described.relationships.is_empty() => {
            let related = &described.relationships[random.below(described.relationships.len())];
            let inner = self::random(catalogue, related.target, random, depth - 1);
            if related.kind == RelationshipKind::Many && random.one_in(3) {
                let count = json!({ "filter": inner, "predicate": { random.pick(&["_eq", "_gt", "_lte"]): random.below(3) } });
                return json!({ format!("{}_aggregate", related.name): { "count": count } });
            }
            json!({ related.name.as_str(): inner })
        }
        _ => {
            let columns = columns(described);
            let column = columns[random.below(columns.len())];
            json!({ column.name.as_str(): test(catalogue, column, random) })
        }
    }
}

fn test(catalogue: &Catalogue, column: &Column, random: &mut Random) -> Json {
    let some = |random: &mut Random| {
        value(catalogue, &column.scalar, column.exact, random).map_or(Json::Null, |value| written(&value))
    };
    if random.one_in(6) {
        return json!({ "_is_null": random.one_in(2) });
    }
    match &column.scalar {
        Scalar::Json | Scalar::Jsonb => match random.below(5) {
            0 => json!({ "_has_key": random.pick(&["a", "b", "'"]) }),
            1 => json!({ "_has_keys_any": ["a", "'"] }),
            2 => json!({ "_contained_in": some(random) }),
            3 => json!({ random.pick(&["_eq", "_neq", "_lt", "_gte"]): some(random) }),
            _ => json!({ "_contains": some(random) }),
        },
        Scalar::Boolean | Scalar::StringList | Scalar::Enum { .. } => {
            json!({ random.pick(&["_eq", "_neq"]): some(random) })
        }
        Scalar::String | Scalar::Citext if random.one_in(3) => {
            let pattern = random.pick(&["", "a%", "%b", "_", "A_%", "%\\%", "\\", "%a%", "ä"]);
            json!({ random.pick(&["_like", "_nlike", "_ilike", "_nilike", "_similar", "_nsimilar"]): pattern })
        }
        Scalar::String | Scalar::Citext if random.one_in(6) => {
            let pattern = random.pick(&["a", "^a", "b$", "[ab]+", "", "A|B", "a.b", "\\d"]);
            json!({ random.pick(&["_regex", "_nregex", "_iregex", "_niregex"]): pattern })
        }
        _ if random.one_in(4) => json!({ random.pick(&["_in", "_nin"]): [some(random), some(random)] }),
        _ => json!({ random.pick(&["_eq", "_neq", "_gt", "_gte", "_lt", "_lte"]): some(random) }),
    }
}
