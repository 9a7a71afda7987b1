//! User-defined monitoring in the sample data: an anomaly rule for latency, a virtual tag, and feedback on an anomaly.

use super::{Sample, document};
use graphql::Refusal;
use model::tables::{anomaly, anomaly_config, anomaly_feedback, virtual_tag};
use model::{AnomalyChangeOperator, AnomalyType, Decimal, Id, Json, Read as _, Writer, row};
use store::{Store, Transaction};
use uuid::Uuid;

row! { struct FoundAnomaly from anomaly { id, account_id, name, currency, started_on } }

/// The rules of the virtual tag: owner by service and team.
const OWNERS: &str = r#"[
    { "scope": { "service_name": ["Amazon CloudWatch", "Azure Monitor"] }, "value": "Platform" },
    { "scope": { "tags.team": ["shop"] }, "value": "Shop" },
    { "scope": { "tags.team": ["data"] }, "value": "Data" }
]"#;
/// The owner of all other charges.
const OTHER_OWNER: &str = "Back office";

/// The service of the anomaly with feedback, the verdict, and the note.
const JUDGED: (&str, &str, &str) =
    ("Amazon Elastic Compute Cloud", "useful", "A load test of the shop ran on without anybody knowing.");

/// Writes the rule and the tag. The caller runs the analyses that depend on them.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    let writer = sample.writer()?;
    writer.insert([
        anomaly_config::id.to(sample.id("rule response times")),
        anomaly_config::cloud_account_id.to(sample.account("shop")?.uuid()),
        anomaly_config::anomaly_type.to(AnomalyType::Latency),
        anomaly_config::buffer_percentage.to(Decimal::from(25)),
        anomaly_config::change_operator.to(AnomalyChangeOperator::Gt),
        anomaly_config::created_by.to(sample.person.uuid()),
        anomaly_config::updated_by.to(sample.person.uuid()),
    ])?;
    writer.insert([
        virtual_tag::id.to(sample.id("virtual tag owner")),
        virtual_tag::key.to("owner"),
        virtual_tag::name.to("Owner"),
        virtual_tag::rules.to(Json::from(document(OWNERS)?)),
        virtual_tag::other_value.to(OTHER_OWNER),
    ])?;
    Ok(())
}

/// Stores the feedback on the anomaly.
pub(super) fn judge(store: &Store, tenant: Uuid, person: Uuid) -> Result<(), Refusal> {
    let (service, verdict, note) = JUDGED;
    store.transaction(&catalogue::Caller::system_for(tenant), |rows: &Transaction<'_>| {
        let rows = rows.without_actor();
        let Some(found) = rows.query::<FoundAnomaly>().filter(anomaly::name.eq(service)).first()? else {
            return Ok(());
        };
        let writer = Writer::derived(&rows)?;
        let (Some(currency), Some(started_on)) = (found.currency, found.started_on) else { return Ok(()) };
        writer.insert([
            anomaly_feedback::anomaly_id.to(found.id.uuid()),
            anomaly_feedback::account_id.to(found.account_id),
            anomaly_feedback::scope.to("service"),
            anomaly_feedback::name.to(found.name),
            anomaly_feedback::currency.to(currency),
            anomaly_feedback::started_on.to(started_on),
            anomaly_feedback::verdict.to(verdict),
            anomaly_feedback::note.to(note),
            anomaly_feedback::created_by.to(Id::new(person)),
        ])?;
        writer.update(anomaly::id.eq(found.id), [anomaly::feedback.to(verdict)])?;
        Ok(())
    })
}
