//! Workflows that act: off unless whoever runs this machine switches them on.

use super::origin::{Origin, wrong};
use super::{Definition, SettingsError};

pub const ENABLED: Definition = Definition {
    name: "automation_enabled",
    environment: "QUARTERDECK_AUTOMATION",
    default: Some("off"),
    meaning: "on: workflows are carried out, by their schedules, webhooks, events and by hand. off: they are kept, and nothing of them runs",
    is_secret: false,
};

pub const PRIVATE: Definition = Definition {
    name: "automation_private",
    environment: "QUARTERDECK_AUTOMATION_PRIVATE",
    default: Some("off"),
    meaning: "on: HTTP tasks of workflows also reach what administrators of the instance reach (instance_private_addresses). off: the public network, \
              and what private_addresses allows every tenant",
    is_secret: false,
};

pub const PROGRAMS: Definition = Definition {
    name: "automation_programs",
    environment: "QUARTERDECK_AUTOMATION_PROGRAMS",
    default: None,
    meaning: "Programs of this machine that workflows may run, separated by commas: aws, az, gcloud, kubectl. They run with the credentials of whoever \
              runs the service; none unless named",
    is_secret: false,
};

/// In the order people are shown them.
pub(super) const ALL: &[&Definition] = &[&ENABLED, &PRIVATE, &PROGRAMS];

/// Programs that tasks know how to run.
const KNOWN: [&str; 4] = ["aws", "az", "gcloud", "kubectl"];

/// What workflows may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Automation {
    pub is_on: bool,
    /// HTTP tasks reach this machine and private networks, as far as administrators of the instance do.
    pub reaches_private: bool,
    /// Names of programs that tasks may run.
    pub programs: Vec<String>,
    /// Where they are looked for; the search path of the environment unless given.
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
            return Err(wrong(&origin, "names among aws, az, gcloud and kubectl, separated by commas"));
        }
        Ok(Self { is_on: flag(&ENABLED)?, reaches_private: flag(&PRIVATE)?, programs, search_path: None })
    }
}
