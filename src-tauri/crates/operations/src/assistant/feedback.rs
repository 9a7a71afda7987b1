//! Feedback of users on answers.

use crate::kit::in_account::{DataOnly, Success, argument, filled, id, within};
use catalogue::Right;
use graphql::{Call, Refusal};
use serde::Deserialize;

#[derive(Deserialize)]
struct Request {
    additional_notes: String,
    cloud_account_id: String,
    conversation_id: String,
    llm_response: String,
    module: String,
    question: String,
    session_id: String,
    useful: bool,
    user_corrected_response: String,
}

/// Stores a user's feedback on an answer. The conversation need not exist in this service.
pub(super) fn create(call: &Call<'_>) -> Result<DataOnly<Success>, Refusal> {
    let given: Request = argument(call, "request")?;
    within(call, Right::Read, &given.cloud_account_id, |place| {
        let person = place.person.ok_or_else(Refusal::denied)?;
        let module = filled("module", &given.module)?;
        let conversation = match given.conversation_id.trim() {
            "" => None,
            text => Some(id("conversation_id", text)?),
        };
        place.rows.insert(
            "llm_feedback",
            &[
                ("account_id", place.account.into()),
                ("user_id", person.into()),
                ("conversation_id", conversation.into()),
                ("session_id", given.session_id.as_str().into()),
                ("module", module.into()),
                ("question", given.question.as_str().into()),
                ("llm_response", given.llm_response.as_str().into()),
                ("useful", given.useful.into()),
                ("additional_notes", given.additional_notes.as_str().into()),
                ("user_corrected_response", given.user_corrected_response.as_str().into()),
            ],
        )?;
        Ok(DataOnly { data: Success { success: true } })
    })
}
