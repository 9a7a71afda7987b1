//! Reads the provider, account, region, currency and tags of a charge.

use super::{Fault, Rows, utf8};
use crate::formats::focus::columns::Column;
use crate::formats::focus::record::{Text, Texts};
use crate::formats::focus::tags::Tags;
use crate::providers;
use csv::ByteRecord;

impl Rows<'_> {
    pub(super) fn currency<'r>(
        &mut self,
        record: &'r ByteRecord,
        texts: &mut Texts,
    ) -> Result<(), Fault<'r>> {
        let column = Column::BillingCurrency;
        let Some(cell) = self.cell(record, column) else { return Err(self.empty(record, column)) };
        let code = cell.trim_ascii();
        if code.len() != 3 || !code.iter().all(u8::is_ascii_alphabetic) {
            return Err((column.name(), cell, "not a currency code of three letters"));
        }
        let code = utf8(column, code)?;
        if code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            texts.set(&mut self.batch, Text::Currency, code);
        } else {
            texts.set(&mut self.batch, Text::Currency, &code.to_ascii_uppercase());
        }
        Ok(())
    }

    /// Reads the account of the charge, the company that issues the bill, and the publisher of the service.
    ///
    /// Up to FOCUS 1.3, the bill is from ProviderName. From 1.4 on, a service bought through its host (the host issues the invoice) is on
    /// the host's bill, and any other on that of ServiceProviderName; accounts therefore have the same provider in all versions.
    pub(super) fn parties<'r>(&mut self, record: &'r ByteRecord, texts: &mut Texts) -> Result<(), Fault<'r>> {
        let cell = |column| self.cell(record, column).map(|cell| utf8(column, cell)).transpose();
        let Some(billing_account) = cell(Column::BillingAccountId)?.map(plain_id) else {
            return Err(self.empty(record, Column::BillingAccountId));
        };
        let sub_account = cell(Column::SubAccountId)?.map(plain_id);
        let name = match sub_account {
            Some(_) => cell(Column::SubAccountName)?,
            None => cell(Column::BillingAccountName)?,
        };
        let (service, host, issuer) = (
            cell(Column::ServiceProviderName)?,
            cell(Column::HostProviderName)?,
            cell(Column::InvoiceIssuerName)?,
        );
        let through_host = || match (host, issuer) {
            (Some(host), Some(issuer)) if providers::is_same(host, issuer) => Some(host),
            _ => None,
        };
        let provider = match cell(Column::ProviderName)? {
            Some(provider) => Some(provider),
            None => through_host().or(service).or(host),
        };
        let publisher = cell(Column::PublisherName)?.or(service);
        let Some(provider) = provider else {
            let named = if self.layout.has(Column::ProviderName) {
                Column::ProviderName
            } else {
                Column::ServiceProviderName
            };
            return Err(self.empty(record, named));
        };
        texts.set(&mut self.batch, Text::BillingAccountId, billing_account);
        texts.set(&mut self.batch, Text::Provider, provider);
        texts.set(&mut self.batch, Text::AccountNumber, sub_account.unwrap_or(billing_account));
        if let Some(name) = name {
            texts.set(&mut self.batch, Text::AccountName, name);
        }
        if let Some(publisher) = publisher {
            texts.set(&mut self.batch, Text::Publisher, publisher);
        }
        Ok(())
    }

    pub(super) fn region<'r>(&mut self, record: &'r ByteRecord, texts: &mut Texts) -> Result<(), Fault<'r>> {
        for column in [Column::RegionId, Column::RegionName] {
            if let Some(cell) = self.cell(record, column) {
                texts.set(&mut self.batch, Text::Region, utf8(column, cell)?);
                break;
            }
        }
        Ok(())
    }

    pub(super) fn tags<'r>(
        &mut self,
        line: u64,
        record: &'r ByteRecord,
        texts: &mut Texts,
    ) -> Result<(), Fault<'r>> {
        let Some(cell) = self.cell(record, Column::Tags) else { return Ok(()) };
        match self.tags.read(utf8(Column::Tags, cell)?) {
            Tags::Nothing => {}
            Tags::Object(object) => texts.set(&mut self.batch, Text::Tags, object),
            Tags::Rewritten(object) => texts.set(&mut self.batch, Text::Tags, &object),
            Tags::Unreadable => {
                self.remarks.add(line, "Tags", cell, "is no JSON object and was left out");
            }
        }
        Ok(())
    }
}

/// The plain id of an Azure account: FOCUS exports state it as a path (`/subscriptions/…`), all other files without one.
fn plain_id(account: &str) -> &str {
    const PATHS: [&str; 2] = ["/subscriptions/", "/providers/microsoft.billing/billingaccounts/"];
    let id = PATHS.iter().find_map(|path| {
        let (start, id) = account.split_at_checked(path.len())?;
        start.eq_ignore_ascii_case(path).then_some(id)
    });
    id.filter(|id| !id.is_empty() && !id.contains('/')).unwrap_or(account)
}
