//! Changes the number of replicas of a workload relative to the current number.

use crate::template::to_text;
use serde_json::{Value, json};

/// A relative change of the replicas of a workload.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplicasChange {
    pub namespace: String,
    /// Name in kubectl notation, such as `deployment/web`.
    pub workload: String,
    step: Step,
    least: i64,
    most: i64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Copies(i64),
    Percent(f64),
}

impl Step {
    /// Parses a number such as -1, or a percentage such as 50%.
    fn read(text: &str) -> Option<Self> {
        match text.strip_suffix('%') {
            Some(percent) => {
                let percent = percent.trim().parse::<f64>().ok()?;
                (percent != 0.0 && (-100.0..=10_000.0).contains(&percent)).then_some(Self::Percent(percent))
            }
            None => text.parse::<i64>().ok().filter(|copies| *copies != 0).map(Self::Copies),
        }
    }

    /// Fractions are rounded away from the current number, so every step has an effect.
    fn from(self, now: i64) -> i64 {
        match self {
            Self::Copies(copies) => now.saturating_add(copies),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                reason = "numbers of copies are small"
            )]
            Self::Percent(percent) => {
                let part = now as f64 * percent / 100.0;
                now.saturating_add(if part < 0.0 { part.floor() } else { part.ceil() } as i64)
            }
        }
    }
}

impl ReplicasChange {
    /// Reads the parameters of `k8s.horizontal_rightsize` with `change_by`. `min` defaults to 1: a step does not scale a workload to zero.
    pub fn read(params: &Value, namespace: String, workload: String) -> Result<Self, String> {
        let text = |parameter: &str| to_text(&params[parameter]).trim().to_owned();
        let by = text("change_by");
        let step = Step::read(&by).ok_or_else(|| {
            format!("change_by: expected copies more or fewer, such as 2, -1 or 50%, found \"{by}\"")
        })?;
        let number = |parameter: &str, otherwise: i64| match text(parameter).as_str() {
            "" => Ok(otherwise),
            given => given
                .parse::<u32>()
                .map(i64::from)
                .map_err(|_| format!("{parameter}: expected a whole number, found \"{given}\"")),
        };
        let (least, most) = (number("min", 1)?, number("max", i64::from(i32::MAX))?);
        if least > most {
            return Err(format!("min is {least} and max {most}: expected no more than max"));
        }
        Ok(Self { namespace, workload, step, least, most })
    }

    /// Describes the change.
    pub fn told(&self) -> String {
        let step = match self.step {
            Step::Copies(copies) => format!("{copies:+}"),
            Step::Percent(percent) => format!("{percent:+}%"),
        };
        let most =
            if self.most < i64::from(i32::MAX) { format!(", at most {}", self.most) } else { String::new() };
        format!("Copies of {} in {}: {step}, at least {}{most}", self.workload, self.namespace, self.least)
    }

    /// The patch, with the number before and after; `None` if the number stays. The API server rejects the patch if the workload was changed
    /// meanwhile.
    ///
    /// # Errors
    /// The object has no number of replicas.
    pub fn patch(&self, live: &Value) -> Result<Option<(Value, i64, i64)>, String> {
        let now = live["spec"]["replicas"]
            .as_i64()
            .ok_or("the workload has no number of copies (spec.replicas)")?;
        let wanted = self.step.from(now).clamp(self.least, self.most);
        if wanted == now {
            return Ok(None);
        }
        let mut patch = json!({ "spec": { "replicas": wanted } });
        if let Some(version) = live["metadata"]["resourceVersion"].as_str() {
            patch["metadata"] = json!({ "resourceVersion": version });
        }
        Ok(Some((patch, now, wanted)))
    }
}

#[cfg(test)]
mod tests {
    use super::ReplicasChange;
    use serde_json::{Value, json};

    fn read(params: &Value) -> Result<ReplicasChange, String> {
        ReplicasChange::read(params, "shop".to_owned(), "deployment/web".to_owned())
    }

    fn wanted(params: Value, now: i64) -> Option<i64> {
        let live = json!({ "metadata": { "resourceVersion": "7" }, "spec": { "replicas": now } });
        let patch = read(&params).unwrap().patch(&live).unwrap();
        patch.map(|(patch, before, after)| {
            assert_eq!(before, now);
            assert_eq!(
                patch,
                json!({ "metadata": { "resourceVersion": "7" }, "spec": { "replicas": after } })
            );
            after
        })
    }

    #[test]
    fn copies_are_added_and_taken_away_within_bounds() {
        assert_eq!(wanted(json!({ "change_by": 2 }), 3), Some(5));
        assert_eq!(wanted(json!({ "change_by": "+2", "max": 4 }), 3), Some(4));
        assert_eq!(wanted(json!({ "change_by": -5 }), 3), Some(1), "a step does not switch it off");
        assert_eq!(wanted(json!({ "change_by": -5, "min": 0 }), 3), Some(0));
        assert_eq!(wanted(json!({ "change_by": "10%" }), 3), Some(4), "a part of a copy is a whole one");
        assert_eq!(wanted(json!({ "change_by": "-50 %" }), 4), Some(2));
        assert_eq!(wanted(json!({ "change_by": 1, "max": 3 }), 3), None);
    }

    #[test]
    fn what_is_no_step_says_why() {
        for by in [json!(null), json!(0), json!("many"), json!("-200%"), json!(1.5)] {
            let reason = read(&json!({ "change_by": by })).unwrap_err();
            assert!(reason.starts_with("change_by: expected copies more or fewer"), "{reason}");
        }
        assert!(read(&json!({ "change_by": 1, "min": 3, "max": 2 })).is_err());
        let bare = read(&json!({ "change_by": 1 })).unwrap().patch(&json!({}));
        assert_eq!(bare, Err("the workload has no number of copies (spec.replicas)".to_owned()));
        let told = read(&json!({ "change_by": "-10%", "max": 5 })).unwrap().told();
        assert_eq!(told, "Copies of deployment/web in shop: -10%, at least 1, at most 5");
    }
}
