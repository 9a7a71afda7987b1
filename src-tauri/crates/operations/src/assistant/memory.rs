//! Lists the assistant's learned facts and the references of its answers, newest first.

use crate::kit::Look;
use crate::kit::in_account::{Data, argument, data, id, within};
use catalogue::Right;
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::Value;

const DEFAULT_LIMIT: i64 = 100;
const MAX_LIMIT: i64 = 1_000;

#[derive(Deserialize)]
struct Request {
    account_id: String,
    agent_id: Option<String>,
    conversation_id: Option<String>,
    message_id: Option<String>,
    limit: Option<i64>,
    offset: Option<i64>,
}

pub(super) fn list(call: &Call<'_>) -> Result<Data<Vec<Value>>, Refusal> {
    let columns =
        ["id", "account_id", "conversation_id", "message_id", "memory_type", "created_at", "content"];
    page_of(call, "llm_memory", &columns)
}

pub(super) fn list_references(call: &Call<'_>) -> Result<Data<Vec<Value>>, Refusal> {
    let columns = [
        "id",
        "account_id",
        "agent_id",
        "conversation_id",
        "message_id",
        "reference_id",
        "type",
        "created_at",
        "content",
    ];
    page_of(call, "llm_reference", &columns)
}

fn page_of(call: &Call<'_>, table: &str, columns: &[&str]) -> Result<Data<Vec<Value>>, Refusal> {
    let request: Request = argument(call, "request")?;
    let page = Page::new(request.limit, request.offset)?;
    within(call, Right::Read, &request.account_id, |place| {
        let mut look = Look::at(&place.rows, table)?.with("account_id", place.account)?;
        let ids = [("conversation_id", &request.conversation_id), ("message_id", &request.message_id)];
        for (column, given) in ids {
            if let Some(given) = given {
                look = look.with(column, id(column, given)?)?;
            }
        }
        if let Some(agent) = &request.agent_id {
            look = look.with("agent_id", agent)?;
        }
        let look = page.of(look.ordered("created_at", true)?.ordered("id", false)?);
        Ok(data(look.rows(columns)?))
    })
}

/// The requested part of a list.
#[derive(Debug, PartialEq)]
struct Page {
    limit: u64,
    offset: u64,
}

impl Page {
    fn new(limit: Option<i64>, offset: Option<i64>) -> Result<Self, Refusal> {
        let limit = limit.unwrap_or(DEFAULT_LIMIT);
        let offset = offset.unwrap_or(0);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Refusal::invalid(format!("limit is {limit}: expected 1 to {MAX_LIMIT}")));
        }
        let offset = u64::try_from(offset)
            .map_err(|_| Refusal::invalid(format!("offset is {offset}: expected 0 or more")))?;
        Ok(Self { limit: u64::try_from(limit).unwrap_or_default(), offset })
    }

    fn of<'a>(&self, look: Look<'a>) -> Look<'a> {
        look.limit(self.limit).offset(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_a_hundred_rows_unless_said() {
        assert_eq!(Page::new(None, None), Ok(Page { limit: 100, offset: 0 }));
        assert_eq!(Page::new(Some(5), Some(10)), Ok(Page { limit: 5, offset: 10 }));
    }

    #[test]
    fn a_limit_or_offset_out_of_range_is_refused() {
        let refused = |limit, offset| Page::new(limit, offset).unwrap_err().message;
        assert_eq!(refused(Some(0), None), "limit is 0: expected 1 to 1000");
        assert_eq!(refused(Some(1_001), None), "limit is 1001: expected 1 to 1000");
        assert_eq!(refused(None, Some(-1)), "offset is -1: expected 0 or more");
    }
}
