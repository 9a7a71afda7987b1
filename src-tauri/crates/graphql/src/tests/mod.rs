//! Tests of the interface over a small catalogue and a real database: query text in, JSON out.

mod cost;
mod faults;
mod limits;
mod operations;
mod reading;
mod subscribing;
mod values;
mod writing;

use crate::{Engine, Request};
use catalogue::{Caller, Catalogue, Decimal, Role, Source, ValueRef, parse_timestamp};
use std::sync::Arc;
use store::Store;
use uuid::Uuid;

const SCHEMA: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") {
  id: uuid! @key
  name: citext!
}

"A place money is spent in."
type cloud_accounts @table(tenant: "tenant") @unique(name: "cloud_accounts_name_key", columns: ["tenant", "account_name"]) {
  id: uuid! @key @default(call: random_uuid)
  account_name: String!
  data: jsonb
  access_secret: String @secret
  tenant: uuid!
  spends: [spends!]! @many(from: "cloud_account")
  note: account_note @one(by: "id", to: "account")
}

"What is known of one account; at most one row an account."
type account_note @table(through: "accountOfNote") @unique(name: "account_note_label_key", columns: ["account", "label"]) {
  account: uuid! @key @references(table: "cloud_accounts", column: "id")
  label: citext!
  accountOfNote: cloud_accounts! @one(by: "account")
}

"What one thing cost."
type spends @table(tenant: "tenant") {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  cloud_account: uuid! @references(table: "cloud_accounts", column: "id", on_delete: cascade)
  date: timestamp!
  amount: float8! @exact
  effective_cost: numeric
  count: Int
  weight: float8
  unit: String
  service_name: String
  state: state_enum
  tags: jsonb
  cloudAccountByCloudAccount: cloud_accounts! @one(by: "cloud_account")
  remarks: [remark!]! @many(from: "spend_id")
}

"What the service keeps."
type kept @table(tenant: "tenant", write: false) {
  id: uuid! @key
  tenant: uuid!
}

"A remark on a spend; it belongs to the spend's tenant."
type remark @table(through: "spend") {
  id: uuid! @key @default(call: random_uuid)
  spend_id: uuid!
  text: String!
  spend: spends! @one(by: "spend_id")
}

"Somebody."
type users @table(through: "home") {
  id: uuid! @key
  tenant: uuid!
  home: tenant! @one(by: "tenant")
}

"What somebody wrote; with labels, and how far it is."
type memo @table(tenant: "tenant") {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  text: String
  labels: [String!]
  progress: memo_progress @default(value: NEW)
  created_by: uuid! @references(table: "users")
  updated_by: uuid @references(table: "users")
}

"How far a memo is."
enum memo_progress @scalar {
  "Not begun."
  NEW
  "Somebody writes."
  BEGUN
  "It is written."
  DONE
}

"A secret of the house."
type session @table(scope: house, exposed: false) {
  id: uuid! @key
}

"Where it stands."
enum state @lookup(enum: "state_enum") {
  "Nobody has taken it up." Open
  "Done." Closed
}
"#;

const LISTING: &str = r#"
extend type query_root {
  "Spend grouped by chosen columns."
  spend_groupings_v2(columns: [String], column_transformations: [QueryColumnTransformationRequest!], group_by: [String!], where: SpendGroupingsWhereRequest, order_by: [QuerySortByRequest], limit: Int, offset: Int): SpendGroupingsResponse @listing(of: "spends", row: "SpendGroupingsRowResponse", kind: aggregate)
}
type SpendGroupingsRowResponse {
  account_id: String @from(column: "cloud_account") @filter
  spend_date: Datetime @from(column: "date") @filter
  resource_service_name: String @from(column: "service_name") @filter
  currency_type: String @from(column: "unit") @filter
  spend_amount: Float @sum(of: "amount")
  effective_cost: numeric @sum(of: "effective_cost")
  spend_count: Float @count
  account_count: Float @count(distinct: "cloud_account")
  tag: String @from(column: "tags", key: true)
  tags: jsonb @from(column: "tags") @filter(only: true)
}
"#;

const ACME: u128 = 0xA;
const UMBRELLA: u128 = 0xB;

struct TestWorld {
    engine: Engine,
    _folder: tempfile::TempDir,
}

impl TestWorld {
    fn new() -> Self {
        let sources = [
            Source { name: "tables/cost.graphql", text: SCHEMA },
            Source { name: "operations/cost.graphql", text: LISTING },
        ];
        let catalogue = Catalogue::parse(&sources).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.db"), Arc::new(catalogue)).unwrap();
        fill(&store);
        Self { engine: Engine::new(store).unwrap(), _folder: folder }
    }

    fn ask(&self, tenant: u128, query: &str, variables: serde_json::Value) -> String {
        self.ask_as(Role::TenantAdminReadonly, tenant, query, variables)
    }

    fn ask_as(&self, role: Role, tenant: u128, query: &str, variables: serde_json::Value) -> String {
        let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(tenant), vec![role]);
        let variables = variables.as_object().cloned();
        let request =
            Request { query: query.to_owned(), operation_name: None, variables, ..Request::default() };
        let body = self.engine.execute(&caller, &request, |error| panic!("{error:?}"));
        let text = String::from_utf8(body).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).expect("an answer is JSON");
        text
    }
}

fn fill(store: &Store) {
    let uuid = |number| ValueRef::Uuid(Uuid::from_u128(number));
    let money = |text: &str| ValueRef::Decimal(Decimal::parse(text).unwrap());
    store
        .transaction(&Caller::system(), |rows| {
            for (tenant, account, name) in
                [(ACME, 1, "production"), (ACME, 2, "staging"), (UMBRELLA, 3, "lab")]
            {
                rows.upsert("tenant", &["id"], &[("id", uuid(tenant)), ("name", name.into())], &["name"])?;
                rows.insert(
                    "cloud_accounts",
                    &[
                        ("id", uuid(account)),
                        ("account_name", name.into()),
                        ("tenant", uuid(tenant)),
                        ("access_secret", "hush".into()),
                    ],
                )?;
            }
            for (id, tenant, account, date, amount, effective, service, tags) in [
                (
                    11,
                    ACME,
                    1,
                    "2024-09-01T05:00:00",
                    "10.100000000000000001",
                    Some("1"),
                    Some("EC2"),
                    r#"{"team":"core"}"#,
                ),
                (
                    12,
                    ACME,
                    1,
                    "2024-09-02T00:00:00",
                    "0.2",
                    Some("0.25"),
                    Some("S3"),
                    r#"{"team":"web","n":1}"#,
                ),
                (13, ACME, 2, "2024-09-02T23:59:59", "-3", None, Some("EC2"), "{}"),
                (14, ACME, 2, "2024-10-01T00:00:00", "100", Some("80"), None, "{}"),
                (15, UMBRELLA, 3, "2024-09-01T00:00:00", "999", Some("999"), Some("EC2"), "{}"),
            ] {
                rows.insert(
                    "spends",
                    &[
                        ("id", uuid(id)),
                        ("tenant", uuid(tenant)),
                        ("cloud_account", uuid(account)),
                        ("date", ValueRef::Timestamp(parse_timestamp(date).unwrap())),
                        ("amount", money(amount)),
                        ("effective_cost", effective.map_or(ValueRef::Null, money)),
                        ("count", ValueRef::Int(i64::try_from(id).unwrap())),
                        ("weight", ValueRef::Float(0.5)),
                        ("unit", "USD".into()),
                        ("service_name", service.into()),
                        ("state", "Open".into()),
                        ("tags", ValueRef::Json(tags)),
                    ],
                )?;
                rows.insert("remark", &[("id", uuid(id)), ("spend_id", uuid(id)), ("text", "seen".into())])?;
            }
            Ok::<_, store::StoreError>(())
        })
        .unwrap();
}
