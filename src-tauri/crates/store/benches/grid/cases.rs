//! The cases of each table, as queries of the store and as SQL.

use super::TENANT;
use super::rows::{Made, value_of};
use super::spelling::Spelling;
use catalogue::{Catalogue, Column, RelationshipKind, Scalar, Scope, Table, TableId, TableKind, Value};
use store::Query;
use store::query::{
    AggregatePart, AggregateSelect, Direction, Field, FieldKind, Figure, FigureKind, Filter, Operator, Order,
    OrderBy, QueryKind, Range, Rows, Select, Subject, Test,
};

/// A table that is listed on pages or has many rows.
pub struct Listed {
    pub name: &'static str,
    /// The usual filter columns of its lists.
    pub filters: &'static [&'static str],
    /// Times and amounts its lists are ordered by.
    pub orders: &'static [&'static str],
}

const fn listed(
    name: &'static str,
    filters: &'static [&'static str],
    orders: &'static [&'static str],
) -> Listed {
    Listed { name, filters, orders }
}

pub const TABLES: &[Listed] = &[
    listed(
        "events",
        &["priority", "status", "subject_namespace", "cloud_account_id"],
        &["starts_at", "created_at"],
    ),
    listed(
        "recommendation",
        &["cloud_account_id", "status", "severity", "category"],
        &["created_at", "estimated_savings"],
    ),
    listed("spends", &["service_name", "region", "cloud_account", "charge_category"], &["date", "amount"]),
    listed("cloud_resourses", &["account", "service_name", "region", "status"], &["last_seen", "created_at"]),
    listed("cloud_resource_metrics", &["cloud_account_id", "metric", "metric_type"], &["timestamp"]),
    listed("logs", &["account_id", "severity"], &["timestamp"]),
    listed("anomaly", &["account_id", "anomaly_type", "state"], &["evaluated_at", "impact"]),
    listed("audit_trail", &["table_name", "change", "user_id"], &["created_at"]),
    listed("k8s_pods", &["cloud_account_id", "namespace", "status"], &["creation_time", "last_seen"]),
    listed("k8s_workloads", &["cloud_account_id", "namespace", "kind"], &["creation_time", "last_seen"]),
    listed("k8s_nodes", &["cloud_account_id", "node_type", "node_region"], &["node_creation_time", "cost"]),
    listed("insight", &["account_id", "severity", "status"], &["updated_at"]),
    listed("imports", &["state", "format"], &["created_at", "period_start"]),
    listed("agent_task", &["cloud_account_id", "status", "source"], &["created_at"]),
    listed("user_history", &["module", "status", "account_id"], &["created_at"]),
    listed("dw_queries", &["account_id", "query_status", "query_type"], &["query_started_at", "bill"]),
    listed("auto_pilot_task", &["account_id", "status"], &["scheduled_time"]),
    listed("event_duplicates", &["cloud_account_id"], &["created_at", "absolute_first_seen_at"]),
    listed("billing_usage_cost", &["account_id", "service_name"], &["billing_date", "total_cost"]),
    listed("knowledge_graph_node", &["cloud_account_id", "node_type", "level"], &["updated_at"]),
];

const PAGE: u64 = 50;
const PAGES: [u64; 3] = [1, 20, 200];
/// Number of columns of a list.
const SHOWN: usize = 8;

/// One cell of the heat map.
pub struct Case {
    pub row: String,
    pub column: String,
    pub query: Query,
    /// The same query as hand-written SQL; `{hint}` marks where an index can be named.
    pub sql: String,
}

/// All cases of a table, row by row.
pub fn of(catalogue: &Catalogue, listed: &Listed, spelling: Spelling) -> Vec<Case> {
    let id = catalogue.find(listed.name).expect("it was filled");
    let table = Asked { catalogue, listed, id, table: catalogue.table(id), spelling };
    let mut cases = Vec::new();
    for filters in table.pairs() {
        table.cases(&filters, &mut cases);
    }
    cases
}

struct Asked<'a> {
    catalogue: &'a Catalogue,
    listed: &'a Listed,
    id: TableId,
    table: &'a Table,
    spelling: Spelling,
}

impl<'a> Asked<'a> {
    /// No filter, and each pair of filters (each alone if there is only one).
    fn pairs(&self) -> Vec<Vec<&'a Column>> {
        let column = |name: &&str| self.table.column(self.table.find_column(name).expect("it was filled"));
        let columns: Vec<&Column> = self.listed.filters.iter().map(column).collect();
        let mut pairs = vec![Vec::new()];
        if let [single] = columns[..] {
            pairs.push(vec![single]);
        }
        for (place, first) in columns.iter().enumerate() {
            pairs.extend(columns[place + 1..].iter().map(|second| vec![*first, *second]));
        }
        pairs
    }

    fn cases(&self, filters: &[&Column], cases: &mut Vec<Case>) {
        let names: Vec<&str> = filters.iter().map(|column| column.name.as_str()).collect();
        let row = if names.is_empty() { "all".to_owned() } else { names.join(" + ") };
        let mut tests = Vec::new();
        let mut conditions = vec![self.tenant()];
        for column in filters {
            let made = value_of(self.catalogue, self.listed, column, 3);
            conditions.push(format!("t.\"{}\" = {}", column.name, self.spelling.literal(&made)));
            let id = self.table.find_column(&column.name).expect("it is its own");
            let test = Test::Compare(Operator::Equal, value(made));
            tests.push(Filter::Test { subject: Subject::Column(id), test });
        }
        let filter = (!tests.is_empty()).then_some(Filter::And(tests));
        let conditions = conditions.join(" AND ");
        let mut case = |column: String, query: QueryKind, sql: String| {
            let query = Query { name: "rows".to_owned(), kind: query };
            cases.push(Case { row: row.clone(), column, query, sql });
        };
        let from = format!("FROM \"{}\" t {{hint}} WHERE {conditions}", self.listed.name);
        for order in self.listed.orders {
            for (arrow, is_descending) in [("↓", true), ("↑", false)] {
                for page in PAGES {
                    let range = self.range(order, is_descending, page, filter.clone());
                    let sql = format!("SELECT {} {from} {}", self.cells(), by(order, is_descending, page));
                    let query = QueryKind::List(Select { table: self.id, fields: self.fields(), range });
                    case(format!("{}{arrow}{page}", short(order)), query, sql);
                }
            }
        }
        let count =
            Figure { name: "count".to_owned(), kind: FigureKind::Count { columns: vec![], distinct: false } };
        let parts = vec![AggregatePart::Figures { name: "aggregate".to_owned(), figures: vec![count] }];
        let range = Range { filter: filter.clone(), ..Range::default() };
        let query = QueryKind::Aggregate(AggregateSelect { table: self.id, parts: parts.clone(), range });
        case("count".to_owned(), query, format!("SELECT count(*) {from}"));
        let order = self.listed.orders[0];
        if let Some((field, cells, join)) = self.related() {
            let mut fields = self.fields();
            fields.push(field);
            let range = self.range(order, true, 20, filter.clone());
            let page = by(order, true, 20);
            let sql =
                format!("SELECT {}, {cells} FROM (SELECT * {from} {page}) t LEFT JOIN {join}", self.cells());
            case("+object".to_owned(), QueryKind::List(Select { table: self.id, fields, range }), sql);
        }
        if let Some((relationship, counted)) = self.counted() {
            let mut fields = self.fields();
            let kind = FieldKind::Aggregate { relationship, parts, range: Range::default() };
            fields.push(Field { name: "counted".to_owned(), kind });
            let range = self.range(order, true, 1, filter);
            let sql = format!("SELECT {}, {counted} {from} {}", self.cells(), by(order, true, 1));
            case("+figure".to_owned(), QueryKind::List(Select { table: self.id, fields, range }), sql);
        }
    }

    fn tenant(&self) -> String {
        let Scope::Tenant(column) = self.table.scope else { panic!("{} has no tenant", self.listed.name) };
        let column = self.table.column(column);
        match column.scalar {
            Scalar::Uuid => format!("t.\"{}\" = {}", column.name, self.spelling.id(TENANT)),
            _ => format!("t.\"{}\" = '{TENANT}'", column.name),
        }
    }

    fn shown(&self) -> impl Iterator<Item = &'a Column> {
        let is_plain = |column: &&Column| {
            !matches!(column.scalar, Scalar::Json | Scalar::Jsonb | Scalar::StringList | Scalar::Bytea)
                && !column.secret
        };
        self.table.columns.iter().filter(is_plain).take(SHOWN)
    }

    fn fields(&self) -> Vec<Field> {
        let field = |column: &Column| {
            let id = self.table.find_column(&column.name).expect("it is its own");
            Field { name: column.name.clone(), kind: FieldKind::Column { column: id, path: None } }
        };
        self.shown().map(field).collect()
    }

    fn cells(&self) -> String {
        self.shown().map(|column| format!("t.\"{}\"", column.name)).collect::<Vec<_>>().join(", ")
    }

    fn range(&self, order: &str, is_descending: bool, page: u64, filter: Option<Filter>) -> Range {
        // As the pages do: nulls last.
        let direction = if is_descending {
            Direction::Descending { nulls_first: false }
        } else {
            Direction::Ascending { nulls_first: false }
        };
        let column = self.table.find_column(order).expect("it was filled");
        let offset = (page > 1).then_some(Rows::Known((page - 1) * PAGE));
        Range {
            filter,
            order: vec![Order { path: Vec::new(), by: OrderBy::Column(column), direction }],
            limit: Some(Rows::Known(PAGE)),
            offset,
            ..Range::default()
        }
    }

    /// A related row: the field, its cells, and the join.
    fn related(&self) -> Option<(Field, String, String)> {
        let (place, relationship) =
            self.table.relationships.iter().enumerate().find(|(_, relationship)| {
                let target = self.catalogue.table(relationship.target);
                relationship.kind == RelationshipKind::One
                    && matches!(target.kind, TableKind::Table)
                    && matches!(target.scope, Scope::Tenant(_))
                    && target.name != "tenant"
            })?;
        let target = self.catalogue.table(relationship.target);
        let Scope::Tenant(tenant) = target.scope else { return None };
        let names: Vec<&Column> = target.columns.iter().filter(|column| !column.secret).take(3).collect();
        let fields = names
            .iter()
            .map(|column| {
                let id = target.find_column(&column.name).expect("it is its own");
                Field { name: column.name.clone(), kind: FieldKind::Column { column: id, path: None } }
            })
            .collect();
        let relationship_id = catalogue::RelationshipId(u16::try_from(place).expect("few"));
        let field = Field {
            name: "related".to_owned(),
            kind: FieldKind::One { relationship: relationship_id, fields },
        };
        let cells: Vec<String> = names.iter().map(|column| format!("o.\"{}\"", column.name)).collect();
        let on: Vec<String> = relationship
            .join
            .iter()
            .map(|(here, there)| {
                format!("o.\"{}\" = t.\"{}\"", target.column(*there).name, self.table.column(*here).name)
            })
            .collect();
        let tenant = &target.column(tenant).name;
        let join = format!(
            "\"{}\" o ON {} AND o.\"{tenant}\" = {}",
            target.name,
            on.join(" AND "),
            self.spelling.id(TENANT)
        );
        Some((field, cells.join(", "), join))
    }

    /// A count of the rows that refer to it, if an index finds them.
    fn counted(&self) -> Option<(catalogue::RelationshipId, String)> {
        let (place, relationship) = self.table.relationships.iter().enumerate().find(|(_, relationship)| {
            let target = self.catalogue.table(relationship.target);
            let [(_, there)] = relationship.join[..] else { return false };
            relationship.kind == RelationshipKind::Many
                && matches!(target.scope, Scope::Tenant(column) if target.column(column).scalar == Scalar::Uuid)
                && target.indices.iter().any(|index| index.columns.first() == Some(&there))
        })?;
        let target = self.catalogue.table(relationship.target);
        let (Scope::Tenant(tenant), [(here, there)]) = (&target.scope, &relationship.join[..]) else {
            return None;
        };
        let sql = format!(
            "(SELECT count(*) FROM \"{}\" o WHERE o.\"{}\" = t.\"{}\" AND {}o.\"{}\" = {})",
            target.name,
            target.column(*there).name,
            self.table.column(*here).name,
            self.spelling.unindexed(),
            target.column(*tenant).name,
            self.spelling.id(TENANT)
        );
        Some((catalogue::RelationshipId(u16::try_from(place).expect("few")), sql))
    }
}

fn by(order: &str, is_descending: bool, page: u64) -> String {
    let direction = if is_descending { "DESC NULLS LAST" } else { "ASC NULLS LAST" };
    format!("ORDER BY t.\"{order}\" {direction} LIMIT {PAGE} OFFSET {}", (page - 1) * PAGE)
}

/// The first letters of each word.
fn short(order: &str) -> String {
    let mut words = order.split('_').map(|word| word.chars().take(4).collect::<String>());
    words.next_back().unwrap_or_default()
}

fn value(made: Made) -> Value {
    match made {
        Made::Null => Value::Null,
        Made::Text(text) => Value::Text(text),
        Made::Json(text) => Value::Json(text),
        Made::Uuid(id) => Value::Uuid(id),
        Made::Time(at) => Value::Timestamp(at),
        Made::Date(at) => Value::Date(at),
        Made::Number(number) => Value::Int(number),
        Made::Float(number) => Value::Float(number),
        Made::Decimal(number) => Value::Decimal(number),
        Made::Bool(truth) => Value::Bool(truth),
    }
}
