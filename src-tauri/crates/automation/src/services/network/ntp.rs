//! The time of an NTP server (RFC 4330).

use crate::call::TaskFailure;
use catalogue::format_timestamp;
use serde::Serialize;

/// A request: version 3, client mode.
pub const QUESTION: [u8; 48] = {
    let mut bytes = [0; 48];
    bytes[0] = 0x1b;
    bytes
};

/// Seconds between 1900 and 1970.
const EPOCH: i64 = 2_208_988_800;

/// The output of `network.ntp`.
#[derive(Debug, PartialEq, Serialize)]
pub struct ClockAnswer {
    pub server: String,
    pub ntp_time: String,
    pub local_time: String,
    /// Local time minus server time.
    pub drift_seconds: f64,
    pub drift_human: String,
}

/// Compares the clocks. `sent` and `received` are µs since 1970 UTC by the local clock; half of the round trip is compensated.
pub fn compare(server: &str, bytes: &[u8], sent: i64, received: i64) -> Result<ClockAnswer, TaskFailure> {
    let broken = || TaskFailure::new("Network", format!("{server} gave no answer of a time server"));
    let stamp: [u8; 8] = bytes.get(40..48).and_then(|part| part.try_into().ok()).ok_or_else(broken)?;
    let stamp = u64::from_be_bytes(stamp);
    // Mode 4 is a server's response; a server with an unsynchronised clock sends 0 or stratum 0.
    if bytes[0] & 7 != 4 || stamp == 0 || bytes[1] == 0 {
        return Err(broken());
    }
    let seconds = i64::try_from(stamp >> 32).unwrap_or_default();
    // The first NTP era ends in 2036; small numbers belong to the second.
    let seconds = if seconds < 1 << 31 { seconds + (1 << 32) } else { seconds };
    let micros = i64::try_from(((stamp & 0xffff_ffff) * 1_000_000) >> 32).unwrap_or_default();
    let time = (seconds - EPOCH) * 1_000_000 + micros;
    let local = sent + (received - sent) / 2;
    let drift = local - time;
    #[expect(clippy::cast_precision_loss, reason = "a drift of less than 2^52 µs, which are 140 years")]
    let drift_seconds = drift as f64 / 1e6;
    let shown = |time: i64| format!("{}Z", format_timestamp(time).trim_end_matches('Z'));
    let drift_human = if drift.abs() < 1_000_000 {
        format!("{:.3}ms", drift_seconds * 1000.0)
    } else {
        format!("{drift_seconds:.3}s")
    };
    Ok(ClockAnswer {
        server: server.to_owned(),
        ntp_time: shown(time),
        local_time: shown(local),
        drift_seconds,
        drift_human,
    })
}

#[cfg(test)]
mod tests {
    use super::{QUESTION, compare};

    const NOW: i64 = 1_795_149_480_000_000; // 2026-11-20T04:38:00Z

    fn answer(micros: i64) -> [u8; 48] {
        let mut bytes = QUESTION;
        (bytes[0], bytes[1]) = (0x1c, 2);
        let seconds = u32::try_from(micros / 1_000_000 + super::EPOCH).unwrap();
        let fraction = u32::try_from(((micros % 1_000_000) << 32) / 1_000_000).unwrap();
        bytes[40..44].copy_from_slice(&seconds.to_be_bytes());
        bytes[44..48].copy_from_slice(&fraction.to_be_bytes());
        bytes
    }

    #[test]
    fn a_clock_is_compared_with_half_of_the_way_taken_off() {
        let found = compare("a.example", &answer(NOW), NOW + 1_500_000, NOW + 1_600_000).unwrap();
        assert!((found.drift_seconds - 1.55).abs() < 1e-5, "{found:?}");
        assert_eq!((found.ntp_time.as_str(), found.drift_human.as_str()), ("2026-11-20T04:38:00Z", "1.550s"));
        let found = compare("a.example", &answer(NOW), NOW - 2000, NOW - 2000).unwrap();
        assert_eq!(found.drift_human, "-2.000ms");
    }

    #[test]
    fn what_is_no_time_is_none() {
        let mut unset = answer(NOW);
        unset[1] = 0;
        for bytes in [&QUESTION[..], &unset, &answer(NOW)[..40], &[]] {
            assert!(compare("a.example", bytes, NOW, NOW).is_err());
        }
    }
}
