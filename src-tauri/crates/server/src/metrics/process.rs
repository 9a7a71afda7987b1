//! Resource use of this process, as reported by the system. Zero or absent where it is not reported.

/// Memory and processor time used by this process.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProcessUse {
    pub resident_bytes: Option<i64>,
    pub cpu_seconds: Option<f64>,
}

impl ProcessUse {
    #[cfg(target_os = "linux")]
    pub(super) fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes =
            resident.and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<i64>().ok());
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        #[expect(clippy::cast_precision_loss, reason = "seconds since the start of a process")]
        let cpu_seconds = used.tv_sec as f64 + used.tv_nsec as f64 / 1e9;
        Self { resident_bytes: kilobytes.map(|kilobytes| kilobytes * 1024), cpu_seconds: Some(cpu_seconds) }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn now() -> Self {
        Self::default()
    }
}
