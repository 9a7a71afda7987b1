//! Requests that follow the measured usage: with a margin, ignoring small differences, and with a limit for each step.

use super::quantity;
use super::resources::Amount;
use crate::template::to_text;
use serde_json::Value;

/// Default margin above the usage, in percent.
const BUFFER: f64 = 15.0;
/// Default minimum change, in percent.
const LEAST_CHANGE: f64 = 10.0;

/// A request derived from the measured usage.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageRule {
    /// Thousandths of a core, or bytes; `None` if it has not been queried yet.
    usage: Option<f64>,
    /// Margin in percent of the usage.
    buffer: f64,
    /// Minimum request.
    least: Option<f64>,
    /// In percent of the current request: smaller changes are ignored, larger ones are capped.
    least_change: f64,
    most_change: Option<f64>,
    /// Minimum factor of the current request, if a container was killed for lack of memory.
    after_kill: Option<f64>,
}

impl UsageRule {
    /// Reads `cpu` or `memory` with `usage`; `None` without a usage.
    pub(super) fn read(amount: Amount, given: &Value) -> Result<Option<Self>, String> {
        let Some(usage) = given.get("usage") else { return Ok(None) };
        let name = amount.name();
        let text = to_text(usage);
        let usage = Some(text.trim()).filter(|text| !text.is_empty()).map(|text| {
            let wrong = || format!("{name}.usage: expected a quantity, found \"{text}\"");
            quantity::read(amount, text).ok_or_else(wrong)
        });
        let number = |field: &str, least: f64| -> Result<Option<f64>, String> {
            let text = to_text(&given[field]);
            let text = text.trim().trim_end_matches('%');
            if text.is_empty() {
                return Ok(None);
            }
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= least);
            number
                .map(Some)
                .ok_or_else(|| format!("{name}.{field}: expected {least} or more, found \"{text}\""))
        };
        let least = to_text(&given["min_request"]);
        let least = Some(least.trim()).filter(|least| !least.is_empty()).map(|least| {
            let wrong = || format!("{name}.min_request: expected a quantity, found \"{least}\"");
            quantity::read(amount, least).ok_or_else(wrong)
        });
        let was_killed = to_text(&given["kills"]).trim().parse::<f64>().is_ok_and(|kills| kills > 0.0);
        Ok(Some(Self {
            usage: usage.transpose()?,
            buffer: number("buffer_pct", 0.0)?.unwrap_or(BUFFER),
            least: least.transpose()?,
            least_change: number("min_change_pct", 0.0)?.unwrap_or(LEAST_CHANGE),
            most_change: number("max_change_pct", 0.0)?.filter(|most| *most > 0.0),
            after_kill: number("oom_kill_increase_factor", 1.0)?.filter(|_| was_killed),
        }))
    }

    /// The new request for the current one; `None` if the difference is too small.
    ///
    /// # Errors
    /// The usage is unknown.
    pub(super) fn wanted(&self, amount: Amount, present: Option<f64>) -> Result<Option<f64>, String> {
        let usage =
            self.usage.ok_or_else(|| format!("{}: there is no figure of what was used", amount.name()))?;
        let mut wanted = (usage * (1.0 + self.buffer / 100.0)).max(self.least.unwrap_or(0.0));
        let Some(present) = present.filter(|present| *present > 0.0) else { return Ok(Some(wanted)) };
        if let Some(factor) = self.after_kill {
            wanted = wanted.max(present * factor);
        }
        if (wanted - present).abs() / present * 100.0 < self.least_change {
            return Ok(None);
        }
        let most = self.most_change.map_or(f64::INFINITY, |most| present * most / 100.0);
        Ok(Some(wanted.clamp((present - most).max(0.0), present + most)))
    }

    /// Describes the change.
    pub(super) fn told(&self, amount: Amount) -> String {
        let used =
            self.usage.map(|usage| format!(" ({})", quantity::write(amount, usage))).unwrap_or_default();
        let most = self.most_change.map(|most| format!(", by {most}% of now at most")).unwrap_or_default();
        format!("{} what was used{used} and {}% more{most}", amount.name(), self.buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::UsageRule;
    use crate::changes::Amount::{Cpu, Memory};
    use serde_json::{Value, json};

    fn wanted(given: Value, present: Option<f64>) -> Option<f64> {
        UsageRule::read(Cpu, &given).unwrap().unwrap().wanted(Cpu, present).unwrap()
    }

    #[test]
    fn a_request_follows_what_was_used_within_bounds() {
        let used = |more: Value| {
            let mut given = json!({ "usage": 0.2, "buffer_pct": 10 });
            given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            given
        };
        let near =
            |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 1e-6);
        assert!(near(wanted(used(json!({})), None), 220.0), "nothing is asked for yet");
        assert!(near(wanted(used(json!({})), Some(1000.0)), 220.0));
        assert!(near(wanted(used(json!({ "max_change_pct": 25 })), Some(1000.0)), 750.0), "step by step");
        assert!(near(wanted(used(json!({ "max_change_pct": 25 })), Some(100.0)), 125.0));
        assert!(near(wanted(used(json!({ "min_request": "300m" })), Some(1000.0)), 300.0));
        assert_eq!(wanted(used(json!({})), Some(210.0)), None, "five percent are no difference");
        assert!(near(wanted(used(json!({ "min_change_pct": 1 })), Some(210.0)), 220.0));
    }

    #[test]
    fn after_a_kill_there_is_more_memory_than_before() {
        let given = json!({ "usage": 100.0 * 1_048_576.0, "oom_kill_increase_factor": 1.5, "kills": 1.0 });
        let wish = UsageRule::read(Memory, &given).unwrap().unwrap();
        assert_eq!(wish.wanted(Memory, Some(200.0 * 1_048_576.0)), Ok(Some(300.0 * 1_048_576.0)));
        let calm = json!({ "usage": 100.0 * 1_048_576.0, "buffer_pct": 0, "oom_kill_increase_factor": 1.5, "kills": null });
        let wish = UsageRule::read(Memory, &calm).unwrap().unwrap();
        assert_eq!(wish.wanted(Memory, Some(200.0 * 1_048_576.0)), Ok(Some(100.0 * 1_048_576.0)));
    }

    #[test]
    fn figures_that_are_missing_or_wrong_are_told() {
        for (given, told) in [
            (json!({ "usage": "lots" }), "cpu.usage: expected a quantity"),
            (json!({ "usage": 1, "buffer_pct": -5 }), "cpu.buffer_pct: expected 0 or more"),
            (json!({ "usage": 1, "min_request": "x" }), "cpu.min_request: expected a quantity"),
        ] {
            assert!(UsageRule::read(Cpu, &given).unwrap_err().starts_with(told), "{given}");
        }
        assert_eq!(UsageRule::read(Cpu, &json!({ "request": "1" })), Ok(None));
        let unknown = UsageRule::read(Cpu, &json!({ "usage": null })).unwrap().unwrap();
        assert_eq!(unknown.wanted(Cpu, None), Err("cpu: there is no figure of what was used".to_owned()));
        assert_eq!(unknown.told(Cpu), "cpu what was used and 15% more");
    }
}
