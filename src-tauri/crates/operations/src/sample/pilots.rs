//! A paused auto-pilot with past tasks, and a disabled playbook.

use super::{Sample, document};
use graphql::Refusal;
use model::tables::{auto_optimize_resource_map, auto_pilot, auto_pilot_task, auto_playbook};
use model::{AutoPilot, AutoPilotStatus, AutoPilotTaskStatus, AutoPlaybookStatus, Id, Json};
use serde_json::Value;

const CATEGORY: &str = "vertical_rightsize";
const RESOURCES: [&str; 2] = [
    r#"{"namespace": "web", "type": "Deployment", "name": "storefront"}"#,
    r#"{"namespace": "web", "type": "Deployment", "name": "search"}"#,
];

/// Age in days, resource, its index in [`RESOURCES`], state, reason, command.
type Task = (i64, &'static str, usize, AutoPilotTaskStatus, &'static str, Option<&'static str>);

/// The auto-pilot's past tasks.
const TASKS: [Task; 3] = [
    (
        34,
        "storefront",
        0,
        AutoPilotTaskStatus::Complete,
        "the next dump of the cluster shows the requests that were asked for",
        Some(
            "kubectl -n web set resources deployment/storefront -c storefront --requests=cpu=250m,memory=256Mi",
        ),
    ),
    (
        33,
        "search",
        1,
        AutoPilotTaskStatus::Failed,
        "kubectl ended with 1: deployments.apps \"search\" is forbidden",
        Some("kubectl -n web set resources deployment/search -c search --requests=cpu=300m,memory=700Mi"),
    ),
    (32, "search", 1, AutoPilotTaskStatus::Skipped, "an attempt of a person is under way", None),
];

/// Writes all rows.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    let writer = sample.writer()?;
    let account = sample.account("shop")?;
    let id: Id<AutoPilot> = sample.id("auto-pilot");
    let resources = RESOURCES.map(document).into_iter().collect::<Result<Vec<Value>, _>>()?;
    let filter = Value::Object(serde_json::Map::from_iter([(
        "resource_filter".to_owned(),
        Value::Array(resources.clone()),
    )]));
    let day = 24 * 60;
    let (made, last) = (sample.before(45 * day), sample.before(32 * day - 5 * 60));
    writer.insert([
        auto_pilot::id.to(id),
        auto_pilot::account_id.to(account),
        auto_pilot::attributes.to(Json::from(document(
            r#"{"auto_optimize_config": null, "git_ops_config": null, "ticket_config": null}"#,
        )?)),
        auto_pilot::category.to(CATEGORY),
        auto_pilot::name.to("CPU and memory of Deployment storefront in web and 1 more"),
        auto_pilot::notification.to(Json::from(document("{}")?)),
        auto_pilot::rule.to(Json::from(filter)),
        auto_pilot::schedule_time.to("0 5 * * *".to_owned()),
        auto_pilot::start_at.to(made),
        auto_pilot::last_executed_time.to(last),
        auto_pilot::last_schedule_time.to(last),
        auto_pilot::execution_status.to("Idle".to_owned()),
        auto_pilot::status.to(AutoPilotStatus::Disabled),
        auto_pilot::trigger_type.to("schedule".to_owned()),
        auto_pilot::source.to("user".to_owned()),
        auto_pilot::created_by.to(sample.person),
        auto_pilot::update_by.to(sample.person),
        auto_pilot::creation_date.to(made),
        auto_pilot::update_date.to(last),
    ])?;
    for resource in &resources {
        writer.insert([
            auto_optimize_resource_map::account_id.to(account),
            auto_optimize_resource_map::auto_optimize_id.to(id),
            auto_optimize_resource_map::auto_optimize_type.to(CATEGORY),
            auto_optimize_resource_map::resource_identifier.to(Json::from(resource)),
        ])?;
    }
    for (days, name, place, status, reason, command) in TASKS {
        let at = sample.before(days * day - 5 * 60);
        writer.insert([
            auto_pilot_task::id.to(sample.id(&format!("task {days}"))),
            auto_pilot_task::account_id.to(account),
            auto_pilot_task::auto_pilot_id.to(id),
            auto_pilot_task::name.to(format!("container_rightsizing of web/Deployment/{name}")),
            auto_pilot_task::resource_filter.to(Json::from(&resources[place])),
            auto_pilot_task::command.to_option(command.map(str::to_owned)),
            auto_pilot_task::status.to(status),
            auto_pilot_task::reason.to(reason.to_owned()),
            auto_pilot_task::scheduled_time.to(at),
            auto_pilot_task::created_at.to(at),
            auto_pilot_task::updated_at.to(at),
        ])?;
    }
    writer.insert([
        auto_playbook::id.to(sample.id("playbook")),
        auto_playbook::account_id.to(account),
        auto_playbook::name.to("Note a service that keeps ending"),
        auto_playbook::execution_status.to("Idle"),
        auto_playbook::status.to(AutoPlaybookStatus::Disabled),
        auto_playbook::trigger
            .to(Json::from(document(r#"{"type": "event", "event_type": "KubePodCrashLooping"}"#)?)),
        auto_playbook::tasks.to(Json::from(document(
            r#"[{"type": "core.print", "config": {"message": "{{ Inputs.event.title }}"}}]"#,
        )?)),
        auto_playbook::created_by.to(sample.person),
        auto_playbook::updated_by.to(sample.person),
        auto_playbook::created_at.to(made),
        auto_playbook::update_at.to(made),
    ])?;
    Ok(())
}
