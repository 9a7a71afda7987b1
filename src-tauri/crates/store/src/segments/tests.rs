//! Compares groupings from segments with the same groupings from rows: random rows, random changes, random queries.

use crate::query::{
    Direction, Filter, Function, Grouping, GroupingShape, Key, Operator, Query, QueryKind, Subject, Term,
    Test, TimeUnit,
};
use crate::{Answer, AnswerSource, Bounds, Cancel, Store, StoreError, eq, ge, lt};
use catalogue::{
    Caller, CallerAccounts, Catalogue, ColumnId, Decimal, RelationshipId, Role, Source, TableId, Value,
    ValueRef,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

const SCHEMA: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id", account: all) {
  id: uuid! @key
}

"Rows that came together."
type batch @table(tenant: "tenant", account: none) {
  id: uuid! @key
  tenant: uuid!
  kind: String
  charges: [charge!]! @many(from: "batch")
}

"A charge."
type charge
  @table(tenant: "tenant", account: "account")
  @index(columns: ["tenant", "at"])
  @shared(group: "words", columns: ["unit", "note"])
  @shared(group: "labels", columns: ["tags"])
  @segments(
    time: "at"
    by: [
      "tenant", "account", "service", "service ?? tags.$.site", "unit", "counted", "batch", "rank", "tags", "tags.team"
    ]
    sums: ["amount", "cost", "pieces"]
  )
  @cube(every: month, by: ["tenant", "service", "account", "unit"])
  @cube(every: day, by: ["tenant", "service", "unit"])
{
  id: uuid! @key @default(call: random_uuid)
  tenant: uuid!
  account: uuid!
  batch: uuid @references(table: "batch", on_delete: cascade)
  batch_row: batch @one(by: "batch")
  at: timestamp!
  service: String
  unit: String
  counted: Boolean
  rank: Int
  tags: jsonb
  note: String
  amount: numeric!
  cost: numeric
  pieces: Int
}
"#;

pub(super) const DAY: i64 = 86_400_000_000;
pub(super) const ACME: Uuid = Uuid::from_u128(0xA);
const UMBRELLA: Uuid = Uuid::from_u128(0xB);

/// Pseudo-random numbers, equal in every run (Marsaglia's xorshift).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

fn catalogue() -> Arc<Catalogue> {
    Arc::new(Catalogue::parse(&[Source { name: "tables/cost.graphql", text: SCHEMA }]).unwrap())
}

pub(super) fn open(folder: &Path) -> Store {
    Store::open(&folder.join("test.db"), catalogue()).unwrap()
}

pub(super) fn account(number: usize) -> Uuid {
    Uuid::from_u128(0xACC0 + number as u128)
}

pub(super) fn batch(number: usize) -> Uuid {
    Uuid::from_u128(0xBA7C_0000 + number as u128)
}

/// Adds one charge; `wild` ones have unusual times and long amounts.
pub(super) fn add(rows: &crate::Transaction<'_>, dice: &mut Dice, batch: Option<Uuid>, wild: bool) {
    let amounts: &[&str] = if wild {
        &["0.1", "-3.75", "1e-12", "12345678901234567890123.5", "0"]
    } else {
        &["0.1", "-3.75", "12", "1.005", "0", "99999.99"]
    };
    let decimal = |text: &str| ValueRef::Decimal(Decimal::parse(text).unwrap());
    let tags = [
        None,
        Some("{}"),
        Some(r#"{"team":"sea","a":1}"#),
        Some(r#"{"team":"land"}"#),
        Some(r#"{"team":null,"site":"x"}"#),
        Some(r#"{"site":"y","team":"sea"}"#),
    ];
    let services = [None, Some("Compute"), Some("Storage"), Some("compute"), Some(""), Some("Über")];
    let at = DAY * (19_700 + i64::try_from(dice.below(70)).unwrap())
        + if wild { i64::try_from(dice.below(3)).unwrap() * 7_200_000_001 } else { 0 };
    // Together with 23 digits before the point, these need more digits than a segment supports.
    let amount = if wild && dice.below(2000) == 0 { "1e-30" } else { dice.pick(amounts) };
    let cost = [None, Some(amount), Some("2.5")][dice.below(3)];
    let row = [
        ("account", account(dice.below(4)).into()),
        ("batch", batch.into()),
        ("at", ValueRef::Timestamp(at)),
        ("service", dice.pick(&services).into()),
        ("unit", dice.pick(&[Some("USD"), Some("EUR"), None]).into()),
        ("counted", dice.pick(&[Some(true), Some(false), None]).into()),
        ("rank", dice.pick(&[Some(-2i64), Some(0), Some(70_000), None]).into()),
        ("tags", dice.pick(&tags).map_or(ValueRef::Null, ValueRef::Json)),
        ("note", dice.pick(&["a", "b"]).into()),
        ("amount", decimal(amount)),
        ("cost", cost.map_or(ValueRef::Null, decimal)),
        ("pieces", dice.pick(&[Some(3i64), Some(-1), None]).into()),
    ];
    rows.insert("charge", &row).unwrap();
}

struct Charge {
    table: TableId,
    batch: RelationshipId,
    kind: ColumnId,
    columns: BTreeMap<String, ColumnId>,
}

impl Charge {
    fn of(catalogue: &Catalogue) -> Self {
        let table = catalogue.find("charge").unwrap();
        let columns =
            catalogue.table(table).iter_columns().map(|(id, column)| (column.name.clone(), id)).collect();
        let described = catalogue.table(table);
        let batch = described.relationships.iter().position(|one| one.name == "batch_row").unwrap();
        let batch = RelationshipId(u16::try_from(batch).unwrap());
        let target = catalogue.table(described.relationship(batch).target);
        let kind = target.iter_columns().find(|(_, column)| column.name == "kind").unwrap().0;
        Self { table, batch, kind, columns }
    }

    fn column(&self, name: &str) -> ColumnId {
        self.columns[name]
    }

    fn key(&self, dice: &mut Dice) -> Key {
        let units = [
            TimeUnit::Hour,
            TimeUnit::Day,
            TimeUnit::Week,
            TimeUnit::Month,
            TimeUnit::Quarter,
            TimeUnit::Year,
        ];
        match dice.below(18) {
            16 => self.kind(),
            17 => Key::First(vec![Key::JsonPath(self.column("tags"), "$.team".to_owned()), self.kind()]),
            14 => Key::JsonPath(self.column("tags"), "$.site".to_owned()),
            15 => self.first(),
            0..=3 => Key::Time(self.column("at"), dice.pick(&units)),
            4 => Key::Column(self.column("at")),
            5 => Key::JsonKey(self.column("tags"), dice.pick(&["team", "site", "none"]).to_owned()),
            // Not stored in segments: answered by SQL.
            6 if dice.below(4) == 0 => Key::Column(self.column("note")),
            _ => {
                let names =
                    ["account", "service", "unit", "counted", "batch", "rank", "tags", "service", "unit"];
                Key::Column(self.column(dice.pick(&names)))
            }
        }
    }

    /// A condition on the row that an id refers to.
    fn of_batch(&self, test: Test) -> Filter {
        let filter = Box::new(Filter::Test { subject: Subject::Column(self.kind), test });
        Filter::Related { relationship: self.batch, filter }
    }

    /// A value of a related row.
    fn kind(&self) -> Key {
        Key::Related(vec![self.batch], self.kind)
    }

    fn first(&self) -> Key {
        let site = Key::JsonPath(self.column("tags"), "$.site".to_owned());
        Key::First(vec![Key::Column(self.column("service")), site])
    }

    fn test(&self, dice: &mut Dice) -> (ColumnId, Test) {
        let time = |dice: &mut Dice| {
            let day = DAY * (19_700 + i64::try_from(dice.below(70)).unwrap());
            // 2023-12-01 and 2024-02-01 start a month.
            let months = [DAY * 19_692, DAY * 19_723, DAY * 19_754];
            Value::Timestamp(dice.pick(&[day, day + 1, months[0], months[1], months[2]]))
        };
        let word = |text: &str| Value::Text(text.to_owned());
        let orders = [
            Operator::Equal,
            Operator::NotEqual,
            Operator::Less,
            Operator::LessOrEqual,
            Operator::Greater,
            Operator::GreaterOrEqual,
        ];
        let order = dice.pick(&orders);
        let amount = |dice: &mut Dice| {
            let texts = ["0.1", "-3.75", "0", "1.0050", "12345678901234567890123.5", "1e-14", "1e30"];
            Value::Decimal(Decimal::parse(dice.pick(&texts)).unwrap())
        };
        let (name, test) = match dice.below(16) {
            13 => ("amount", Test::Compare(order, amount(dice))),
            14 => ("cost", Test::OneOf(vec![amount(dice), amount(dice), Value::Null])),
            15 => ("pieces", Test::Compare(order, Value::Int(3))),
            0..=2 => {
                let from = Test::Compare(Operator::GreaterOrEqual, time(dice));
                ("at", Test::All(vec![from, Test::Compare(Operator::Less, time(dice))]))
            }
            3 => ("at", Test::Compare(order, time(dice))),
            4 => ("service", Test::Compare(order, word(dice.pick(&["Compute", "", "M"])))),
            5 => {
                let like =
                    dice.pick(&[Operator::Like, Operator::LikeAnyCase, Operator::Similar, Operator::Regex]);
                ("service", Test::Compare(like, word(dice.pick(&["%omp%", "C_mpute", "Comp|Stor", "ü%"]))))
            }
            6 => ("unit", Test::OneOf(vec![word("USD"), word("GBP")])),
            7 => ("unit", Test::IsNull),
            8 => ("counted", Test::Compare(order, Value::Bool(dice.below(2) == 0))),
            9 => ("rank", Test::OneOf(vec![Value::Int(0), Value::Int(70_000), Value::Null])),
            // A few values are compared one by one, many are looked up.
            10 => {
                let ids = (1..3).chain(20..dice.pick(&[20, 40]));
                ("account", Test::OneOf(ids.map(|number| Value::Uuid(account(number))).collect()))
            }
            11 => {
                let keys = vec!["team".to_owned(), "a".to_owned()];
                ("tags", Test::HasKeys { keys, all: dice.below(2) == 0 })
            }
            _ => {
                let part = Value::Json(dice.pick(&[r#"{"team":"sea"}"#, "{}"]).to_owned());
                let operator = dice.pick(&[Operator::Contains, Operator::ContainedIn, order]);
                ("tags", Test::Compare(operator, part))
            }
        };
        let test = if dice.below(5) == 0 { Test::Not(Box::new(test)) } else { test };
        (self.column(name), test)
    }

    fn filter(&self, dice: &mut Dice, depth: usize) -> Filter {
        let some = |dice: &mut Dice| (0..dice.below(3)).map(|_| self.filter(dice, depth + 1)).collect();
        match dice.below(if depth > 2 { 3 } else { 7 }) {
            1 if dice.below(4) == 0 => self.of_batch(Test::OneOf(vec![
                Value::Text("rail".to_owned()),
                Value::Text(dice.pick(&["road", "air"]).to_owned()),
            ])),
            0 if dice.below(3) == 0 => {
                // A condition on a text of a related row, or on a JSON path.
                let site = Key::JsonPath(self.column("tags"), "$.site".to_owned());
                let keys = [self.kind(), site.clone(), Key::First(vec![site, self.kind()])];
                let word = |text: &str| Value::Text(text.to_owned());
                let tests = [
                    Test::IsNull,
                    Test::OneOf(vec![word("rail"), word("x")]),
                    Test::Compare(Operator::Less, word("s")),
                    Test::Not(Box::new(Test::Compare(Operator::Like, word("r%")))),
                ];
                let (key, test) = (dice.pick(&keys), dice.pick(&tests));
                let subject = if dice.below(2) == 0 { Subject::Key(key) } else { Subject::KeyText(key) };
                Filter::Test { subject, test }
            }
            0..=3 => {
                let (column, test) = self.test(dice);
                let subject = match dice.below(3) {
                    0 if column == self.column("service") => Subject::KeyText(self.first()),
                    0 => Subject::Key(Key::Column(column)),
                    _ => Subject::Column(column),
                };
                Filter::Test { subject, test }
            }
            4 => Filter::And(some(dice)),
            5 => Filter::Or(some(dice)),
            _ => Filter::Not(Box::new(self.filter(dice, depth + 1))),
        }
    }

    fn figure(&self, dice: &mut Dice) -> Term {
        match dice.below(10) {
            8 => Term::Of(dice.pick(&[Function::Min, Function::Max]), self.column("at")),
            9 => Term::Of(
                dice.pick(&[Function::Min, Function::Max]),
                self.column(dice.pick(&["rank", "counted"])),
            ),
            0 => Term::Count,
            1 => Term::CountDistinct(vec![Key::Column(
                self.column(dice.pick(&["account", "service", "rank"])),
            )]),
            2 => {
                let columns = ["service", "unit", "rank"].map(|name| Key::Column(self.column(name)));
                Term::CountDistinct(columns.to_vec())
            }
            3 => Term::Sum(self.column("pieces")),
            4 => Term::Sum(self.column("cost")),
            _ => Term::Sum(self.column("amount")),
        }
    }

    fn grouping(&self, dice: &mut Dice) -> Grouping {
        let mut keys: Vec<Key> = Vec::new();
        for _ in 0..dice.below(4) {
            let key = self.key(dice);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mut terms: Vec<(String, Term)> = keys
            .iter()
            .enumerate()
            .map(|(place, key)| (format!("key{place}"), Term::Key(key.clone())))
            .collect();
        for place in 0..=dice.below(3) {
            let figure = self.figure(dice);
            let figure = if dice.below(4) == 0 { Term::AsText(Box::new(figure)) } else { figure };
            terms.push((format!("figure{place}"), figure));
        }
        terms.push(("nothing".to_owned(), Term::Null));
        let directions =
            ["asc", "desc", "asc_nulls_first", "desc_nulls_last"].map(|name| Direction::find(name).unwrap());
        let order = (0..dice.below(3))
            .map(|_| {
                let term = match keys.len() {
                    0 => self.figure(dice),
                    count if dice.below(2) == 0 => Term::Key(keys[dice.below(count)].clone()),
                    _ => self.figure(dice),
                };
                (term, dice.pick(&directions))
            })
            .collect();
        Grouping {
            table: self.table,
            terms,
            keys,
            filter: (dice.below(4) > 0).then(|| self.filter(dice, 0)),
            order,
            limit: dice.pick(&[1, 3, 20, 1000, 1000]),
            offset: dice.pick(&[0, 0, 0, 2]),
            shape: GroupingShape::List,
        }
    }
}

fn callers() -> Vec<Caller> {
    let person = Caller::user(Uuid::from_u128(7), ACME, vec![Role::AccountAdminReadonly]);
    let some = CallerAccounts { accounts: vec![account(1), account(3)], namespaces: Vec::new() };
    vec![
        Caller::system_for(ACME),
        Caller::system_for(UMBRELLA),
        person.clone().with_accounts(some, CallerAccounts::default()),
        person,
        Caller::system(),
    ]
}

/// Runs the grouping both ways, compares the results, and returns what answered.
fn compare(store: &Store, caller: &Caller, grouping: &Grouping) -> AnswerSource {
    let query = Query { name: "found".to_owned(), kind: QueryKind::Grouped(grouping.clone()) };
    let rows = store.clone().without_segments().read(caller, std::slice::from_ref(&query));
    let plans = store.plan(caller, std::slice::from_ref(&query));
    let answer = store.run_explained(caller, &plans, &[], &Cancel::default());
    match (rows, answer) {
        (Ok(rows), Ok(Answer { data: answer, explained, .. })) => {
            let texts =
                [answer.flatten().collect(), rows].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            assert_eq!(texts[0], texts[1], "{grouping:#?}\n{explained:?}");
            explained[0].chosen
        }
        (Err(_), Err(_)) => AnswerSource::Sql,
        (rows, answer) => panic!("{rows:?}\n{:?}\n{grouping:#?}", answer.err()),
    }
}

/// Makes one change to the table, as imports, users and product code do.
fn change(store: &Store, dice: &mut Dice, batches: &mut usize) {
    let tenant = Caller::system_for(dice.pick(&[ACME, ACME, UMBRELLA]));
    let wild = dice.below(4) == 0;
    match dice.below(9) {
        0..=2 => {
            *batches += 1;
            let id = batch(*batches);
            let undone = dice.below(4) == 0;
            let rows_to_add = 1 + dice.below(300);
            let loaded: Result<(), StoreError> = store.load(&tenant, "charge", 1, |rows| {
                let kind = dice.pick(&[None, Some("rail"), Some("road"), Some("sea")]);
                rows.insert("batch", &[("id", id.into()), ("kind", kind.into())])?;
                for _ in 0..rows_to_add {
                    add(rows, dice, Some(id), wild);
                }
                if undone { Err(StoreError::Denied) } else { Ok(()) }
            });
            assert_eq!(loaded.is_err(), undone);
        }
        3 => {
            let one_by_one: Result<(), StoreError> = store.transaction(&tenant, |rows| {
                (0..dice.below(20)).for_each(|_| add(rows, dice, None, wild));
                Ok(())
            });
            one_by_one.unwrap();
        }
        4 => {
            let day = DAY * (19_700 + i64::try_from(dice.below(70)).unwrap());
            let restated: Result<(), StoreError> = store.load(&tenant, "charge", 1, |rows| {
                let span = [ge("at", ValueRef::Timestamp(day)), lt("at", ValueRef::Timestamp(day + 5 * DAY))];
                rows.delete("charge", &span)?;
                (0..dice.below(60)).for_each(|_| add(rows, dice, None, wild));
                Ok(())
            });
            restated.unwrap();
        }
        5 => {
            let set = [
                [("amount", ValueRef::Decimal(Decimal::from(9)))],
                [("note", "changed".into())],
                [("service", "Moved".into())],
            ];
            let changed: Result<_, StoreError> = store.transaction(&tenant, |rows| {
                rows.update("charge", &[eq("account", account(2)), eq("rank", 0i64)], &dice.pick(&set))
            });
            changed.unwrap();
        }
        6 if *batches > 0 => {
            let gone = batch(1 + dice.below(*batches));
            // The rows of the batch are deleted with it.
            let undone: Result<_, StoreError> =
                store.transaction(&tenant, |rows| rows.delete("batch", &[eq("id", gone)]));
            undone.unwrap();
        }
        7 => {
            // The newest rows are deleted, so that the next ones reuse their row ids.
            let last = batch(*batches);
            let gone: Result<_, StoreError> =
                store.transaction(&tenant, |rows| rows.delete("charge", &[eq("batch", last)]));
            gone.unwrap();
        }
        _ => match dice.below(3) {
            0 => store.repair_segments().unwrap(),
            1 => while store.renew_segments().unwrap() {},
            // A single step leaves the rest unchanged.
            _ => drop(store.renew_segments().unwrap()),
        },
    }
}

/// A store with rows in segments, and a grouping that segments can answer.
fn filled(folder: &Path) -> (Store, Grouping) {
    let store = open(folder);
    let mut dice = Dice(7);
    let loaded: Result<(), StoreError> = store.load(&Caller::system_for(ACME), "charge", 1, |rows| {
        (0..2000).for_each(|_| add(rows, &mut dice, None, false));
        Ok(())
    });
    loaded.unwrap();
    let charge = Charge::of(store.catalogue());
    let key = Key::Column(charge.column("account"));
    let grouping = Grouping {
        table: charge.table,
        terms: vec![
            ("account".to_owned(), Term::Key(key.clone())),
            ("last".to_owned(), Term::Of(Function::Max, charge.column("at"))),
        ],
        keys: vec![key],
        filter: None,
        order: Vec::new(),
        limit: 10,
        offset: 0,
        shape: GroupingShape::List,
    };
    (store, grouping)
}

#[test]
fn an_answer_from_segments_stops_when_its_time_is_up_or_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    let (store, grouping) = filled(folder.path());
    let caller = Caller::system_for(ACME);
    assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments);
    let plans =
        store.plan(&caller, &[Query { name: "found".to_owned(), kind: QueryKind::Grouped(grouping) }]);
    let hurried = store.clone().with_bounds(Bounds { time: Duration::ZERO, ..Bounds::default() });
    let answer = hurried.run_explained(&caller, &plans, &[], &Cancel::default());
    assert!(matches!(answer, Err(StoreError::TooLong { milliseconds: 0 })));
    let gone = Cancel::default();
    gone.cancel();
    let answer = store.run_explained(&caller, &plans, &[], &gone);
    assert!(matches!(answer, Err(StoreError::Interrupted)));
}

#[test]
fn what_another_row_tells_of_a_value_is_told_once_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut grouping) = filled(folder.path());
    let caller = Caller::system_for(ACME);
    let loaded: Result<(), StoreError> = store.load(&caller, "charge", 1, |rows| {
        for (number, kind) in [(1, Some("rail")), (2, None), (3, Some("road"))] {
            rows.insert("batch", &[("id", batch(number).into()), ("kind", kind.into())])?;
            (0..100).for_each(|_| add(rows, &mut Dice(9), Some(batch(number)), false));
        }
        Ok(())
    });
    loaded.unwrap();
    let charge = Charge::of(store.catalogue());
    let site = Key::JsonPath(charge.column("tags"), "$.site".to_owned());
    for key in [charge.kind(), Key::First(vec![site.clone(), charge.kind()]), site] {
        grouping.terms[0].1 = Term::Key(key.clone());
        grouping.keys = vec![key];
        assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments);
    }
}

#[test]
fn conditions_on_amounts_and_on_what_other_rows_tell_are_answered_from_segments() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut grouping) = filled(folder.path());
    let charge = Charge::of(store.catalogue());
    let amount = Value::Decimal(Decimal::parse("12.00").unwrap());
    let at_least = Test::Compare(Operator::GreaterOrEqual, amount);
    let first = Key::First(vec![Key::JsonPath(charge.column("tags"), "$.site".to_owned()), charge.kind()]);
    for (subject, test) in [
        (Subject::Column(charge.column("amount")), at_least.clone()),
        (Subject::Key(Key::Column(charge.column("cost"))), Test::Not(Box::new(at_least))),
        (Subject::Key(charge.kind()), Test::IsNull),
        (Subject::KeyText(first), Test::Compare(Operator::Like, Value::Text("x%".to_owned()))),
    ] {
        grouping.filter = Some(Filter::Test { subject, test });
        assert_eq!(
            compare(&store, &Caller::system_for(ACME), &grouping),
            AnswerSource::Segments,
            "{grouping:?}"
        );
    }
}

#[test]
fn conditions_on_the_row_that_an_id_leads_to_are_answered_from_segments() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut grouping) = filled(folder.path());
    let caller = Caller::system_for(ACME);
    let loaded: Result<(), StoreError> = store.load(&caller, "charge", 1, |rows| {
        for (number, kind) in [(1, Some("rail")), (2, None), (3, Some("road"))] {
            rows.insert("batch", &[("id", batch(number).into()), ("kind", kind.into())])?;
            (0..100).for_each(|_| add(rows, &mut Dice(9), Some(batch(number)), false));
        }
        Ok(())
    });
    loaded.unwrap();
    let charge = Charge::of(store.catalogue());
    let is_rail = Test::Compare(Operator::Equal, Value::Text("rail".to_owned()));
    for filter in [
        charge.of_batch(is_rail.clone()),
        charge.of_batch(Test::IsNull),
        // Charges without a batch do not match a condition on the batch.
        Filter::Not(Box::new(charge.of_batch(is_rail))),
        charge.of_batch(Test::All(Vec::new())),
    ] {
        grouping.filter = Some(filter);
        assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments, "{grouping:?}");
        // Rows that are not in a segment yet must meet the same condition.
        let added: Result<(), StoreError> = store.transaction(&caller, |rows| {
            (0..5).for_each(|number| add(rows, &mut Dice(number + 1), Some(batch(1)), false));
            Ok(())
        });
        added.unwrap();
        assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments, "{grouping:?}");
    }
}

#[test]
fn what_another_row_tells_is_asked_again_once_anybody_has_changed_that_row() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut grouping) = filled(folder.path());
    let other = open(folder.path());
    let caller = Caller::system_for(ACME);
    let loaded: Result<(), StoreError> = store.load(&caller, "charge", 1, |rows| {
        rows.insert("batch", &[("id", batch(1).into()), ("kind", "rail".into())])?;
        (0..100).for_each(|_| add(rows, &mut Dice(9), Some(batch(1)), false));
        Ok(())
    });
    loaded.unwrap();
    let charge = Charge::of(store.catalogue());
    grouping.terms[0].1 = Term::Key(charge.kind());
    grouping.keys = vec![charge.kind()];
    for (writer, kind) in [(&store, "road"), (&other, "sea"), (&store, "air")] {
        assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments);
        let changed: Result<_, StoreError> = writer.transaction(&caller, |rows| {
            rows.update("batch", &[eq("id", batch(1))], &[("kind", kind.into())])
        });
        assert_eq!(changed.unwrap(), 1);
        assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments, "{kind}");
    }
}

#[test]
fn segments_are_renewed_step_by_step_until_none_is_stale() {
    let folder = tempfile::tempdir().unwrap();
    let (store, grouping) = filled(folder.path());
    let caller = Caller::system_for(ACME);
    assert!(!store.renew_segments().unwrap(), "nothing is lacking yet");
    let changed: Result<_, StoreError> =
        store.transaction(&caller, |rows| rows.update("charge", &[], &[("pieces", 7i64.into())]));
    changed.unwrap();
    let loose = |store: &Store| store.check_segments().unwrap()[0].loose_rows;
    let mut before = loose(&store);
    assert!(before >= 2000);
    let mut steps = 0;
    while store.renew_segments().unwrap() {
        assert!(loose(&store) < before, "every step is worth something");
        before = loose(&store);
        steps += 1;
    }
    assert!(before == 0 && steps > 5, "{before} rows left after {steps} steps");
    assert_eq!(compare(&store, &caller, &grouping), AnswerSource::Segments);
}

#[test]
fn segments_answer_what_rows_answer_whatever_was_written() {
    let mut answered = BTreeMap::new();
    for seed in 1..=3 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (seed * 0x1234_5678_9ABC));
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        // Another store on the same file is equivalent to another process.
        let other = open(folder.path());
        let charge = Charge::of(store.catalogue());
        let mut batches = 0;
        for _ in 0..30 {
            change(if dice.below(3) == 0 { &other } else { &store }, &mut dice, &mut batches);
            for _ in 0..12 {
                let caller = dice.pick(&callers());
                let chosen = compare(&store, &caller, &charge.grouping(&mut dice));
                *answered.entry(chosen.name()).or_insert(0) += 1;
            }
        }
        for kept in store.check_segments().unwrap() {
            assert_eq!(kept.wrong, Vec::<String>::new());
        }
    }
    for (by, least) in [("cube", 40), ("segments", 500), ("sql", 40)] {
        assert!(answered[by] >= least, "{answered:?}");
    }
}
