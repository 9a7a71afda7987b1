//! Searches rows that are inserted, changed and deleted.

use crate::{Store, StoreError, Transaction, eq};
use catalogue::{Caller, Catalogue, Source};
use std::sync::Arc;
use uuid::Uuid;

const TABLES: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") { id: uuid! @key  name: citext! }
"A book."
type book @table(tenant: "tenant", account: none) { id: uuid! @key  tenant: uuid!  }
"A page of a book."
type page @table(tenant: "tenant", account: none) @searched(text: "text", of: "book") {
  id: uuid! @key
  tenant: uuid!
  book: uuid! @references(table: "book", on_delete: cascade)
  text: String!
}
"#;

const ACME: Uuid = Uuid::from_u128(0xA);
const OTHER: Uuid = Uuid::from_u128(0xB);
const NONE: [Uuid; 0] = [];
const BOOK: Uuid = Uuid::from_u128(1);

fn open() -> (Store, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let catalogue = Catalogue::parse(&[Source { name: "tables/a.graphql", text: TABLES }]).unwrap();
    let store = Store::open(&folder.path().join("a.db"), Arc::new(catalogue)).unwrap();
    (store, folder)
}

fn page(number: u128) -> Uuid {
    Uuid::from_u128(0x100 + number)
}

fn write<T>(store: &Store, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> T {
    store.transaction(&Caller::system_for(ACME), work).unwrap()
}

fn fill(store: &Store, texts: &[&str]) {
    write(store, |rows| {
        rows.insert("book", &[("id", BOOK.into())])?;
        for (number, text) in (0..).zip(texts) {
            let row = [("id", page(number).into()), ("book", BOOK.into()), ("text", (*text).into())];
            rows.insert("page", &row)?;
        }
        Ok(())
    });
}

fn found(store: &Store, tenant: Uuid, question: &str) -> Vec<Uuid> {
    let caller = Caller::system_for(tenant);
    store.snapshot(&caller, |rows| rows.find_words("page", &[], question, 10)).unwrap()
}

#[test]
fn the_page_that_fits_the_words_best_comes_first_whatever_their_accents() {
    let (store, _folder) = open();
    fill(
        &store,
        &[
            "The export job writes to a bucket",
            "Café menu, export",
            "Nothing here",
            "bucket of export job, EXPORT JOB",
        ],
    );
    assert_eq!(found(&store, ACME, "export job?"), [page(3), page(0), page(1)]);
    assert_eq!(found(&store, ACME, "cafe"), [page(1)]);
    assert_eq!(found(&store, ACME, "??"), NONE);
    assert_eq!(
        found(&store, ACME, "\" OR NEAR( *"),
        NONE,
        "a question is words, never a language of queries"
    );
}

#[test]
fn another_tenant_finds_nothing_by_the_same_words() {
    let (store, _folder) = open();
    fill(&store, &["The export job"]);
    assert_eq!(found(&store, OTHER, "export"), NONE);
}

#[test]
fn words_follow_what_is_changed_and_removed() {
    let (store, _folder) = open();
    fill(&store, &["old words", "more old words"]);
    write(&store, |rows| rows.update("page", &[eq("id", page(0))], &[("text", "new things".into())]));
    assert_eq!(found(&store, ACME, "old"), [page(1)]);
    assert_eq!(found(&store, ACME, "new"), [page(0)]);
    write(&store, |rows| rows.delete("book", &[eq("id", BOOK)]));
    assert_eq!(found(&store, ACME, "old new"), NONE);
}

#[test]
fn conditions_narrow_a_search() {
    let (store, _folder) = open();
    fill(&store, &["export"]);
    let other = [eq("book", Uuid::from_u128(2))];
    let caller = Caller::system_for(ACME);
    let keys = store.snapshot(&caller, |rows| rows.find_words("page", &other, "export", 10)).unwrap();
    assert_eq!(keys, NONE);
}

/// A vector that points mostly in one direction.
fn towards(direction: usize) -> Vec<f32> {
    let near = |place: usize| if place == direction { 1.0 } else { 0.01 };
    (0..16).map(near).collect()
}

fn near(store: &Store, model: &str, direction: usize) -> Vec<Uuid> {
    let caller = Caller::system_for(ACME);
    let found =
        store.snapshot(&caller, |rows| rows.nearest("page", &[BOOK], model, &towards(direction), 2)).unwrap();
    found.into_iter().map(|near| near.key).collect()
}

#[test]
fn the_nearest_vector_of_the_model_is_found_until_a_part_changes() {
    let (store, _folder) = open();
    fill(&store, &["a", "b", "c"]);
    write(&store, |rows| {
        let vectors: Vec<(Uuid, Vec<f32>)> =
            (0..3).map(|n| (page(n), towards(usize::try_from(n).unwrap()))).collect();
        rows.keep_vectors("page", BOOK, "m", &vectors)
    });
    assert_eq!(near(&store, "m", 2)[0], page(2));
    assert_eq!(near(&store, "m", 2).len(), 2);
    assert_eq!(near(&store, "another", 2), NONE);
    let model = |store: &Store| {
        store.snapshot(&Caller::system_for(ACME), |rows| rows.vectors_of("page", BOOK)).unwrap()
    };
    assert_eq!(model(&store).as_deref(), Some("m"));
    write(&store, |rows| rows.update("page", &[eq("id", page(0))], &[("text", "other".into())]));
    assert_eq!(model(&store), None);
    assert_eq!(near(&store, "m", 2), NONE);
}

#[test]
fn rounded_vectors_find_what_exact_ones_find() {
    let (store, _folder) = open();
    let texts: Vec<String> = (0..2_000).map(|n| n.to_string()).collect();
    fill(&store, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    // A fixed pseudo-random sequence.
    let mut state = 7_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from(u16::try_from(state >> 48).unwrap()) / 32_768.0 - 1.0
    };
    let vectors: Vec<(Uuid, Vec<f32>)> =
        (0..2_000).map(|n| (page(n), (0..128).map(|_| number()).collect())).collect();
    let sought: Vec<f32> = (0..128).map(|_| number()).collect();
    let likeness = |vector: &[f32]| {
        let length = |v: &[f32]| v.iter().map(|n| n * n).sum::<f32>().sqrt();
        vector.iter().zip(&sought).map(|(a, b)| a * b).sum::<f32>() / length(vector) / length(&sought)
    };
    let mut exact: Vec<(Uuid, f32)> = vectors.iter().map(|(key, vector)| (*key, likeness(vector))).collect();
    exact.sort_by(|one, other| other.1.total_cmp(&one.1));
    write(&store, |rows| rows.keep_vectors("page", BOOK, "m", &vectors));
    let caller = Caller::system_for(ACME);
    let found = store.snapshot(&caller, |rows| rows.nearest("page", &[BOOK], "m", &sought, 20)).unwrap();
    let hits = exact[..20].iter().filter(|(key, _)| found.iter().any(|near| near.key == *key)).count();
    assert!(hits >= 19, "{hits} of 20");
    assert!((found[0].likeness - exact[0].1).abs() < 0.01);
}
