//! What an import keeps of a container, in the member `containers` of the `meta` of a workload or pod.

use serde::Deserialize;

/// Bytes of a mebibyte.
pub(crate) const MIB: f64 = 1_048_576.0;

/// A container as the template or the pod states it.
#[derive(Deserialize)]
pub(crate) struct ContainerMeta {
    pub name: String,
    /// Whether it runs before the others and ends.
    #[serde(default)]
    pub init: bool,
    #[serde(default)]
    pub requests: ContainerAmounts,
    #[serde(default)]
    pub limits: ContainerAmounts,
}

/// Cores and MiB.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct ContainerAmounts {
    pub cpu: Option<f64>,
    pub memory: Option<f64>,
}
