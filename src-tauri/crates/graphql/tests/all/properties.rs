//! Generated data and queries: every response must equal a slow, simple evaluation over the same rows.
//!
//! Seeds are fixed, therefore failures are reproducible. The other tenant has the same rows under other ids: any leak (a row, a count, an
//! existence) would change a response.

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

/// The text around the first difference of two responses.
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
