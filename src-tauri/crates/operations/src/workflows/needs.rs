//! Warns while a definition is written about things it needs that do not exist. These are warnings, since they may exist when the workflow runs.

use super::engine::{AutomationSettings, OFF, automation_settings};
use super::secrets::{no_secret, stored_names};
use crate::assistant::chat_choices;
use crate::kit::Look;
use crate::notices::{ChannelState, mail_channel, named_channel};
use crate::tickets::{ConnectedTracker, connected, list_of};
use automation::checks::named_secrets;
use automation::checks::needs::{Need, needs};
use graphql::{Call, Refusal};
use llm::Providers;
use serde_json::Value;
use std::collections::BTreeSet;
use store::Transaction;
use uuid::Uuid;

/// The condition for scripts to run, besides the interpreter.
const SCRIPTS: &str = "scripts run only where the administrator of the service sets QUARTERDECK_AUTOMATION_SCRIPTS=on and names their interpreter in \
                       QUARTERDECK_AUTOMATION_PROGRAMS";
const CHANNELS: &str = "an administrator adds it in Settings, Notifications";
const TRACKERS: &str = "an administrator connects one in Settings, Ticket trackers";
const MODELS: &str = "an administrator sets one up in Settings, Model providers";

/// Checks the needs of a definition in the caller's tenant.
pub(super) struct DefinitionNeeds<'a> {
    pub rows: &'a Transaction<'a>,
    pub account: Uuid,
    pub providers: &'a Providers,
}

impl<'a> DefinitionNeeds<'a> {
    pub(super) fn of(call: &'a Call<'a>, account: Uuid, providers: &'a Providers) -> Self {
        Self { rows: call.rows, account, providers }
    }

    /// The missing things, each with its path in the definition and the remedy.
    pub(super) fn missing(&self, definition: &Value) -> Result<Vec<String>, Refusal> {
        let settings = automation_settings(self.rows)?;
        let mut told = Vec::new();
        if !settings.is_on {
            told.push(format!("tasks: {}", OFF.replace("nothing was begun", "no run begins")));
        }
        let (named, needed) = (named_secrets(definition), needs(definition));
        let implied = needed.iter().filter_map(|(_, need)| secret_of(need).map(str::to_owned));
        let wanted: BTreeSet<String> = named.iter().map(|one| one.name.clone()).chain(implied).collect();
        let mut there = stored_names(self.rows, &wanted)?;
        there.extend(settings.environment_secrets.iter().cloned());
        let missing = named.iter().filter(|one| !there.contains(&one.name));
        told.extend(missing.map(|one| format!("{}: {}", one.place, no_secret(&one.name))));
        for (place, need) in &needed {
            if let Some(lack) = self.reason_missing(need, &settings, &there)? {
                told.push(format!("{place}: {lack}"));
            }
        }
        Ok(told)
    }

    fn reason_missing(
        &self,
        need: &Need,
        settings: &AutomationSettings,
        secrets: &BTreeSet<String>,
    ) -> Result<Option<String>, Refusal> {
        Ok(match need {
            Need::Program(name) => settings.program(name).err(),
            Need::Interpreter(name) => {
                settings.program(name).err().map(|reason| format!("{reason}; {SCRIPTS}"))
            }
            Need::Channel { name, or_secret } => self.channel(name, or_secret.as_deref(), secrets)?,
            Need::MailChannel(name) => self.mail(name.as_deref())?,
            Need::Model(named) => self.model(named.as_ref())?,
            Need::Tracker(name) => tracker(&connected(self.rows)?, name.as_deref()),
            Need::Secret(name) => (!secrets.contains(name)).then(|| no_secret(name)),
            Need::InsideHost(host) => settings.may_reach(host).err(),
            Need::Workflow(name) => self.workflow(name)?,
        })
    }

    fn channel(
        &self,
        name: &str,
        or_secret: Option<&str>,
        secrets: &BTreeSet<String>,
    ) -> Result<Option<String>, Refusal> {
        let found = if name.is_empty() { ChannelState::Missing } else { named_channel(self.rows, name)? };
        let has_webhook = or_secret.is_some_and(|secret| secrets.contains(secret));
        let or = or_secret
            .map(|secret| format!(", or keeps the address of an incoming webhook as the secret {secret}"));
        let or = or.unwrap_or_default();
        Ok(match found {
            ChannelState::Open => None,
            ChannelState::Off => Some(format!(
                "the channel \"{name}\" is switched off: an administrator switches it on in Settings, Notifications"
            )),
            ChannelState::Missing if has_webhook => None,
            ChannelState::Missing if name.is_empty() => {
                Some(format!("no channel is named: name one of Settings, Notifications{or}"))
            }
            ChannelState::Missing => Some(format!("there is no channel \"{name}\": {CHANNELS}{or}")),
        })
    }

    fn mail(&self, name: Option<&str>) -> Result<Option<String>, Refusal> {
        if let Some(name) = name {
            return self.channel(name, None, &BTreeSet::new());
        }
        let is_there = mail_channel(self.rows)?.is_some();
        Ok((!is_there).then(|| format!("there is no channel for mail that is switched on: {CHANNELS}")))
    }

    fn model(&self, named: Option<&(String, String)>) -> Result<Option<String>, Refusal> {
        let choices = chat_choices(self.rows, self.providers)?;
        if choices.is_empty() {
            return Ok(Some(format!("no language model is set up: {MODELS}")));
        }
        Ok(named.and_then(|(provider, model)| {
            let is_there = choices.iter().any(|one| one.entry.id == *provider && one.model == *model);
            let lack = || {
                format!("the model \"{model}\" of the provider \"{provider}\" is not set up: {MODELS}, and ai_list_models has those there are")
            };
            (!is_there).then(lack)
        }))
    }

    fn workflow(&self, name: &str) -> Result<Option<String>, Refusal> {
        let look = Look::at(self.rows, "workflow")?.with("account_id", self.account)?.with("name", name)?;
        let lack = || format!("there is no workflow \"{name}\" in this account: create it under this name");
        Ok((look.count()? == 0).then(lack))
    }
}

fn secret_of(need: &Need) -> Option<&str> {
    match need {
        Need::Secret(name) => Some(name),
        Need::Channel { or_secret, .. } => or_secret.as_deref(),
        _ => None,
    }
}

fn tracker(known: &[ConnectedTracker], name: Option<&str>) -> Option<String> {
    if known.is_empty() {
        return Some(format!("no ticket tracker is connected, so tickets are kept here alone: {TRACKERS}"));
    }
    let name = name.filter(|name| !known.iter().any(|one| one.is_named(name)))?;
    Some(format!("there is no ticket tracker \"{name}\" ({}): {TRACKERS}", list_of(known)))
}
