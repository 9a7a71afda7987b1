//! Generated rows of every table for every owner, and the expected access to them.

use super::{PLACES, TestCaller, covers};
use catalogue::{
    AccountScope, Caller, CallerAccounts, Catalogue, ColumnId, RelationshipKind, Right, Scalar, Scope, Table,
    TableId, TableKind, Value,
};
use graphql::{Engine, Request};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::{Store, StoreError};
use testkit::product::catalogue;
use uuid::Uuid;

pub struct World {
    pub catalogue: Arc<Catalogue>,
    engine: Engine,
    pub store: Store,
    /// By table: the keys of the rows, by owner index.
    pub(super) rows: BTreeMap<String, BTreeMap<usize, Json>>,
    _folder: tempfile::TempDir,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = catalogue();
        let store = Store::open(&folder.path().join("world.db"), catalogue.clone()).unwrap();
        let engine = Engine::new(store.clone()).unwrap();
        let mut world = Self { catalogue, engine, store, rows: BTreeMap::new(), _folder: folder };
        world.rows = world.fill();
        world
    }

    /// A row of every table for every owner, unless a constraint allows only one.
    fn fill(&self) -> BTreeMap<String, BTreeMap<usize, Json>> {
        let mut made = BTreeMap::new();
        let system = Caller::system();
        // A load does not check foreign keys, therefore the order of tables does not matter.
        let load = self.store.load(&system, "spends", 0, |rows| {
            for (id, table) in self.tables() {
                let known: &mut BTreeMap<usize, Json> = made.entry(table.name.clone()).or_default();
                for place in 0..PLACES.len() {
                    let cells = self.row(id, place, false);
                    let named: Vec<_> = cells
                        .iter()
                        .map(|(id, value)| (table.column(*id).name.as_str(), value.borrow()))
                        .collect();
                    match rows.insert(&table.name, &named) {
                        Ok(()) => drop(known.insert(place, self.key(id, place))),
                        Err(StoreError::Unique { .. }) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            Ok(())
        });
        load.unwrap();
        made
    }

    /// Tables that rows can be inserted into. Excludes tables that need bytes, which the row interface does not support.
    pub(super) fn tables(&self) -> impl Iterator<Item = (TableId, &Table)> {
        let needs_bytes = |table: &Table| {
            table.columns.iter().any(|column| column.scalar == Scalar::Bytea && !column.nullable)
        };
        self.catalogue.iter().filter(move |(_, table)| {
            let is_made = matches!(table.kind, TableKind::Table) && table.scope != Scope::Service;
            is_made && (table.root || !needs_bytes(table))
        })
    }

    pub(super) fn row(&self, table: TableId, place: usize, fresh: bool) -> Vec<(ColumnId, Value)> {
        let columns = self.catalogue.table(table).iter_columns();
        columns.filter_map(|(id, _)| Some((id, self.cell(table, id, place, fresh)?))).collect()
    }

    /// The value of a row of this owner; `None` if omitted. `fresh` makes a second row.
    fn cell(&self, table: TableId, id: ColumnId, place: usize, fresh: bool) -> Option<Value> {
        let described = self.catalogue.table(table);
        let column = described.column(id);
        let (tenant, account, namespace) = PLACES[place];
        let uuid = |number| match column.scalar {
            Scalar::Uuid => Value::Uuid(Uuid::from_u128(number)),
            _ => Value::Text(Uuid::from_u128(number).to_string()),
        };
        if described.scope == Scope::Tenant(id) {
            return Some(uuid(tenant));
        }
        if described.own_user_column == Some(id) || described.private_user_column == Some(id) {
            return self.cell(self.catalogue.find("users")?, ColumnId(0), place, false);
        }
        match described.account {
            Some(AccountScope::Column { account: known, .. }) if known == id => return Some(uuid(account)),
            Some(AccountScope::Column { namespace: Some(known), .. }) if known == id => {
                return Some(Value::Text(namespace.to_owned()));
            }
            _ => {}
        }
        if let Scope::Through(way) = described.scope {
            let way = described.relationship(way);
            let pair = way.join.iter().find(|(here, _)| *here == id);
            if let (RelationshipKind::One, Some((_, there))) = (way.kind, pair) {
                return self.cell(way.target, *there, place, false);
            }
        }
        if described.name == "cloud_resource_metrics" && column.name == "metric" {
            return Some(Value::Text("cpuCoreUsageAverage".to_owned()));
        }
        let is_key = described.primary_key.contains(&id);
        if !is_key && (column.nullable || column.default.is_some()) {
            return None;
        }
        if let Some(reference) = &column.references {
            return match &self.catalogue.table(reference.table).kind {
                TableKind::Lookup { values, .. } => Some(Value::Text(values[0].value.clone())),
                _ => self.cell(reference.table, reference.column, place, false),
            };
        }
        let number =
            u128::from(table.0) << 32 | u128::from(id.0) << 16 | (place as u128) << 4 | u128::from(fresh);
        Some(match &column.scalar {
            Scalar::Uuid => Value::Uuid(Uuid::from_u128(0xF << 64 | number)),
            Scalar::String | Scalar::Citext => Value::Text(format!("text {number:x}")),
            Scalar::Enum { name, .. } => Value::Text(self.catalogue.enum_values(name)?[0].value.clone()),
            Scalar::Int | Scalar::Bigint => Value::Int(1),
            Scalar::Float8 | Scalar::Numeric if column.exact => Value::Decimal("1".parse_decimal()),
            Scalar::Float8 | Scalar::Numeric => Value::Float(1.0),
            Scalar::Boolean => Value::Bool(true),
            Scalar::Timestamp | Scalar::Timestamptz => Value::Timestamp(1_700_000_000_000_000),
            Scalar::Date => Value::Date(20_000),
            Scalar::Json | Scalar::Jsonb => Value::Json("{}".to_owned()),
            Scalar::StringList => Value::Json("[]".to_owned()),
            Scalar::Bytea => return None,
        })
    }

    /// The key in the interface's notation.
    fn key(&self, table: TableId, place: usize) -> Json {
        let described = self.catalogue.table(table);
        let cells = described.primary_key.iter().map(|id| {
            let cell = self.cell(table, *id, place, false).unwrap();
            (described.column(*id).name.clone(), plain(&described.column(*id).scalar, &cell))
        });
        Json::Object(cells.collect())
    }

    /// The expected access, computed from the catalogue without the database.
    pub(super) fn meets(&self, who: &TestCaller, right: Right, table: TableId, place: usize) -> bool {
        let described = self.catalogue.table(table);
        let (tenant, account, namespace) = PLACES[place];
        let related = |way| {
            let target = described.relationship(way).target;
            let name = &self.catalogue.table(target).name;
            self.rows[name].values().any(|key| *key == self.key(target, place))
                && self.meets(who, right, target, place)
        };
        let is_tenants = match described.scope {
            Scope::Everyone => right == Right::Read,
            Scope::Service => false,
            Scope::Tenant(_) => tenant == PLACES[0].0,
            Scope::Through(way) => related(way),
        };
        if described.private_user_column.is_some() {
            // Independent of the role. The user belongs to the first owner.
            return is_tenants && place == 0;
        }
        if !is_tenants || who.tenant.is_some_and(|given| covers(given, right)) {
            return is_tenants;
        }
        let is_account_of = |known: u128, given| known == account && covers(given, right);
        let is_part = match described.account {
            Some(AccountScope::None) | None => false,
            Some(AccountScope::All) => right == Right::Read,
            // A role over a namespace may read its account, and nothing else that belongs to the account.
            Some(AccountScope::Through(way)) => {
                let target = self.catalogue.table(described.relationship(way).target);
                let is_account = is_account_itself(target);
                related(way)
                    && (!is_account || who.account.is_some_and(|(known, given)| is_account_of(known, given)))
            }
            Some(AccountScope::Column { .. }) if is_account_itself(described) => {
                who.account.is_some_and(|(known, given)| is_account_of(known, given))
                    || right == Right::Read
                        && who.namespace.is_some_and(|(known, _, given)| is_account_of(known, given))
            }
            Some(AccountScope::Column { namespace: column, .. }) => {
                who.account.is_some_and(|(known, given)| is_account_of(known, given))
                    || column.is_some()
                        && who.namespace.is_some_and(|(known, name, given)| {
                            name == namespace && is_account_of(known, given)
                        })
            }
        };
        // The user belongs to the first owner.
        is_part && (described.own_user_column.is_none() || place == 0)
    }

    pub(super) fn met(&self, who: &TestCaller, right: Right, table: TableId) -> BTreeSet<String> {
        let rows = &self.rows[&self.catalogue.table(table).name];
        let met = rows.iter().filter(|(place, _)| self.meets(who, right, table, **place));
        met.map(|(_, key)| key.to_string()).collect()
    }

    pub fn caller(&self, who: &TestCaller) -> Caller {
        let places = |right| CallerAccounts {
            accounts: who
                .account
                .iter()
                .filter(|known| known.1 == right)
                .map(|known| Uuid::from_u128(known.0))
                .collect(),
            namespaces: who
                .namespace
                .iter()
                .filter(|known| known.2 == right)
                .map(|known| (Uuid::from_u128(known.0), known.1.to_owned()))
                .collect(),
        };
        let users = self.catalogue.find("users").unwrap();
        let Some(Value::Uuid(user)) = self.cell(users, ColumnId(0), 0, false) else {
            panic!("users have ids")
        };
        Caller::user(user, Uuid::from_u128(PLACES[0].0), who.roles.clone())
            .with_accounts(places(Right::Read), places(Right::Write))
    }

    pub(super) fn ask(&self, who: &TestCaller, query: &str, variables: &Json) -> Json {
        self.ask_as(&self.caller(who), query, variables)
    }

    pub(super) fn ask_as(&self, caller: &Caller, query: &str, variables: &Json) -> Json {
        let request = Request {
            query: query.to_owned(),
            operation_name: None,
            variables: variables.as_object().cloned(),
            ..Request::default()
        };
        let body = self.engine.execute(caller, &request, |error| panic!("{query}: {error:?}"));
        serde_json::from_slice(&body).unwrap()
    }

    /// The row counts of all tables except the audit trail, counted by the service itself.
    pub(super) fn count(&self) -> BTreeMap<String, u64> {
        let system = Caller::system();
        let count = |name: &str| self.store.snapshot(&system, |rows| rows.count(name, &[])).unwrap();
        let is_trail = |id| self.catalogue.trail.is_some_and(|trail| trail.table == id);
        let tables = self.tables().filter(|(id, _)| !is_trail(*id));
        tables.map(|(_, table)| (table.name.clone(), count(&table.name))).collect()
    }
}

trait ParseDecimal {
    fn parse_decimal(&self) -> catalogue::Decimal;
}

impl ParseDecimal for str {
    fn parse_decimal(&self) -> catalogue::Decimal {
        catalogue::Decimal::parse(self).unwrap()
    }
}

pub(super) fn plain(scalar: &Scalar, value: &Value) -> Json {
    match value {
        Value::Uuid(id) => json!(id.to_string()),
        Value::Text(text) | Value::Json(text) => json!(text),
        Value::Int(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        Value::Float(number) => json!(number),
        Value::Decimal(number) => json!(number.to_string().parse::<f64>().unwrap()),
        Value::Timestamp(micros) if *scalar == Scalar::Timestamptz => {
            json!(catalogue::format_timestamptz(*micros))
        }
        Value::Timestamp(micros) => json!(catalogue::format_timestamp(*micros)),
        Value::Date(days) => json!(catalogue::format_date(*days)),
        Value::Null => Json::Null,
    }
}

pub(super) fn keys(table: &Table) -> String {
    table.primary_key.iter().map(|id| table.column(*id).name.as_str()).collect::<Vec<_>>().join(" ")
}

pub(super) fn labels(rows: &Json) -> BTreeSet<String> {
    rows.as_array().unwrap_or_else(|| panic!("{rows}")).iter().map(Json::to_string).collect()
}

/// `(a: "x", b: 1)`
pub(super) fn arguments(key: &Json) -> String {
    let pairs: Vec<String> =
        key.as_object().unwrap().iter().map(|(name, value)| format!("{name}: {value}")).collect();
    pairs.join(", ")
}

/// Whether rows of the table are accounts.
fn is_account_itself(table: &Table) -> bool {
    matches!(table.account, Some(AccountScope::Column { account, namespace: Some(namespace) }) if account == namespace)
}
