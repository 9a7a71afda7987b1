//! Status machines: statuses and their allowed transitions.

use graphql::Refusal;
use std::fmt::Write as _;

/// The statuses of one kind of object, each with the statuses that may follow it.
pub(crate) struct States {
    /// The kind with its article, as at the beginning of a sentence: `an auto-pilot`.
    pub what: &'static str,
    pub steps: &'static [(&'static str, &'static [&'static str])],
}

impl States {
    /// The status with that name, as stored; case is ignored.
    pub(crate) fn named(&self, name: &str) -> Result<&'static str, Refusal> {
        let found = self.steps.iter().find(|(state, _)| state.eq_ignore_ascii_case(name));
        found.map(|(state, _)| *state).ok_or_else(|| {
            let known: Vec<&str> = self.steps.iter().map(|(state, _)| *state).collect();
            let message = format!("\"{name}\" is no status of {}: expected {}", self.what, either(&known));
            Refusal::invalid(message)
        })
    }

    /// Refuses a transition that is not allowed; the message lists the allowed ones. A transition to the same status is refused unless it is
    /// listed.
    pub(crate) fn step(&self, from: &str, to: &str) -> Result<&'static str, Refusal> {
        let to = self.named(to)?;
        let next = self.steps.iter().find(|(state, _)| *state == from).map_or(&[][..], |(_, next)| *next);
        if next.contains(&to) {
            return Ok(to);
        }
        let mut message = format!("{} that is {from} cannot become {to}; ", self.what);
        match next {
            [] => message.push_str("it stays as it is"),
            _ => {
                let _ = write!(message, "it can become {}", either(next));
            }
        }
        Err(Refusal::conflict(message))
    }
}

/// `a, b or c`
pub(crate) fn either(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::States;
    use graphql::Refusal;

    const DOOR: States = States {
        what: "a door",
        steps: &[("OPEN", &["SHUT"]), ("SHUT", &["OPEN", "WALLED"]), ("WALLED", &[])],
    };

    #[test]
    fn a_step_that_is_foreseen_is_taken() {
        assert_eq!(DOOR.step("OPEN", "shut"), Ok("SHUT"));
    }

    #[test]
    fn a_step_that_is_not_foreseen_is_refused_with_those_that_are() {
        for (from, to, expected) in [
            ("OPEN", "WALLED", "a door that is OPEN cannot become WALLED; it can become SHUT"),
            ("WALLED", "OPEN", "a door that is WALLED cannot become OPEN; it stays as it is"),
        ] {
            assert_eq!(DOOR.step(from, to), Err(Refusal::conflict(expected)));
        }
    }

    #[test]
    fn an_unknown_state_is_refused_with_those_that_are_known() {
        let expected = "\"ajar\" is no status of a door: expected OPEN, SHUT or WALLED";
        assert_eq!(DOOR.step("OPEN", "ajar"), Err(Refusal::invalid(expected)));
    }
}
