//! Generates requests of the two listings.

use super::columns::{FIGURES, PLAIN, UNITS};
use super::condition::Condition;
use crate::properties::data::Row;
use crate::properties::random::Random;
use serde_json::{Value as Json, json};

pub struct Ask {
    pub is_grouped: bool,
    /// Columns of the response, in selection order.
    pub selected: Vec<&'static str>,
    /// The `columns` argument; empty: all selected columns.
    pub columns: Vec<&'static str>,
    pub group_by: Vec<&'static str>,
    pub condition: Condition,
    pub unit: Option<&'static str>,
    /// The columns whose distinct combinations `count` counts.
    pub distinct: Vec<&'static str>,
    /// Column, descending, nulls first; the last entries make the order total.
    pub order: Vec<(&'static str, bool, bool)>,
    pub limit: Option<usize>,
    pub offset: Option<usize>,
}

impl Ask {
    pub fn random(random: &mut Random, rows: &[Row]) -> Self {
        let is_grouped = random.one_in(2);
        let some = |random: &mut Random, from: &[&'static str], most: usize| {
            let mut chosen: Vec<&'static str> = Vec::new();
            for _ in 0..random.below(most + 1) {
                let column = random.pick(from);
                if !chosen.contains(&column) {
                    chosen.push(column);
                }
            }
            chosen
        };
        let mut selected = some(random, &PLAIN, 4);
        if is_grouped {
            selected.extend(some(random, &FIGURES, 4));
        }
        if selected.is_empty() {
            selected.push(if is_grouped { "count" } else { "id" });
        }
        let mut columns = Vec::new();
        if random.one_in(3) {
            columns = selected.iter().copied().filter(|_| !random.one_in(4)).collect();
        }
        let group_by = if is_grouped && random.one_in(3) { some(random, &PLAIN, 2) } else { Vec::new() };
        let mut ask = Self {
            is_grouped,
            selected,
            columns,
            group_by,
            condition: Condition::random(random, rows.len(), 3),
            unit: random.one_in(2).then(|| random.pick(&UNITS)),
            distinct: if is_grouped && random.one_in(3) { some(random, &PLAIN, 3) } else { Vec::new() },
            order: Vec::new(),
            limit: random.one_in(3).then(|| 1 + random.below(6)),
            offset: random.one_in(3).then(|| random.below(4)),
        };
        let mut order = some(random, &PLAIN, 2);
        if is_grouped {
            order.extend(some(random, &["count", "total", "most"], 1));
            order.extend(ask.keys());
        } else {
            order.push("id");
        }
        for column in order {
            if ask.order.iter().all(|(known, ..)| *known != column) {
                ask.order.push((column, random.one_in(2), random.one_in(2)));
            }
        }
        ask
    }

    /// The requested columns, whether selected or not.
    pub fn asked(&self) -> &[&'static str] {
        if self.columns.is_empty() { &self.selected } else { &self.columns }
    }

    /// The group keys.
    pub fn keys(&self) -> Vec<&'static str> {
        let mut keys = self.group_by.clone();
        for column in self.asked().iter().filter(|column| PLAIN.contains(column)) {
            if !keys.contains(column) {
                keys.push(column);
            }
        }
        keys
    }

    pub fn text(&self) -> (String, Json) {
        let (name, row) =
            if self.is_grouped { ("item_groupings_v2", "$group_by: [String], ") } else { ("items_v2", "") };
        let group = if self.is_grouped { "group_by: $group_by, " } else { "" };
        let query = format!(
            "query({row}$columns: [String], $how: [QueryColumnTransformationRequest!], $where: ItemWhereRequest, $order: [QuerySortByRequest], $limit: Int, $offset: Int) \
             {{ {name}({group}columns: $columns, column_transformations: $how, where: $where, order_by: $order, limit: $limit, offset: $offset) {{ rows {{ {} }} }} }}",
            self.selected.join(" ")
        );
        let mut how = Vec::new();
        if let Some(unit) = self.unit {
            how.push(json!({ "name": "at", "expr": "date_unit", "args": [unit] }));
        }
        if !self.distinct.is_empty() {
            how.push(json!({ "name": "count", "expr": "distinct", "args": self.distinct }));
        }
        let order: Vec<Json> = self
            .order
            .iter()
            .map(|(column, descending, first)| {
                let (way, nulls) =
                    (if *descending { "desc" } else { "asc" }, if *first { "first" } else { "last" });
                json!({ "column": column, "order": format!("{way}_nulls_{nulls}") })
            })
            .collect();
        let variables = json!({
            "group_by": self.group_by,
            "columns": self.columns,
            "how": how,
            "where": self.condition.to_json(),
            "order": order,
            "limit": self.limit,
            "offset": self.offset,
        });
        (query, variables)
    }
}
