//! Sets members of a JSON column in very many rows with one statement.

use super::{Transaction, find};
use crate::StoreError;
use crate::access::check_write;
use crate::dialect::ChangePrinter;
use crate::driver::constraint::constraint_error;
use crate::driver::sqlite::store_error;
use crate::query::Filter;
use crate::query::change::Member;
use crate::statement::{Keys, PlanArguments, bind};

impl Transaction<'_> {
    /// Sets members of a JSON column in all rows that match the filter and have other values. Returns the number of written rows.
    ///
    /// Not for operations, whose changes must be recorded row by row.
    pub fn set_members(
        &self,
        table: &str,
        column: &str,
        members: &[Member],
        filter: &Filter,
    ) -> Result<u64, StoreError> {
        if self.actor.is_some() {
            return Err(StoreError::Denied);
        }
        check_write(self.caller)?;
        let (id, table) = self.table(table)?;
        let printer = ChangePrinter::new(self.connection.dialect(), self.catalogue, self.caller);
        let statement = printer.members(id, find(table, column)?, members, filter);
        let mut prepared = self.prepare(&statement.sql)?;
        let given = PlanArguments::at(self.now);
        bind(&mut prepared, self.caller.tenant(), &Keys::new(), &statement.values, given)
            .map_err(store_error)?;
        let changed = prepared.execute().map_err(|error| constraint_error(table, error))?;
        Ok(changed as u64)
    }
}

#[cfg(test)]
mod tests {
    use crate::query::change::{Member, MemberValue};
    use crate::query::{Filter, Key, Operator, Subject, Test};
    use crate::{Store, StoreError, Transaction, eq};
    use catalogue::{Caller, Catalogue, Source, Value, ValueRef};
    use std::sync::Arc;
    use uuid::Uuid;

    const SCHEMA: &str = r#"
"A house."
type tenant @table(scope: house, exposed: false) { id: uuid! @key }
"A boat."
type boats @table(tenant: "tenant", account: all) { id: uuid! @key tenant: uuid! name: String! marks: jsonb }
"#;

    fn marks(store: &Store, tenant: u128, name: &str) -> Option<String> {
        let look = |rows: &Transaction<'_>| rows.select("boats", &["marks"], &[eq("name", name)]);
        let rows = store.snapshot(&Caller::system_for(Uuid::from_u128(tenant)), look).unwrap();
        match &rows[0][0] {
            Value::Json(json) => Some(json.clone()),
            _ => None,
        }
    }

    #[test]
    fn members_follow_the_first_condition_in_the_own_tenant_and_rows_that_have_them_are_left() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = Catalogue::parse(&[Source { name: "tables/boats.graphql", text: SCHEMA }]).unwrap();
        let store = Store::open(&folder.path().join("boats.db"), Arc::new(catalogue)).unwrap();
        let (own, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let boats = [(own, "gull", r#"{"env":"prod"}"#), (own, "tern", r#"{"a":"x"}"#), (other, "auk", "{}")];
        for (place, (tenant, name, json)) in (10..).zip(boats) {
            let add = |rows: &Transaction<'_>| {
                let id = Uuid::from_u128(place);
                let row = [("id", id.into()), ("name", name.into()), ("marks", ValueRef::Json(json))];
                rows.insert("boats", &row)
            };
            store.transaction(&Caller::system_for(tenant), add).unwrap();
        }
        let boats = store.catalogue().table(store.catalogue().find("boats").unwrap());
        let column = |name: &str| boats.find_column(name).unwrap();
        let has_env = Filter::Not(Box::new(Filter::Test {
            subject: Subject::Key(Key::JsonKey(column("marks"), "env".to_owned())),
            test: Test::IsNull,
        }));
        let is_tern = Filter::Test {
            subject: Subject::Column(column("name")),
            test: Test::Compare(Operator::Equal, Value::Text("tern".to_owned())),
        };
        let values = vec![
            (has_env, MemberValue::Member("env".to_owned())),
            (is_tern, MemberValue::Text("sea".to_owned())),
        ];
        let derived = |values| [Member { key: "v:stage".to_owned(), values }];
        let set = |values: Vec<(Filter, MemberValue)>| {
            let work = |rows: &Transaction<'_>| -> Result<u64, StoreError> {
                rows.set_members("boats", "marks", &derived(values), &Filter::And(Vec::new()))
            };
            store.transaction(&Caller::system_for(own), work).unwrap()
        };
        assert_eq!(set(values.clone()), 2);
        assert_eq!(marks(&store, 1, "gull").as_deref(), Some(r#"{"env":"prod","v:stage":"prod"}"#));
        assert_eq!(marks(&store, 1, "tern").as_deref(), Some(r#"{"a":"x","v:stage":"sea"}"#));
        assert_eq!(marks(&store, 2, "auk").as_deref(), Some("{}"));
        assert_eq!(set(values), 0, "rows that have them so are not written");
        assert_eq!(set(Vec::new()), 2);
        assert_eq!(marks(&store, 1, "gull").as_deref(), Some(r#"{"env":"prod"}"#));
    }
}
