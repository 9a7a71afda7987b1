//! The request of `spend_commitment_proposals`.

use super::super::days::last_day;
use crate::kit::Arguments;
use analysis::commitments::rest;
use catalogue::Decimal;
use graphql::Refusal;
use serde_json::{Map, Value as Json};

/// The longest term, in months.
const LONGEST: i64 = 60;

/// The validated request.
pub(super) struct Request<'a> {
    pub as_of: Option<i32>,
    pub account_ids: Option<&'a Json>,
    pub service: Option<&'a str>,
    pub family: Option<&'a str>,
    pub currency: Option<&'a str>,
    /// The discount as a fraction between 0 and 1, exclusive; `None` uses the discount that the bill shows.
    pub discount: Option<Decimal>,
    /// The part paid upfront, as a fraction.
    pub upfront: Decimal,
    pub term_months: u32,
    /// An hourly commitment to evaluate in addition to the recommended one.
    pub hourly: Option<Decimal>,
}

impl<'a> Request<'a> {
    pub fn read(arguments: &'a Map<String, Json>) -> Result<Self, Refusal> {
        let request = Arguments(arguments).object("request");
        let text = |name| request.text(name).filter(|text| !text.is_empty());
        let discount = number(request, "discount")?;
        if discount.is_some_and(|discount| rest(discount).is_none()) {
            return Err(wrong(request, "discount", "a share above 0 and below 1, such as 0.28"));
        }
        let upfront = number(request, "upfront")?.unwrap_or_default();
        if upfront.is_negative() || upfront > Decimal::from(1) {
            return Err(wrong(request, "upfront", "a share from 0 to 1"));
        }
        let hourly = number(request, "hourly")?;
        if hourly.is_some_and(|hourly| hourly.is_negative() || hourly.is_zero()) {
            return Err(wrong(request, "hourly", "an amount above 0"));
        }
        let months = request.whole("term_months").filter(|months| (1..=LONGEST).contains(months));
        let months = months.and_then(|months| u32::try_from(months).ok());
        let (service, currency) = (text("service_name"), text("currency"));
        if hourly.is_some() && (service.is_none() || currency.is_none()) {
            return Err(Refusal::invalid(
                "`hourly` is an amount for one service in one currency: expected `service_name` and `currency` beside it",
            ));
        }
        if text("family").is_some() && service.is_none() {
            return Err(Refusal::invalid("`family` is one of a service: expected `service_name` beside it"));
        }
        Ok(Self {
            as_of: last_day(request, "as_of")?,
            account_ids: request.value("account_ids"),
            service,
            family: text("family"),
            currency,
            discount,
            upfront,
            term_months: months.ok_or_else(|| wrong(request, "term_months", "1 to 60 months, such as 12"))?,
            hourly,
        })
    }
}

fn wrong(request: Arguments<'_>, name: &str, expected: &str) -> Refusal {
    let value = request.value(name).map(Json::to_string).unwrap_or_default();
    Refusal::invalid(format!("`{name}` is {value}: expected {expected}"))
}

fn number(request: Arguments<'_>, name: &str) -> Result<Option<Decimal>, Refusal> {
    let Some(value) = request.value(name) else { return Ok(None) };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Decimal::parse(&text).map(Some).map_err(|_| wrong(request, name, "a number"))
}
