//! Searches 100,000 passages by words and vectors together: the time of one query, compared with the lower bound of comparing floats in memory.
//!
//! Passages have 60 words with natural word frequencies (Zipf), vectors have 256 numbers, as in the static model that works offline. Goal:
//! under 50 ms for 99 of 100 queries.

use catalogue::{Caller, Catalogue, Source};
use std::sync::Arc;
use std::time::Instant;
use store::{Store, StoreError};
use uuid::Uuid;

const TABLES: &str = r#"
"A house that owns rows."
type tenant @table(tenant: "id") { id: uuid! @key  name: citext! }
"A passage of a document."
type passage @table(tenant: "tenant", account: none) @searched(text: "text", of: "document") @index(columns: "document") {
  id: uuid! @key
  tenant: uuid!
  document: uuid!
  text: String!
}
"#;
/// Smaller when only correctness is tested.
const IS_MEASURED: bool = !cfg!(debug_assertions);
const PASSAGES: u64 = if IS_MEASURED { 100_000 } else { 2_000 };
const DOCUMENTS: u64 = 200;
const WORDS: u64 = 20_000;
const LENGTH: usize = 256;
const QUESTIONS: usize = if IS_MEASURED { 300 } else { 10 };
const GOAL_MS: f64 = 50.0;

/// A fixed pseudo-random sequence.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A word; the nth is n times as rare as the first.
    fn word(&mut self) -> String {
        #[expect(clippy::cast_precision_loss, reason = "places in a list of words")]
        let at = ((WORDS as f64).ln() * (self.next() % 1_000_000) as f64 / 1_000_000.0).exp();
        format!("w{at:.0}")
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..LENGTH)
            .map(|_| f32::from(u16::try_from(self.next() % 65_536).unwrap_or_default()) / 32_768.0 - 1.0)
            .collect()
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let catalogue =
        Catalogue::parse(&[Source { name: "tables/a.graphql", text: TABLES }]).expect("it is sound");
    let store = Store::open(&folder.path().join("bench.db"), Arc::new(catalogue)).expect("a new database");
    let caller = Caller::system_for(Uuid::from_u128(1));
    let mut dice = Dice(7);
    let each = PASSAGES / DOCUMENTS;
    let documents: Vec<Uuid> = (0..DOCUMENTS).map(|n| Uuid::from_u128(u128::from(n) + 1)).collect();
    let mut floats: Vec<f32> = Vec::new();
    let began = Instant::now();
    for document in &documents {
        let filled = store.transaction(&caller, |rows| {
            let mut vectors = Vec::new();
            for _ in 0..each {
                let id = Uuid::new_v4();
                let text = dice.text(60);
                rows.insert(
                    "passage",
                    &[("id", id.into()), ("document", (*document).into()), ("text", text.as_str().into())],
                )?;
                vectors.push((id, dice.vector()));
            }
            rows.keep_vectors("passage", *document, "m", &vectors)?;
            floats.extend(vectors.into_iter().flat_map(|(_, vector)| vector));
            Ok::<_, StoreError>(())
        });
        filled.expect("rows that fit");
    }
    println!("{PASSAGES} passages kept in {:.1} s", began.elapsed().as_secs_f64());
    let mut times = Vec::new();
    let mut floors = Vec::new();
    for _ in 0..QUESTIONS {
        let (question, vector) = (dice.text(8), dice.vector());
        let began = Instant::now();
        let found = store.snapshot(&caller, |rows| {
            let words = rows.find_words("passage", &[], &question, 32)?;
            let near = rows.nearest("passage", &documents, "m", &vector, 32)?;
            Ok::<_, StoreError>((words.len(), near.len()))
        });
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
        assert_eq!(found.expect("it is searched"), (32, 32));
        let began = Instant::now();
        let best = floats
            .chunks_exact(LENGTH)
            .map(|one| one.iter().zip(&vector).map(|(a, b)| a * b).sum::<f32>())
            .fold(f32::MIN, f32::max);
        floors.push(began.elapsed().as_secs_f64() * 1_000.0);
        assert!(best.is_finite());
    }
    let (middle, most) = (part(&mut times, 0.5), part(&mut times, 0.99));
    println!("{:<46}{:>8}{:>8}{:>8}", "ms a question", "p50", "p99", "goal");
    println!(
        "{:<46}{middle:>8.1}{most:>8.1}{GOAL_MS:>8.1}",
        format!("words and vectors of {PASSAGES} passages")
    );
    println!(
        "{:<46}{:>8.1}{:>8.1}",
        "floats in memory, compared one by one",
        part(&mut floors, 0.5),
        part(&mut floors, 0.99)
    );
    println!("ratio of the middles: {:.2}", middle / part(&mut floors, 0.5));
}

/// The quantile of the times at `part`.
fn part(times: &mut [f64], part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a short list"
    )]
    let at = ((times.len() as f64 - 1.0) * part) as usize;
    times[at]
}
