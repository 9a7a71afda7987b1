//! Listings: generated requests (where, columns, group_by, transformations, order, pages) compared with a slow evaluation.

mod ask;
mod columns;
mod condition;
mod evaluate;

use super::data::World;
use super::random::Random;
use ask::Ask;

#[test]
fn generated_listings_answer_what_the_rows_say() {
    for seed in 1..=6 {
        let mut random = Random::new(seed + 100);
        let world = World::new(&mut random);
        for _ in 0..150 {
            let ask = Ask::random(&mut random, &world.rows);
            let (query, variables) = ask.text();
            let found = world.ask(&query, &variables);
            let expected = evaluate::answer(&world.rows, &ask);
            assert_eq!(found, expected, "seed {seed}\n{query}\n{variables}");
        }
    }
}
