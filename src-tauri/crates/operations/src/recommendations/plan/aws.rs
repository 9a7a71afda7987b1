//! Plans for AWS instances and volumes, from the recommendations of Compute Optimizer.

use super::{ChangePlan, Program, Subject, told};
use serde_json::Value;

/// Region and id of a resource, from its ARN: `arn:aws:ec2:eu-west-1:900000000011:instance/i-0a1b`.
fn place<'a>(details: &'a Value, kind: &str) -> Option<(&'a str, &'a str)> {
    let arn = details.get("resource_arn")?.as_str()?;
    let mut parts = arn.splitn(6, ':');
    let (service, region) = (parts.nth(2)?, parts.next()?);
    let (found, id) = parts.nth(1)?.split_once('/')?;
    let is_id = id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    (service == "ec2" && found == kind && is_word(region) && is_id).then_some((region, id))
}

/// Whether a text has the form of a type or region, and cannot be read as an option of the program.
fn is_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter))
}

fn word<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    let field = object
        .as_object()?
        .iter()
        .find(|(key, _)| key.as_str() == name || key.ends_with(&format!("_{name}")));
    field?.1.as_str().filter(|text| is_word(text))
}

fn whole(object: &Value, name: &str) -> Option<u64> {
    let field = object
        .as_object()?
        .iter()
        .find(|(key, _)| key.as_str() == name || key.ends_with(&format!("_{name}")));
    let number = field?.1.as_f64().filter(|number| number.fract() == 0.0 && (1.0..1e6).contains(number))?;
    format!("{number:.0}").parse().ok()
}

fn arguments(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Changes the type of an instance, which is stopped for the change.
pub(super) fn instance(subject: &Subject<'_>) -> Option<ChangePlan> {
    let details = subject.details;
    let (region, id) = place(details, "instance")?;
    let (from, to) =
        (word(&details["current"], "instance_type")?, word(&details["options"][0], "instance_type")?);
    if from == to {
        return None;
    }
    let calls = |kind: &str| {
        let ec2 = |words: &[&str]| arguments(&[&["--region", region, "ec2"], words].concat());
        vec![
            ec2(&["stop-instances", "--instance-ids", id]),
            ec2(&["wait", "instance-stopped", "--instance-ids", id]),
            ec2(&["modify-instance-attribute", "--instance-id", id, "--instance-type", kind]),
            ec2(&["start-instances", "--instance-ids", id]),
            ec2(&["wait", "instance-running", "--instance-ids", id]),
        ]
    };
    let plan = ChangePlan {
        program: Some(Program::Aws),
        commands: calls(to),
        inverse: calls(from),
        ..ChangePlan::default()
    };
    let change = format!(
        "Instance {id} in {region} becomes {to} instead of {from}. It is stopped for the change: what runs on it is away for some minutes, and what is on \
         instance store volumes is lost. A type of another processor architecture needs another image."
    );
    Some(told(&subject.title, &change, plan))
}

/// Changes the type or size of a volume. A volume cannot shrink.
pub(super) fn volume(subject: &Subject<'_>) -> Option<ChangePlan> {
    let details = subject.details;
    let (region, id) = place(details, "volume")?;
    let (now, option) = (&details["current"], &details["options"][0]);
    let to = word(option, "volume_type")?;
    let from = word(now, "volume_type")?;
    let (size, wanted) = (whole(now, "volume_size")?, whole(option, "volume_size")?);
    if wanted < size {
        let text = format!(
            "{}\n\nVolume {id} in {region}: {to} of {wanted} GiB instead of {from} of {size} GiB. A volume cannot shrink: a person makes a smaller \
             one and moves the data.",
            subject.title
        );
        return Some(ChangePlan { text, ..ChangePlan::default() });
    }
    if from == to && size == wanted {
        return None;
    }
    let size_text = wanted.to_string();
    let mut call = vec!["--region", region, "ec2", "modify-volume", "--volume-id", id, "--volume-type", to];
    if wanted > size {
        call.extend(["--size", &size_text]);
    }
    let back = ["--region", region, "ec2", "modify-volume", "--volume-id", id, "--volume-type", from];
    let plan = ChangePlan {
        program: Some(Program::Aws),
        commands: vec![arguments(&call)],
        inverse: if wanted > size { Vec::new() } else { vec![arguments(&back)] },
        ..ChangePlan::default()
    };
    let change = format!(
        "Volume {id} in {region} becomes {to} of {wanted} GiB instead of {from} of {size} GiB. It stays in use; AWS allows one change of a volume in six hours."
    );
    Some(told(&subject.title, &change, plan))
}

#[cfg(test)]
mod tests {
    use super::super::{Subject, plan};
    use serde_json::{Value, json};

    fn lines(details: &Value) -> Vec<String> {
        plan(&Subject { title: "x".to_owned(), details, account_name: "prod" }).lines()
    }

    #[test]
    fn an_instance_is_stopped_changed_and_started() {
        let details = json!({
            "resource_arn": "arn:aws:ec2:eu-west-1:900000000011:instance/i-0a1b",
            "current": { "instance_type": "m5.xlarge" }, "options": [{ "instance_type": "m5.large" }],
        });
        let lines = lines(&details);
        assert_eq!(lines.len(), 5);
        assert_eq!(
            lines[2],
            "aws --region eu-west-1 ec2 modify-instance-attribute --instance-id i-0a1b --instance-type m5.large"
        );
    }

    #[test]
    fn a_volume_changes_its_type_and_never_shrinks() {
        let volume = |size: u64| {
            json!({
                "resource_arn": "arn:aws:ec2:us-west-2:1:volume/vol-1",
                "current": { "volume_type": "gp2", "volume_size": 80 },
                "options": [{ "configuration_volume_type": "gp3", "configuration_volume_size": size }],
            })
        };
        assert_eq!(
            lines(&volume(80)),
            ["aws --region us-west-2 ec2 modify-volume --volume-id vol-1 --volume-type gp3"]
        );
        assert!(lines(&volume(50)).is_empty());
    }
}
