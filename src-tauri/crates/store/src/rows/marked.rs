//! Caches results computed from rows of tables with change marks, as long as the marks do not change.

use super::{Transaction, column};
use crate::StoreError;
use crate::access::PlanScope;
use crate::driver::sqlite::store_error;
use crate::marks::mark_of;
use catalogue::{Reach, Value};
use std::any::Any;
use std::sync::Arc;
use uuid::Uuid;

/// Reads rows of tables with change marks. Only keys, which never change, and marked columns can be read.
pub struct MarkedRows<'t, 'a> {
    rows: &'t Transaction<'a>,
    tables: &'t [&'t str],
}

impl MarkedRows<'_, '_> {
    /// Passes all rows of one of the tables to `take`, one by one, in no particular order.
    pub fn for_each<E: From<StoreError>>(
        &self,
        table: &str,
        columns: &[&str],
        take: impl FnMut(Vec<Value>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (_, described) = self.rows.table(table)?;
        if !self.tables.contains(&table) {
            return Err(StoreError::UnknownTable(table.to_owned()).into());
        }
        for name in columns {
            let mut lasting = described.marked.iter().chain(&described.primary_key);
            let mut is_marked = |column: &str| lasting.any(|id| described.column(*id).name == column);
            let name = &column(described, name)?.name;
            if !is_marked(name) {
                let (table, column) = (table.to_owned(), name.clone());
                return Err(StoreError::UnknownColumn { table, column }.into());
            }
        }
        self.rows.for_each(table, columns, &[], take)
    }
}

impl Transaction<'_> {
    /// The result of `make` for the caller's rows of these tables. It is cached, shared by all callers who read the whole tenant, and
    /// recomputed after a marked column of one of the tables changes. There is one cached result per type, tables and tenant.
    pub fn cached_by_marks<T: Any + Send + Sync, E: From<StoreError>>(
        &self,
        tables: &[&str],
        make: impl FnOnce(&MarkedRows<'_, '_>) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let marked = MarkedRows { rows: self, tables };
        let (Some(marks), Some(tenant)) = (self.marks, self.sharing()) else {
            return make(&marked).map(Arc::new);
        };
        let now = self.marks_of(tables)?;
        let of = tables.join(" ");
        if let Some(found) = marks.find(tenant, &of, &now) {
            return Ok(found);
        }
        let fresh = Arc::new(make(&marked)?);
        marks.keep(tenant, of, now, &fresh);
        Ok(fresh)
    }

    /// Whether the result of [`Self::cached_by_marks`] is cached for later callers.
    pub fn is_cached(&self) -> bool {
        self.marks.is_some() && self.sharing().is_some()
    }

    /// The tenant of a caller who may read all of it.
    fn sharing(&self) -> Option<Uuid> {
        match PlanScope::of(self.caller()) {
            PlanScope::Reaching(Reach::Tenant) => self.caller().tenant(),
            _ => None,
        }
    }

    /// The marks of the tables, and of the tables through which their scope is determined.
    fn marks_of(&self, tables: &[&str]) -> Result<Vec<u8>, StoreError> {
        let mut ways = Vec::new();
        for name in tables {
            let (_, mut table) = self.table(name)?;
            loop {
                if table.marked.is_empty() {
                    return Err(StoreError::UnknownTable(mark_of(table)));
                }
                ways.push(format!("(SELECT \"mark\" FROM \"{}\")", mark_of(table)));
                let catalogue::Scope::Through(way) = table.scope else { break };
                table = self.catalogue().table(table.relationship(way).target);
            }
        }
        let sql = format!("SELECT {}", ways.join(", "));
        let mut statement = self.connection().prepare_cached(&sql).map_err(store_error)?;
        let mut cursor = statement.query();
        let mut marks = Vec::with_capacity(ways.len() * 16);
        if let Some(row) = cursor.next().map_err(store_error)? {
            for place in 0..ways.len() {
                marks.extend(row.get::<Vec<u8>>(place).map_err(store_error)?);
            }
        }
        Ok(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, eq};
    use catalogue::Catalogue;
    use catalogue::{Caller, CallerAccounts, Role, Source};
    use std::path::Path;

    const TABLES: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") { id: uuid! @key  name: citext! }
"Who belongs to it."
type member @table(tenant: "tenant", account: all) @marked(columns: ["person"]) {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  person: uuid! @references(table: "person")
}
"A person."
type person @table(through: "members") @marked(columns: ["name"]) {
  id: uuid! @key
  name: citext!
  seen: timestamp
  members: [member!]! @many(from: "person")
}
"A thing."
type thing @table(tenant: "tenant", account: all) @marked(columns: ["name"]) {
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  name: citext!
  price: Int
}
"#;
    const ACME: Uuid = Uuid::from_u128(0xA);
    const OTHER: Uuid = Uuid::from_u128(0xB);
    const ADA: Uuid = Uuid::from_u128(1);

    struct Names(Vec<String>);

    fn catalogue() -> Arc<Catalogue> {
        Arc::new(Catalogue::parse(&[Source { name: "tables/a.graphql", text: TABLES }]).unwrap())
    }

    fn open(folder: &Path) -> Store {
        Store::open(&folder.join("a.db"), catalogue()).unwrap()
    }

    fn kept(rows: &Transaction<'_>, table: &str) -> Arc<Names> {
        let made = rows.cached_by_marks(&[table], |rows| {
            let mut names = Vec::new();
            rows.for_each(table, &["name"], |row| {
                names.extend(row[0].as_text().map(str::to_owned));
                Ok::<_, StoreError>(())
            })?;
            names.sort();
            Ok::<_, StoreError>(Names(names))
        });
        made.unwrap()
    }

    fn look(store: &Store, tenant: Uuid, table: &str) -> Arc<Names> {
        store.snapshot(&Caller::system_for(tenant), |rows| Ok::<_, StoreError>(kept(rows, table))).unwrap()
    }

    fn write<T>(
        store: &Store,
        tenant: Uuid,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> T {
        store.transaction(&Caller::system_for(tenant), work).unwrap()
    }

    fn add(store: &Store, tenant: Uuid, name: &str) {
        write(store, tenant, |rows| rows.insert("thing", &[("name", name.into())]));
    }

    fn rename(store: &Store, from: &str, to: &str) {
        write(store, ACME, |rows| rows.update("thing", &[eq("name", from)], &[("name", to.into())]));
    }

    #[test]
    fn what_was_made_is_kept_while_no_marked_column_changes() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        add(&store, ACME, "lamp");
        let first = look(&store, ACME, "thing");
        assert_eq!(first.0, ["lamp"]);
        write(&store, ACME, |rows| {
            rows.update("thing", &[], &[("price", 7.into()), ("name", "lamp".into())])
        });
        assert!(Arc::ptr_eq(&first, &look(&store, ACME, "thing")), "the name is what it was");
        rename(&store, "lamp", "Lamp");
        assert_eq!(look(&store, ACME, "thing").0, ["Lamp"], "capitals are another name");
        write(&store, ACME, |rows| rows.delete("thing", &[]));
        assert!(look(&store, ACME, "thing").0.is_empty());
    }

    #[test]
    fn what_another_process_writes_is_met_by_the_next_look() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (open(folder.path()), open(folder.path()));
        add(&ours, ACME, "lamp");
        assert_eq!(look(&ours, ACME, "thing").0, ["lamp"]);
        for name in ["desk", "chair", "shelf"] {
            rename(&theirs, look(&theirs, ACME, "thing").0[0].clone().as_str(), name);
            assert_eq!(look(&ours, ACME, "thing").0, [name]);
        }
    }

    #[test]
    fn what_was_undone_is_never_met_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        add(&store, ACME, "lamp");
        let undone: Result<(), StoreError> = store.transaction(&Caller::system_for(ACME), |rows| {
            rows.update("thing", &[], &[("name", "desk".into())])?;
            assert_eq!(kept(rows, "thing").0, ["desk"]);
            Err(StoreError::Denied)
        });
        undone.unwrap_err();
        assert_eq!(look(&store, ACME, "thing").0, ["lamp"]);
        rename(&store, "lamp", "chair");
        assert_eq!(look(&store, ACME, "thing").0, ["chair"]);
    }

    #[test]
    fn tenants_do_not_share_and_who_sees_a_part_makes_his_own() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        add(&store, ACME, "lamp");
        add(&store, OTHER, "desk");
        assert_eq!(look(&store, ACME, "thing").0, ["lamp"]);
        assert_eq!(look(&store, OTHER, "thing").0, ["desk"]);
        assert_eq!(look(&store, ACME, "thing").0, ["lamp"]);
        let part = Caller::user(ADA, ACME, vec![Role::AccountAdmin])
            .with_accounts(CallerAccounts::default(), CallerAccounts::default());
        let looked = |caller: &Caller| {
            store.snapshot(caller, |rows| Ok::<_, StoreError>(kept(rows, "thing"))).unwrap()
        };
        assert!(!Arc::ptr_eq(&looked(&part), &looked(&part)));
        assert!(
            !Arc::ptr_eq(&looked(&Caller::system()), &looked(&Caller::system())),
            "the house has all tenants"
        );
    }

    #[test]
    fn whoever_comes_to_a_tenant_or_leaves_it_is_met_so() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        store
            .transaction(&Caller::system(), |rows| {
                rows.insert("person", &[("id", ADA.into()), ("name", "Ada".into())])
            })
            .map_err(|error: StoreError| error)
            .unwrap();
        assert!(look(&store, ACME, "person").0.is_empty());
        write(&store, ACME, |rows| rows.insert("member", &[("person", ADA.into())]));
        assert_eq!(look(&store, ACME, "person").0, ["Ada"]);
        write(&store, ACME, |rows| rows.delete("member", &[]));
        assert!(look(&store, ACME, "person").0.is_empty());
    }

    #[test]
    fn nothing_is_made_of_what_has_no_mark() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let make = |tables: &[&str], table: &str, column: &str| {
            store.snapshot(&Caller::system_for(ACME), |rows| {
                rows.cached_by_marks(tables, |rows| {
                    rows.for_each(table, &[column], |_| Ok::<_, StoreError>(()))?;
                    Ok::<_, StoreError>(Names(Vec::new()))
                })
            })
        };
        let refused = |tables: &[&str], table: &str, column: &str| {
            make(tables, table, column).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(refused(&["thing"], "thing", "price"), "table thing has no column price");
        assert_eq!(refused(&["thing"], "person", "name"), "there is no table person");
        assert_eq!(refused(&["tenant"], "tenant", "name"), "there is no table tenant#mark");
        assert_eq!(refused(&["thing"], "thing", "name"), "");
    }
}
