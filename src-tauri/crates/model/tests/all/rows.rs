//! Typed reads and writes against a database with the product's catalogue.

use catalogue::{Caller, ValueRef};
use model::tables::{audit_trail, cloud_accounts, spends, users};
use model::{
    CloudAccount, Decimal, Filter, Id, Read, Spend, StoreError, TimeUnit, Timestamp, Transaction, User,
    UserStatusType, Writer, count, row,
};
use store::Store;
use testkit::product::catalogue;
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(0xa);
const ADA: Uuid = Uuid::from_u128(0xb0);
const BEA: Uuid = Uuid::from_u128(0xb1);
const SHOP: Uuid = Uuid::from_u128(0xc0);
const DAY: i64 = 86_400_000_000;

row! {
    #[derive(Debug, PartialEq)]
    struct Person from users { display_name, status }
}

fn store(folder: &tempfile::TempDir) -> Store {
    let store = Store::open(&folder.path().join("rows.db"), catalogue()).unwrap();
    store.transaction(&Caller::system(), fill).unwrap();
    store
}

fn fill(rows: &Transaction<'_>) -> Result<(), StoreError> {
    let tenant = ValueRef::Uuid(TENANT);
    for (id, name) in [(ADA, "Ada"), (BEA, "Bea")] {
        let cells = [("id", id.into()), ("username", name.into()), ("display_name", name.into())];
        rows.insert("users", &cells)?;
    }
    let by = ValueRef::Uuid(ADA);
    rows.insert(
        "tenant",
        &[("id", tenant), ("name", "house".into()), ("created_by", by), ("updated_by", by)],
    )?;
    for id in [ADA, BEA] {
        let cells = [("tenant", tenant), ("user_id", id.into()), ("created_by", by), ("updated_by", by)];
        rows.insert("tenant_users", &cells)?;
    }
    let account = [
        ("id", SHOP.into()),
        ("tenant", tenant),
        ("account_name", "shop".into()),
        ("account_type", "aws".into()),
        ("created_by", by),
        ("updated_by", by),
    ];
    rows.insert("cloud_accounts", &account)?;
    for (day, amount, unit) in
        [(0, "1.10", "EUR"), (0, "2.20", "EUR"), (1, "0.000000000000000001", "EUR"), (1, "5", "USD")]
    {
        let cells = [
            ("tenant", tenant),
            ("cloud_account", SHOP.into()),
            ("date", ValueRef::Timestamp(day * DAY)),
            ("amount", Decimal::parse(amount).unwrap().into()),
            ("unit", unit.into()),
        ];
        rows.insert("spends", &cells)?;
    }
    Ok(())
}

fn read<T>(look: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> T {
    let folder = tempfile::tempdir().unwrap();
    store(&folder).snapshot(&Caller::system_for(TENANT), look).unwrap()
}

#[test]
fn a_row_is_found_by_its_key_with_all_its_columns() {
    let user = read(|rows| rows.find::<User>(ADA)).unwrap();
    assert_eq!((user.id, user.display_name.as_str()), (Id::new(ADA), "Ada"));
    assert_eq!(user.status, UserStatusType::Inactive);
    let account = read(|rows| rows.find::<CloudAccount>(SHOP)).unwrap();
    assert_eq!(account.created_by, user.id);
    assert_eq!(read(|rows| rows.find::<User>(SHOP)), None);
}

#[test]
fn order_limit_and_offset_are_the_databases() {
    let page = |rows: &Transaction<'_>| {
        rows.query::<Person>().order(users::display_name.desc()).limit(1).offset(1).page()
    };
    let page = read(page);
    assert_eq!(page.rows, [Person { display_name: "Ada".to_owned(), status: UserStatusType::Inactive }]);
    assert_eq!(page.total, 2);
}

#[test]
fn filters_are_brought_together() {
    let names = |filter: Filter<User>| {
        let look = |rows: &Transaction<'_>| {
            rows.query::<Person>().filter(filter).order(users::display_name.asc()).rows()
        };
        read(look).into_iter().map(|person| person.display_name).collect::<Vec<_>>()
    };
    let ada = users::id.eq(ADA);
    assert_eq!(names(ada.clone()), ["Ada"]);
    assert_eq!(names(!ada.clone()), ["Bea"]);
    assert_eq!(names(ada.clone().or(users::username.eq("BEA"))), ["Ada", "Bea"]);
    assert_eq!(names(ada.and(users::created_by.is_not_null())), [""; 0]);
    assert_eq!(names(users::id.one_of([BEA])), ["Bea"]);
    assert_eq!(names(users::id.one_of(Vec::<Uuid>::new())), [""; 0]);
    assert_eq!(names(users::created_by.eq_or_null(None::<Uuid>)), ["Ada", "Bea"]);
    assert_eq!(names(Filter::all()), ["Ada", "Bea"]);
    let member = model::tables::tenant_users::user_id.eq(BEA);
    assert_eq!(names(Filter::related::<model::TenantUser>("tenantUsersByUser", member)), ["Bea"]);
}

#[test]
fn groups_have_exact_sums_and_typed_keys() {
    let look = |rows: &Transaction<'_>| {
        let figures = (spends::unit.key(), spends::date.every(TimeUnit::Day), count(), spends::amount.sum());
        rows.query::<Spend>()
            .group(figures)
            .asc(spends::unit.key())
            .asc(spends::date.every(TimeUnit::Day))
            .rows()
    };
    let decimal = |text: &str| Some(Decimal::parse(text).unwrap());
    let (eur, usd) = (Some("EUR".to_owned()), Some("USD".to_owned()));
    assert_eq!(
        read(look),
        [
            (eur.clone(), Timestamp(0), 2, decimal("3.3")),
            (eur, Timestamp(DAY), 1, decimal("0.000000000000000001")),
            (usd, Timestamp(DAY), 1, decimal("5")),
        ]
    );
    let none =
        |rows: &Transaction<'_>| rows.query::<Spend>().filter(spends::unit.eq("CHF")).sum(spends::amount);
    assert_eq!(read(none), Decimal::ZERO);
}

#[test]
fn a_write_needs_an_actor_and_leaves_the_audit_row() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let caller = Caller::system_for(TENANT);
    let rename = |rows: &Transaction<'_>| -> Result<u64, StoreError> {
        let name = [cloud_accounts::account_name.to("store")];
        Writer::new(rows)?.update(cloud_accounts::id.eq(SHOP), name)
    };
    assert!(matches!(store.transaction(&caller, rename), Err(StoreError::NoActor)));
    let by_ada = |rows: &Transaction<'_>| rename(&rows.with_audit_operation("rename", Some(ADA)));
    assert_eq!(store.transaction(&caller, by_ada).unwrap(), 1);
    let trail = store
        .snapshot(&caller, |rows| {
            let rows = rows.query::<model::AuditTrail>().order(audit_trail::created_at.asc()).rows()?;
            Ok::<_, StoreError>(rows)
        })
        .unwrap();
    let [line] = &trail[..] else { panic!("{trail:?}") };
    assert_eq!((line.operation.as_str(), line.user_id), ("rename", Some(Id::new(ADA))));
    assert_eq!(line.after.as_ref().unwrap().value()["account_name"], "store");

    // A derived write adds nothing to the audit trail, and is only possible without an actor.
    let derived = |rows: &Transaction<'_>| {
        Writer::derived(rows)?.update(cloud_accounts::id.eq(SHOP), [cloud_accounts::account_name.to("shop")])
    };
    assert_eq!(store.transaction(&caller, derived).unwrap(), 1);
    let named = |rows: &Transaction<'_>| derived(&rows.with_audit_operation("rename", Some(ADA)));
    assert!(matches!(store.transaction(&caller, named), Err(StoreError::Denied)));
    let lines = store.snapshot(&caller, |rows| rows.query::<model::AuditTrail>().count()).unwrap();
    assert_eq!(lines, 1);
}

#[test]
fn rows_are_added_once_changed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let system = Caller::system();
    let put = |name: &'static str| {
        move |rows: &Transaction<'_>| {
            let rows = rows.with_audit_operation("test", None);
            let cells = [
                users::username.to("cleo"),
                users::display_name.to(name),
                users::status.to(UserStatusType::Active),
            ];
            Writer::new(&rows)?.upsert(&["username"], cells, &["status"])
        }
    };
    store.transaction::<_, StoreError>(&system, put("Cleo")).unwrap();
    store.transaction::<_, StoreError>(&system, put("Cleopatra")).unwrap();
    let found = |rows: &Transaction<'_>| rows.query::<Person>().filter(users::username.eq("cleo")).rows();
    let people = store.snapshot(&system, found).unwrap();
    let cleo = Person { display_name: "Cleopatra".to_owned(), status: UserStatusType::Active };
    assert_eq!(people, [cleo]);
    let remove = |rows: &Transaction<'_>| {
        Writer::new(&rows.with_audit_operation("test", None))?.delete(users::username.eq("cleo"))
    };
    assert_eq!(store.transaction::<_, StoreError>(&system, remove).unwrap(), 1);
    assert!(store.snapshot(&system, found).unwrap().is_empty());
}
