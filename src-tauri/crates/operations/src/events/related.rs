//! The stored relations of an event: repetitions of the same event, and correlated events.

use super::status;
use crate::kit::Arguments;
use graphql::{Call, Refusal};
use model::operations::{
    DuplicateSuggestion, EventGetCorrelationsOutput, EventGetDuplicateSuggestionsOutput,
    EventGetDuplicatesOutput, TriageCorrelatedEvent, TriageDuplicateEvent,
};
use model::tables::{event_correlations, event_duplicates, events};
use model::{EventStatus, Number, Read as _, Timestamp, row};

/// Events returned per series, newest first.
const LONGEST: u64 = 200;

row! {
    /// An event's position in its series.
    struct Place from event_duplicates {
        cloud_account_id, created_at, event_id, fingerprint, first_event_id, occurrence_number
    }
}
row! { struct Print from events { fingerprint } }
row! {
    /// An event of a series.
    struct SeriesEvent from events { id, title, starts_at, created_at, status }
}
row! {
    /// The relation between two events.
    struct Relation from event_correlations {
        related_event_id, correlation_reason, correlation_score, correlation_type, dependency_distance, time_offset_minutes
    }
}
row! {
    /// The columns returned for a related event.
    struct Other from events {
        finding_type, fingerprint, starts_at, created_at, status, title, subject_name, subject_namespace, subject_owner, subject_owner_kind
    }
}

/// When the event began, or when it arrived if that is unknown.
fn start(starts_at: Option<Timestamp>, created_at: Timestamp) -> String {
    starts_at.unwrap_or(created_at).to_string()
}

/// The event's status; FIRING if it has none.
fn state(status: Option<EventStatus>) -> String {
    status.map_or_else(|| "FIRING".to_owned(), |status| status.to_string())
}

/// `event_get_duplicates`
pub(super) fn duplicates(call: &Call<'_>) -> Result<EventGetDuplicatesOutput, Refusal> {
    let asked = Arguments(call.arguments).needed_id("event_id")?;
    status::find(call.rows, asked)?;
    let own = call.rows.query::<Place>().filter(event_duplicates::event_id.eq(asked)).first()?;
    let Some(own) = own else {
        return Ok(EventGetDuplicatesOutput {
            event_id: asked.to_string(),
            is_duplicate: false,
            first_event_id: None,
            occurrence_number: None,
            total_occurrences: 1,
            duplicate_chain: Some(Vec::new()),
        });
    };
    let series = || {
        call.rows
            .query::<Place>()
            .filter(event_duplicates::cloud_account_id.eq(own.cloud_account_id))
            .filter(event_duplicates::fingerprint.eq(own.fingerprint.as_str()))
    };
    let newest = series().order(event_duplicates::occurrence_number.desc()).limit(LONGEST).rows()?;
    let mut chain = Vec::with_capacity(newest.len());
    for place in newest.into_iter().rev() {
        let Some(event) = call.rows.find::<SeriesEvent>(place.event_id)? else { continue };
        chain.push(TriageDuplicateEvent {
            created_at: place.created_at.to_string(),
            event_id: place.event_id.to_string(),
            event_starts_at: start(event.starts_at, event.created_at),
            event_state: state(event.status),
            first_event_id: place.first_event_id.to_string(),
            occurrence_number: place.occurrence_number,
        });
    }
    Ok(EventGetDuplicatesOutput {
        event_id: asked.to_string(),
        is_duplicate: own.occurrence_number > 1,
        first_event_id: Some(own.first_event_id.to_string()),
        occurrence_number: Some(own.occurrence_number),
        total_occurrences: number(series().count()?),
        duplicate_chain: Some(chain),
    })
}

/// `event_get_duplicate_suggestions`
pub(super) fn suggestions(call: &Call<'_>) -> Result<EventGetDuplicateSuggestionsOutput, Refusal> {
    let asked = Arguments(call.arguments).needed_id("event_id")?;
    let found = status::find(call.rows, asked)?;
    let print = call.rows.find::<Print>(asked)?.and_then(|event| event.fingerprint);
    let (Some(print), Some(account)) = (print.filter(|print| !print.is_empty()), found.account) else {
        return Ok(EventGetDuplicateSuggestionsOutput { suggestions: Vec::new() });
    };
    let series = || {
        let of_account = events::cloud_account_id.eq(account);
        call.rows.query::<SeriesEvent>().filter(of_account).filter(events::fingerprint.eq(print.as_str()))
    };
    let total = number(series().count()?);
    let newest = series().order(events::starts_at.desc()).order(events::id.desc()).limit(LONGEST).rows()?;
    let suggestion = |(place, event): (i64, SeriesEvent)| DuplicateSuggestion {
        is_first: total - place == 1,
        occurrence_number: total - place,
        starts_at: start(event.starts_at, event.created_at),
        event_id: event.id.to_string(),
        title: event.title,
    };
    let others = (0_i64..).zip(newest).filter(|(_, event)| event.id.uuid() != asked);
    Ok(EventGetDuplicateSuggestionsOutput { suggestions: others.map(suggestion).collect() })
}

/// `event_get_correlations`
pub(super) fn correlations(call: &Call<'_>) -> Result<EventGetCorrelationsOutput, Refusal> {
    let asked = Arguments(call.arguments).needed_id("event_id")?;
    status::find(call.rows, asked)?;
    let relations = call
        .rows
        .query::<Relation>()
        .filter(event_correlations::event_id.eq(asked))
        .order(event_correlations::correlation_score.desc())
        .order(event_correlations::related_event_id.asc())
        .rows()?;
    let mut correlated = Vec::with_capacity(relations.len());
    for relation in relations {
        let Some(event) = call.rows.find::<Other>(relation.related_event_id)? else { continue };
        correlated.push(TriageCorrelatedEvent {
            correlated_event_id: relation.related_event_id.to_string(),
            correlated_finding_type: Some(event.finding_type),
            correlated_fingerprint: event.fingerprint.unwrap_or_default(),
            correlated_starts_at: start(event.starts_at, event.created_at),
            correlated_state: state(event.status),
            correlated_title: event.title,
            correlation_reason: relation.correlation_reason,
            correlation_score: Number::Exact(relation.correlation_score),
            correlation_type: relation.correlation_type,
            dependency_distance: relation.dependency_distance,
            subject_name: Some(event.subject_name),
            subject_namespace: event.subject_namespace,
            subject_owner: event.subject_owner,
            subject_owner_kind: event.subject_owner_kind,
            time_offset_minutes: relation.time_offset_minutes,
        });
    }
    Ok(EventGetCorrelationsOutput {
        event_id: asked.to_string(),
        correlation_count: i64::try_from(correlated.len()).unwrap_or(i64::MAX),
        correlated_events: Some(correlated),
    })
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
