//! Generated data and generated queries: every answer equals a slow, obviously right evaluation over the same rows.
//!
//! Seeds are fixed, so a failure is found again. The other tenant holds the same rows under other ids: whatever of it
//! showed (a row, a count, an existence) would make an answer differ.

mod broken;
pub mod condition;
pub mod data;
mod evaluate;
mod faults;
mod listing;
pub mod random;
mod request;

use data::World;
use random::Random;

/// Where two answers part.
pub fn difference(found: &str, expected: &str) -> String {
    let same = found.bytes().zip(expected.bytes()).take_while(|(left, right)| left == right).count();
    let near = |text: &str| {
        let near = &text.as_bytes()[same.saturating_sub(200)..(same + 200).min(text.len())];
        String::from_utf8_lossy(near).into_owned()
    };
    format!("   found …{}…\nexpected …{}…", near(found), near(expected))
}

#[test]
fn generated_queries_answer_what_the_rows_say() {
    for seed in 1..=6 {
        let mut random = Random::new(seed);
        let world = World::new(&mut random);
        for _ in 0..150 {
            let request = request::Ask::random(&mut random, &world.rows);
            let expected = evaluate::answer(&world.rows, &request);
            let (query, variables) = request.text(&mut random);
            let found = world.ask(&query, &variables);
            assert!(
                found == expected,
                "seed {seed}\n{query}\n{variables}\n{}",
                difference(&found, &expected)
            );
        }
    }
}
