//! Limits on the requests of one caller.

use super::origin::{Origin, whole};
use super::{Definition, SettingsError};
use std::time::Duration;

/// The definition of a limit: a whole number from 1.
const fn limit(
    name: &'static str,
    environment: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Definition {
    Definition { name, environment, default: Some(default), meaning, is_secret: false }
}

pub const MAX_BODY_BYTES: Definition = limit(
    "max_body_bytes",
    "QUARTERDECK_MAX_BODY_BYTES",
    "16777216",
    "Maximum size of a request body, in bytes; the default fits a document of 10 MB in base64. Does not apply to uploaded files",
);
pub const MAX_QUERY_BYTES: Definition = limit(
    "max_query_bytes",
    "QUARTERDECK_MAX_QUERY_BYTES",
    "262144",
    "Maximum length of a GraphQL query without variables, in bytes",
);
pub const MAX_WORDS: Definition = limit(
    "max_words",
    "QUARTERDECK_MAX_WORDS",
    "30000",
    "Maximum number of tokens of a GraphQL query without variables",
);
pub const MAX_DEPTH: Definition = limit(
    "max_depth",
    "QUARTERDECK_MAX_DEPTH",
    "20",
    "Maximum nesting depth of selections in a GraphQL query",
);
pub const MAX_FIELDS: Definition = limit(
    "max_fields",
    "QUARTERDECK_MAX_FIELDS",
    "1500",
    "Maximum number of fields and aliases of a GraphQL query, with fragments expanded",
);
pub const MAX_CONDITIONS: Definition = limit(
    "max_conditions",
    "QUARTERDECK_MAX_CONDITIONS",
    "2000",
    "Maximum number of entries in all `where` and `order_by` of a GraphQL query",
);
pub const MAX_CONDITION_DEPTH: Definition = limit(
    "max_condition_depth",
    "QUARTERDECK_MAX_CONDITION_DEPTH",
    "20",
    "Maximum nesting depth of conditions in one `where`",
);
pub const MAX_TABLES: Definition = limit(
    "max_tables",
    "QUARTERDECK_MAX_TABLES",
    "200",
    "Maximum number of table accesses of a GraphQL query: root fields, lists, aggregates and relationships, in selections, conditions and orders",
);
pub const MAX_RELATIONSHIP_DEPTH: Definition = limit(
    "max_relationship_depth",
    "QUARTERDECK_MAX_RELATIONSHIP_DEPTH",
    "5",
    "Maximum nesting depth of relationships in one `where` or `order_by`",
);
pub const MAX_VALUES: Definition = limit(
    "max_values",
    "QUARTERDECK_MAX_VALUES",
    "100000",
    "Maximum number of values in the body of a GraphQL request, and in all arguments of its query after variables are inserted; 64 bytes of text \
     count as one value, an object in the body as three",
);
pub const MAX_ROWS: Definition = limit(
    "max_rows",
    "QUARTERDECK_MAX_ROWS",
    "100000",
    "Maximum number of rows in one response, including nested lists",
);
pub const MAX_ANSWER_BYTES: Definition = limit(
    "max_answer_bytes",
    "QUARTERDECK_MAX_ANSWER_BYTES",
    "134217728",
    "Maximum size of one response, in bytes",
);
pub const MAX_SECONDS: Definition = limit(
    "max_seconds",
    "QUARTERDECK_MAX_SECONDS",
    "30",
    "Seconds after which the database work for one GraphQL request is stopped",
);
pub const MAX_PASSES: Definition = limit(
    "max_passes",
    "QUARTERDECK_MAX_PASSES",
    "20",
    "Maximum number of full table scans of one GraphQL request, estimated from table sizes before it runs",
);
pub const MAX_RELATED_ROWS: Definition = limit(
    "max_related_rows",
    "QUARTERDECK_MAX_RELATED_ROWS",
    "100000",
    "Maximum number of rows that conditions and orders of one GraphQL request may read in related tables, estimated before it runs; two full \
     scans of each table are free",
);
pub const MAX_CONCURRENT: Definition = limit(
    "max_concurrent",
    "QUARTERDECK_MAX_CONCURRENT",
    "8",
    "Maximum number of concurrent GraphQL requests of one user; further requests wait up to two seconds",
);
pub const MAX_SUBSCRIPTIONS: Definition = limit(
    "max_subscriptions",
    "QUARTERDECK_MAX_SUBSCRIPTIONS",
    "50",
    "Maximum number of concurrent subscriptions on one WebSocket connection",
);
pub const MAX_CONNECTIONS: Definition = limit(
    "max_connections",
    "QUARTERDECK_MAX_CONNECTIONS",
    "32",
    "Maximum number of open WebSocket connections and pages of one user",
);

/// In display order.
pub(super) const ALL: &[&Definition] = &[
    &MAX_BODY_BYTES,
    &MAX_QUERY_BYTES,
    &MAX_WORDS,
    &MAX_DEPTH,
    &MAX_FIELDS,
    &MAX_CONDITIONS,
    &MAX_CONDITION_DEPTH,
    &MAX_TABLES,
    &MAX_RELATIONSHIP_DEPTH,
    &MAX_VALUES,
    &MAX_ROWS,
    &MAX_ANSWER_BYTES,
    &MAX_SECONDS,
    &MAX_PASSES,
    &MAX_RELATED_ROWS,
    &MAX_CONCURRENT,
    &MAX_SUBSCRIPTIONS,
    &MAX_CONNECTIONS,
];

/// Limits on the requests of one caller.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub body_bytes: usize,
    /// Concurrent GraphQL requests of one user.
    pub concurrent: usize,
    /// Subscriptions of one connection.
    pub subscriptions: usize,
    /// Concurrent WebSocket connections and open pages of one user.
    pub connections: usize,
    /// Limits on the content of a GraphQL request.
    pub request: graphql::Limits,
    /// Limits on its use of the database.
    pub answer: store::Bounds,
}

impl Limits {
    pub(super) fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let size = |definition, most| whole(&of(definition), most);
        let any = usize::MAX;
        Ok(Self {
            body_bytes: size(&MAX_BODY_BYTES, any)?,
            concurrent: size(&MAX_CONCURRENT, 10_000)?,
            subscriptions: size(&MAX_SUBSCRIPTIONS, any)?,
            connections: size(&MAX_CONNECTIONS, 10_000)?,
            request: graphql::Limits {
                query_bytes: size(&MAX_QUERY_BYTES, any)?,
                words: size(&MAX_WORDS, any)?,
                // Parsing recurses, and uses stack for each level of nesting.
                depth: size(&MAX_DEPTH, 60)?,
                // SQLite returns at most 2,000 columns.
                fields: size(&MAX_FIELDS, 1_900)?,
                conditions: size(&MAX_CONDITIONS, any)?,
                condition_depth: size(&MAX_CONDITION_DEPTH, 60)?,
                tables: size(&MAX_TABLES, any)?,
                relationship_depth: size(&MAX_RELATIONSHIP_DEPTH, 60)?,
                values: size(&MAX_VALUES, any)?,
                rows: size(&MAX_ROWS, any)? as u64,
            },
            answer: store::Bounds {
                rows: size(&MAX_ROWS, any)? as u64,
                bytes: size(&MAX_ANSWER_BYTES, any)?,
                time: Duration::from_secs(size(&MAX_SECONDS, 86_400)? as u64),
                passes: size(&MAX_PASSES, any)? as u64,
                related_rows: size(&MAX_RELATED_ROWS, any)? as u64,
            },
        })
    }
}
