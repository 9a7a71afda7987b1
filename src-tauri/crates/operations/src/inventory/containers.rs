//! A container as imports store it, in the member `containers` of the `meta` of a workload or pod.

use serde::Deserialize;

/// One mebibyte in bytes.
pub(crate) const MIB: f64 = 1_048_576.0;

/// A container of a pod template or a pod.
#[derive(Deserialize)]
pub(crate) struct ContainerMeta {
    pub name: String,
    /// Whether it is an init container.
    #[serde(default)]
    pub init: bool,
    #[serde(default)]
    pub requests: ContainerAmounts,
    #[serde(default)]
    pub limits: ContainerAmounts,
}

/// CPU in cores, memory in MiB.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct ContainerAmounts {
    pub cpu: Option<f64>,
    pub memory: Option<f64>,
}
