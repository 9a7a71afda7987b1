//! Renders the post-mortem of an event as a PDF from the user's edited text, which is not stored.

use catalogue::Caller;
use graphql::Refusal;
use model::tables::events;
use model::{Id, Read, row};
use store::{Store, Transaction};
use uuid::Uuid;

row! { struct EventRow from events { id } }

/// The text as a PDF, if the caller may read the event. Blocks.
///
/// # Errors
/// If the caller cannot see such an event, or the text is empty or too long.
pub fn post_mortem_pdf(
    store: &Store,
    caller: &Caller,
    event: Uuid,
    markdown: &str,
) -> Result<Vec<u8>, Refusal> {
    let find = |rows: &Transaction<'_>| -> Result<Option<EventRow>, Refusal> {
        Ok(rows.query::<EventRow>().filter(events::id.eq(Id::new(event))).first()?)
    };
    if store.snapshot(caller, find)?.is_none() {
        return Err(Refusal::not_found(format!("there is no event {event} that you may read")));
    }
    reports::pdf_of_markdown(markdown).map_err(|error| Refusal::invalid(error.0))
}
