//! Settings of workflow execution: off unless the operator of this machine switches it on.

use super::origin::{Origin, up_to, wrong};
use super::{Definition, SettingsError};
use automation::commands::PROGRAMS as KNOWN;

pub const ENABLED: Definition = Definition {
    name: "automation_enabled",
    environment: "QUARTERDECK_AUTOMATION",
    default: Some("off"),
    meaning: "on: workflows run on schedules, webhooks and events, and when started manually. off: no workflow runs; definitions stay",
    is_secret: false,
};

pub const PRIVATE: Definition = Definition {
    name: "automation_private",
    environment: "QUARTERDECK_AUTOMATION_PRIVATE",
    default: Some("off"),
    meaning: "on: HTTP tasks of workflows may also connect to the addresses in instance_private_addresses. off: only to the public network and to \
              the addresses in private_addresses",
    is_secret: false,
};

pub const PROGRAMS: Definition = Definition {
    name: "automation_programs",
    environment: "QUARTERDECK_AUTOMATION_PROGRAMS",
    default: None,
    meaning: "Programs on this machine that workflows may run, separated by commas: argocd, aws, az, gcloud, gh, glab, kubectl, mysql, ping, \
              psql, rabbitmqadmin, redis-cli, ssh, traceroute; for scripts bash, node, pwsh, python3. They run as the user of the service. \
              Default: none",
    is_secret: false,
};

pub const SCRIPTS: Definition = Definition {
    name: "automation_scripts",
    environment: "QUARTERDECK_AUTOMATION_SCRIPTS",
    default: Some("off"),
    meaning: "on: workflows may run scripts on this machine, as the user of the service, with the interpreters in automation_programs. off: \
              scripts are refused",
    is_secret: false,
};

pub const HISTORY_DAYS: Definition = Definition {
    name: "automation_history_days",
    environment: "QUARTERDECK_AUTOMATION_HISTORY_DAYS",
    default: Some("90"),
    meaning: "Days to keep finished workflow runs and their task results, up to 36500; 0 keeps them forever. Unfinished runs and the last \
              successful run of each workflow are always kept",
    is_secret: false,
};

/// In display order.
pub(super) const ALL: &[&Definition] = &[&ENABLED, &PRIVATE, &PROGRAMS, &SCRIPTS, &HISTORY_DAYS];

/// Maximum value of the run history, days.
const LONGEST_HISTORY: u64 = 36_500;

/// Settings of workflow execution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Automation {
    pub is_on: bool,
    /// HTTP tasks may connect to this machine and to private networks, to the extent that administrators of the instance may.
    pub reaches_private: bool,
    /// Names of the programs that tasks may run.
    pub programs: Vec<String>,
    /// Scripts may run, with those of the programs that are interpreters.
    pub runs_scripts: bool,
    /// Days that runs are stored after they ended; 0 stores them for ever.
    pub history_days: u32,
    /// The folder in which programs are searched; `None` uses `PATH` of the environment.
    pub search_path: Option<std::path::PathBuf>,
}

impl Automation {
    pub(super) fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let flag = |definition: &Definition| {
            let origin = of(definition);
            match origin.value.as_deref().unwrap_or_default().trim().to_lowercase().as_str() {
                "on" | "true" => Ok(true),
                "off" | "false" => Ok(false),
                _ => Err(wrong(&origin, "on or off")),
            }
        };
        let origin = of(&PROGRAMS);
        let named = origin.value.as_deref().unwrap_or_default().split(',').map(str::trim);
        let programs: Vec<String> = named.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if programs.iter().any(|name| !KNOWN.contains(&name.as_str())) {
            let expected = format!("names among {}, separated by commas", KNOWN.join(", "));
            return Err(wrong(&origin, expected));
        }
        Ok(Self {
            is_on: flag(&ENABLED)?,
            reaches_private: flag(&PRIVATE)?,
            programs,
            runs_scripts: flag(&SCRIPTS)?,
            history_days: u32::try_from(up_to(&of(&HISTORY_DAYS), LONGEST_HISTORY)?).unwrap_or_default(),
            search_path: None,
        })
    }
}
