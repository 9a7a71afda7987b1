//! A small test world over the product's catalogue: two tenants with the same names.

use catalogue::{Caller, Decimal, Role, ValueRef, parse_timestamp};
use graphql::{Engine, Request};
use store::{Store, StoreError, Transaction};
use testkit::product::catalogue;
use uuid::Uuid;

const TENANT: u128 = 0xA;

/// Two tenants; [`TestWorld::ask`] sends requests as the first.
pub struct TestWorld {
    engine: Engine,
    _folder: tempfile::TempDir,
}

impl TestWorld {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("house.db"), catalogue()).unwrap();
        store
            .transaction(&Caller::system(), |rows| {
                fill(rows, TENANT)?;
                fill(rows, TENANT + 1)
            })
            .unwrap();
        Self { engine: Engine::new(store).unwrap(), _folder: folder }
    }

    /// The response as text.
    pub fn ask(&self, query: &str, variables: &serde_json::Value) -> String {
        let caller = Caller::user(Uuid::from_u128(0xA0), Uuid::from_u128(TENANT), vec![Role::TenantAdmin]);
        let request = Request {
            query: query.to_owned(),
            operation_name: None,
            variables: variables.as_object().cloned(),
            ..Request::default()
        };
        let body = self.engine.execute(&caller, &request, |error| panic!("{error:?}"));
        String::from_utf8(body).unwrap()
    }
}

/// The rows of one tenant. Ids are the tenant's number and two hexadecimal digits: 0 is the user, 1 and 2 the accounts, …
fn fill(rows: &Transaction<'_>, tenant: u128) -> Result<(), StoreError> {
    let id = |place: u128| ValueRef::Uuid(Uuid::from_u128(tenant * 16 + place));
    // Resources of the first tenant are c1 and c2, of the second d1 and d2.
    let resource = |place: u128| ValueRef::Uuid(Uuid::from_u128((tenant + 2) * 16 + place));
    let (own, person) = (ValueRef::Uuid(Uuid::from_u128(tenant)), id(0));
    let money = |text: &str| ValueRef::Decimal(Decimal::parse(text).unwrap());
    let time = |text: &str| ValueRef::Timestamp(parse_timestamp(text).unwrap());
    let name = format!("user{tenant}@example.com");
    rows.insert(
        "users",
        &[
            ("id", person),
            ("username", name.as_str().into()),
            ("display_name", "Ada".into()),
            ("status", "active".into()),
        ],
    )?;
    rows.insert(
        "tenant",
        &[("id", own), ("name", "house".into()), ("created_by", person), ("updated_by", person)],
    )?;
    rows.insert(
        "tenant_users",
        &[
            ("id", id(9)),
            ("tenant", own),
            ("user_id", person),
            ("created_by", person),
            ("updated_by", person),
        ],
    )?;
    let entity = Uuid::from_u128(tenant).to_string();
    rows.insert(
        "user_roles",
        &[
            ("id", id(8)),
            ("tenant_id", own),
            ("user_id", person),
            ("role", "tenant_admin".into()),
            ("entity_type", "tenant".into()),
            ("entity_id", entity.as_str().into()),
            ("created_by", person),
        ],
    )?;
    for (place, name, budget, data) in [
        (1, "production", Some("1000.5"), Some(r#"{"a":{"b":[1,2]},"arr":["x"],"objs":[{"k":"v"}]}"#)),
        (2, "staging", None, None),
    ] {
        rows.insert(
            "cloud_accounts",
            &[
                ("id", id(place)),
                ("tenant", own),
                ("account_name", name.into()),
                ("account_type", "account".into()),
                ("cloud_provider", "AWS".into()),
                ("access_secret", "hush".into()),
                ("budget", budget.map_or(ValueRef::Null, money)),
                ("data", data.map_or(ValueRef::Null, ValueRef::Json)),
                ("created_at", time("2024-01-01T00:00:00")),
                ("created_by", person),
                ("updated_by", person),
            ],
        )?;
    }
    rows.insert(
        "cloud_resourses",
        &[
            ("id", resource(1)),
            ("tenant", own),
            ("account", id(1)),
            ("cloud_provider", "AWS".into()),
            ("external_resource_id", "i-1".into()),
            ("name", "web-1".into()),
            ("region", "eu-central-1".into()),
            ("service_name", "AmazonEC2".into()),
        ],
    )?;
    for (place, account, date, amount, service, linked) in [
        (3, 1, "2024-09-01T05:00:00", "10.100000000000000001", Some("AmazonEC2"), true),
        (4, 1, "2024-09-30T23:59:59", "0.2", Some("AmazonS3"), false),
        (5, 2, "2024-10-01T00:00:00", "-3", None, false),
    ] {
        rows.insert(
            "spends",
            &[
                ("id", id(place)),
                ("tenant", own),
                ("cloud_account", id(account)),
                ("cloud_resource_id", if linked { resource(1) } else { ValueRef::Null }),
                ("date", time(date)),
                ("amount", money(amount)),
                ("service_name", service.into()),
            ],
        )?;
    }
    rows.insert(
        "recommendation",
        &[
            ("id", id(6)),
            ("tenant_id", own),
            ("cloud_account_id", id(1)),
            ("resource_id", resource(1)),
            ("recommendation", ValueRef::Json(r#"{"to":"t3.small"}"#)),
            ("recommendation_action", "Modify".into()),
            ("rule_name", "ec2_rightsizing".into()),
            ("estimated_savings", money("47.58")),
        ],
    )?;
    rows.insert(
        "events",
        &[
            ("id", id(7)),
            ("tenant", own),
            ("cloud_account_id", id(1)),
            ("aggregation_key", "pod-crash".into()),
            ("cluster", "production".into()),
            ("evidences", ValueRef::Json("[]")),
            ("finding_id", "f-1".into()),
            ("finding_type", "issue".into()),
            ("priority", "HIGH".into()),
            ("severity", "HIGH".into()),
            ("subject_name", "web".into()),
            ("title", "A pod crashes \u{1f4a5}".into()),
            ("created_at", time("2024-09-02T10:00:00")),
        ],
    )?;
    rows.insert(
        "k8s_workloads",
        &[
            ("tenant_id", own),
            ("cloud_account_id", id(1)),
            ("cloud_resource_id", resource(1)),
            ("id", id(10)),
            ("external_id", "w-1".into()),
            ("is_active", ValueRef::Bool(true)),
            ("kind", "Deployment".into()),
            ("workload_type", "Deployment".into()),
            ("labels", ValueRef::Json("{}")),
            ("meta", ValueRef::Json("{}")),
            ("last_seen", time("2024-09-02T10:00:00")),
            ("name", "web".into()),
            ("namespace", "shop".into()),
            ("ready_pods", ValueRef::Int(2)),
            ("total_pods", ValueRef::Int(3)),
            ("replicas", ValueRef::Int(3)),
            ("cpu_request", ValueRef::Float(0.25)),
            ("memory_limit", ValueRef::Float(536_870_912.0)),
        ],
    )?;
    let account = Uuid::from_u128(tenant * 16 + 1).to_string();
    rows.insert(
        "k8s_namespaces",
        &[
            ("tenant_id", entity.as_str().into()),
            ("cloud_account_id", account.as_str().into()),
            ("name", "shop".into()),
            ("is_active", ValueRef::Bool(true)),
            ("pod_count", ValueRef::Int(3)),
        ],
    )?;
    rows.insert(
        "active_resources",
        &[
            ("tenant_id", own),
            ("cloud_account_id", id(1)),
            ("external_resource_id", "i-1".into()),
            ("resource_type", "instance".into()),
            ("resourse_id", "web-1".into()),
        ],
    )?;
    rows.insert(
        "auto_pilot",
        &[
            ("id", id(11)),
            ("tenant_id", own),
            ("account_id", id(1)),
            ("category", "VerticalRightSizing".into()),
            ("name", "nightly".into()),
            ("description", "sizes down at night".into()),
            ("trigger_type", "schedule".into()),
            ("rule", ValueRef::Json("{}")),
            ("created_at", time("2024-09-02T10:00:00")),
            ("created_by", person),
        ],
    )?;
    rows.insert(
        "auto_pilot_approval_policy",
        &[
            ("id", id(12)),
            ("tenant_id", own),
            ("account_id", id(1)),
            ("approval_type", "manual".into()),
            ("status", "active".into()),
            ("created_by", person),
        ],
    )
}
