//! Random filters.
//!
//! The choice is derived from the time of the run, the value and the seed: rendering again gives the same result.

use super::super::values::{from_jinja, printed, to_jinja};
use super::wrong;
use minijinja::value::{Kwargs, Value as Jinja};
use minijinja::{Environment, Error};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

pub(super) fn add(environment: &mut Environment<'static>, now: i64) {
    environment.add_filter("shuffle", move |value: Jinja, options: Kwargs| {
        let mut chance = SeededRandom::of(now, &value, &options)?;
        let Value::Array(mut items) = from_jinja(&value) else {
            return Err(wrong("shuffle expected a list"));
        };
        for place in (1..items.len()).rev() {
            items.swap(place, chance.below(place + 1));
        }
        Ok(to_jinja(&Value::Array(items)))
    });
    for name in ["ans_random", "random"] {
        environment.add_filter(name, move |value: Jinja, options: Kwargs| {
            let mut chance = SeededRandom::of(now, &value, &options)?;
            random(&from_jinja(&value), &mut chance, &options)
        });
    }
    environment.add_filter("random_mac", move |value: Jinja, options: Kwargs| {
        let mut chance = SeededRandom::of(now, &value, &options)?;
        random_mac(&printed(&value), &mut chance)
    });
}

/// An item of a list, or a number from `start` to below the value, in steps.
fn random(value: &Value, chance: &mut SeededRandom, options: &Kwargs) -> Result<Jinja, Error> {
    if let Value::Array(items) = value {
        let Some(last) = items.len().checked_sub(1) else {
            return Err(wrong("random expected a list with items"));
        };
        return Ok(to_jinja(&items[chance.below(last + 1)]));
    }
    let start = options.get::<Option<i64>>("start")?.unwrap_or_default();
    let step = options.get::<Option<i64>>("step")?.unwrap_or(1);
    let Some(end) = value.as_i64() else { return Err(wrong("random expected a list or a whole number")) };
    let steps = if step > 0 { end.saturating_sub(start).saturating_add(step - 1) / step } else { 0 };
    let steps = usize::try_from(steps).unwrap_or_default();
    if steps == 0 {
        return Err(wrong(format!("random has no number from {start} to below {end} in steps of {step}")));
    }
    Ok(Jinja::from(start + step * i64::try_from(chance.below(steps)).unwrap_or_default()))
}

/// A MAC address with a prefix such as `52:54:00`.
fn random_mac(prefix: &str, chance: &mut SeededRandom) -> Result<String, Error> {
    let prefix = prefix.to_lowercase();
    let mut parts: Vec<String> =
        prefix.split(':').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let is_byte = |part: &String| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    if parts.is_empty() || parts.len() > 5 || !parts.iter().all(is_byte) {
        return Err(wrong(format!(
            "random_mac expected one to five bytes such as 52:54:00, found \"{prefix}\""
        )));
    }
    while parts.len() < 6 {
        parts.push(format!("{:02x}", chance.below(256)));
    }
    Ok(parts.join(":"))
}

/// A deterministic random generator.
struct SeededRandom {
    seed: Vec<u8>,
    next: u64,
}

impl SeededRandom {
    /// Seeded with the `seed` option, else with time and value.
    fn of(now: i64, value: &Jinja, options: &Kwargs) -> Result<Self, Error> {
        let seed = options.get::<Option<Jinja>>("seed")?;
        let seed =
            seed.map_or_else(|| format!("{now} {}", from_jinja(value)), |seed| from_jinja(&seed).to_string());
        Ok(Self { seed: seed.into_bytes(), next: 0 })
    }

    /// A number from 0 to below `end`, which must not be 0.
    fn below(&mut self, end: usize) -> usize {
        let mut hash = Sha256::new();
        hash.update(&self.seed);
        hash.update(self.next.to_le_bytes());
        self.next += 1;
        let number = hash.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        usize::try_from(number % end as u64).unwrap_or_default()
    }
}
