//! Compares aggregates of `T_aggregate` from columns with the same from rows.

use super::tests::{ACME, DAY, Dice, account, add, batch, open};
use crate::query::{
    AggregatePart, AggregateSelect, Field, FieldKind, Figure, FigureColumn, FigureKind, Filter, Function,
    Operator, Query, QueryKind, Range, Select, Subject, Test,
};
use crate::{AnswerSource, Cancel, Store, StoreError};
use catalogue::{Caller, ColumnId, Value};
use std::collections::BTreeMap;

const BATCHES: usize = 6;

/// Rows in segments, and a few without a segment; the last batch has no rows.
fn prepare(store: &Store, dice: &mut Dice) {
    let caller = Caller::system_for(ACME);
    let loaded: Result<(), StoreError> = store.load(&caller, "charge", 1, |rows| {
        rows.insert("tenant", &[("id", ACME.into())])?;
        for number in 0..=BATCHES {
            rows.insert("batch", &[("id", batch(number).into()), ("tenant", ACME.into())])?;
        }
        for number in 0..2000 {
            let batch = (number % 9 != 0).then(|| batch(dice.below(BATCHES)));
            add(rows, dice, batch, false);
        }
        Ok(())
    });
    loaded.unwrap();
    let few: Result<(), StoreError> = store.transaction(&caller, |rows| {
        (0..20).for_each(|_| add(rows, dice, Some(batch(1)), false));
        Ok(())
    });
    few.unwrap();
}

/// A random filter on the table's rows.
fn filter_of_rows(dice: &mut Dice, id: &dyn Fn(&str) -> ColumnId) -> Option<Filter> {
    let condition = |column: &str, test: Test| Filter::Test { subject: Subject::Column(id(column)), test };
    let equal = |value: Value| Test::Compare(Operator::Equal, value);
    let text = |text: &str| Value::Text(text.to_owned());
    let day = |day: usize| Value::Timestamp(DAY * (19_700 + i64::try_from(day).unwrap()));
    let mut all = Vec::new();
    for _ in 0..dice.below(3) {
        all.push(match dice.below(6) {
            0 => condition("service", equal(text(["Compute", "Storage", "nothing"][dice.below(3)]))),
            1 => condition("at", Test::Compare(Operator::GreaterOrEqual, day(dice.below(70)))),
            2 => condition("at", Test::Compare(Operator::Less, day(dice.below(70)))),
            3 => condition(
                "account",
                Test::OneOf(vec![Value::Uuid(account(dice.below(4))), Value::Uuid(account(1))]),
            ),
            4 => Filter::Not(Box::new(condition("unit", equal(text("USD"))))),
            _ => condition("note", equal(text("a"))),
        });
    }
    (!all.is_empty()).then_some(Filter::And(all))
}

#[test]
fn figures_of_tables_are_those_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut dice = Dice(0x0F16);
    prepare(&store, &mut dice);
    let catalogue = store.catalogue();
    let table = catalogue.find("charge").unwrap();
    let batches = catalogue.find("batch").unwrap();
    let id = |name: &str| catalogue.table(table).find_column(name).unwrap();
    let figures = |dice: &mut Dice| {
        let count =
            Figure { name: "count".to_owned(), kind: FigureKind::Count { columns: vec![], distinct: false } };
        let columns = ["amount", "cost", "pieces"].map(|name| FigureColumn {
            name: name.to_owned(),
            column: Some(id(name)),
            text: String::new(),
        });
        let of = |function: Function| FigureKind::Of { function, columns: columns.to_vec() };
        let mut figures = vec![count, Figure { name: "sum".to_owned(), kind: of(Function::Sum) }];
        figures.push(Figure { name: "__typename".to_owned(), kind: FigureKind::Text("x".to_owned()) });
        if dice.below(4) == 0 {
            figures.push(Figure { name: "max".to_owned(), kind: of(Function::Max) });
        }
        figures
    };
    let mut chosen = BTreeMap::new();
    for _ in 0..200 {
        let range = Range { filter: filter_of_rows(&mut dice, &id), ..Range::default() };
        let parts =
            vec![AggregatePart::Figures { name: "aggregate".to_owned(), figures: figures(&mut dice) }];
        let of_all =
            QueryKind::Aggregate(AggregateSelect { table, parts: parts.clone(), range: range.clone() });
        let relationship = catalogue.table(batches).find_relationship("charges").unwrap();
        let key = catalogue.table(batches).find_column("id").unwrap();
        let fields = vec![
            Field { name: "id".to_owned(), kind: FieldKind::Column { column: key, path: None } },
            Field { name: "charges".to_owned(), kind: FieldKind::Aggregate { relationship, parts, range } },
        ];
        let of_each = QueryKind::List(Select { table: batches, fields, range: Range::default() });
        let queries =
            [("all", of_all), ("each", of_each)].map(|(name, kind)| Query { name: name.to_owned(), kind });
        let caller = Caller::system_for(ACME);
        let plans = store.plan(&caller, &queries);
        let answer = store.run_explained(&caller, &plans, &[], &Cancel::default()).unwrap();
        *chosen.entry(answer.explained[0].chosen.name()).or_insert(0) += 1;
        let from_rows = store.clone().without_segments().read(&caller, &queries).unwrap();
        let answer = String::from_utf8(answer.data.into_bytes()).unwrap();
        assert_eq!(answer, String::from_utf8(from_rows).unwrap());
    }
    assert!(
        ["cube", "segments", "sql"].iter().all(|by| chosen.get(by).is_some_and(|times| *times > 20)),
        "{chosen:?}"
    );
}

#[test]
fn a_figure_with_values_told_when_it_runs_comes_from_columns_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    prepare(&store, &mut Dice(7));
    let table = store.catalogue().find("charge").unwrap();
    let service = store.catalogue().table(table).find_column("service").unwrap();
    let count =
        Figure { name: "count".to_owned(), kind: FigureKind::Count { columns: vec![], distinct: false } };
    let parts = vec![AggregatePart::Figures { name: "aggregate".to_owned(), figures: vec![count] }];
    let test = Test::CompareParameter(Operator::Equal, 0);
    let filter = Some(Filter::Test { subject: Subject::Column(service), test });
    let range = Range { filter, ..Range::default() };
    let kind = QueryKind::Aggregate(AggregateSelect { table, parts, range });
    let queries = [Query { name: "a".to_owned(), kind }];
    let caller = Caller::system_for(ACME);
    let mut answers = Vec::new();
    for service in ["Compute", "Storage", "nothing"] {
        let slots = [Value::Text(service.to_owned())];
        let plans = store.plan(&caller, &queries);
        let answer = store.run_explained(&caller, &plans, &slots, &Cancel::default()).unwrap();
        assert_ne!(answer.explained[0].chosen, AnswerSource::Sql);
        let rows = store.clone().without_segments();
        let from_rows = rows.run(&caller, &rows.plan(&caller, &queries), &slots, &Cancel::default()).unwrap();
        let answer = answer.data.into_bytes();
        assert_eq!(String::from_utf8_lossy(&answer), String::from_utf8_lossy(&from_rows));
        answers.push(answer);
    }
    assert_ne!(answers[0], answers[2]);
}
