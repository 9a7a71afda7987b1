//! Generates requests: filter, order and page; written with literals or variables.

use super::condition::Condition;
use super::data::{COLUMNS, Row};
use super::random::Random;
use serde_json::{Value as Json, json};

/// One range of rows, requested as a list and as aggregates.
pub struct Ask {
    pub condition: Condition,
    /// Column, descending, nulls first. Ends with the id, which makes the order total.
    pub order: Vec<(usize, bool, bool)>,
    /// The number of leading order columns in `distinct_on`.
    pub distinct: usize,
    pub limit: Option<usize>,
    pub offset: Option<usize>,
}

impl Ask {
    pub fn random(random: &mut Random, rows: &[Row]) -> Self {
        let condition = Condition::random(random, rows.len(), 3);
        let count = random.below(3);
        // JSON has its own sort order, which the store's tests cover.
        let mut order: Vec<(usize, bool, bool)> = Vec::new();
        for _ in 0..count {
            let column = 1 + random.below(COLUMNS.len() - 2);
            if order.iter().all(|(known, ..)| *known != column) {
                order.push((column, random.one_in(2), random.one_in(2)));
            }
        }
        let distinct = if random.one_in(3) { random.below(order.len() + 1) } else { 0 };
        order.push((0, random.one_in(2), false));
        let number = |random: &mut Random| random.one_in(3).then(|| random.below(rows.len() + 2));
        Self { condition, order, distinct, limit: number(random), offset: number(random) }
    }

    /// The query and its variables.
    pub fn text(&self, random: &mut Random) -> (String, Json) {
        let order: Vec<Json> = self
            .order
            .iter()
            .map(|(column, descending, first)| {
                let word = match (descending, first) {
                    (false, false) => random.pick(&["asc", "asc_nulls_last"]),
                    (false, true) => "asc_nulls_first",
                    (true, true) => random.pick(&["desc", "desc_nulls_first"]),
                    (true, false) => "desc_nulls_last",
                };
                json!({ COLUMNS[*column]: word })
            })
            .collect();
        let distinct: Vec<&str> =
            self.order[..self.distinct].iter().map(|(column, ..)| COLUMNS[*column]).collect();
        let given = json!({ "where": self.condition.to_json(), "order_by": order, "distinct_on": distinct, "limit": self.limit, "offset": self.offset });
        let as_variables = random.one_in(2);
        let argument = |(name, value): (&String, &Json)| {
            let value = if as_variables { format!("${name}") } else { literal(value) };
            format!("{name}: {value}")
        };
        let arguments: Vec<String> = given.as_object().unwrap().iter().map(argument).collect();
        let arguments = arguments.join(" ");
        let fields = COLUMNS.join(" ");
        let body = format!(
            "rows: item({arguments}) {{ {fields} parent {{ id }} children(order_by: {{id: asc}}) {{ id }} }} \
             figures: item_aggregate({arguments}) {{ aggregate {{ count named: count(columns: name) names: count(columns: [name], distinct: true) \
             nicks: count(columns: nick, distinct: true) pairs: count(columns: [name, cost], distinct: true) \
             sum {{ amount big price cost }} min {{ name price at }} max {{ big cost day ratio }} }} nodes {{ id }} }}"
        );
        if !as_variables {
            return (format!("{{ {body} }}"), Json::Null);
        }
        let header = "query($where: item_bool_exp, $order_by: [item_order_by!], $distinct_on: [item_select_column!], $limit: Int, $offset: Int)";
        (format!("{header} {{ {body} }}"), given)
    }
}

/// A value in GraphQL notation. Directions and columns are written as strings, which are accepted like names.
pub fn literal(value: &Json) -> String {
    match value {
        Json::Array(members) => {
            let members: Vec<String> = members.iter().map(literal).collect();
            format!("[{}]", members.join(", "))
        }
        Json::Object(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(name, value)| format!("{name}: {}", literal(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
