//! Desktop notifications.

use server::{Kind, Outcome, Work, WorkEnd};

/// Maximum number of notices named in a notification.
const MOST_NAMED: usize = 4;

/// The end of work that took longer is reported if the window is not in front, µs.
pub const LONG: i64 = 10_000_000;

/// Shows a desktop notification. If that fails, the text is logged.
pub fn show(title: &str, text: &str) {
    let (title, text) = (title.to_owned(), text.to_owned());
    // The D-Bus call blocks, which a thread of the runtime must not do.
    std::thread::spawn(move || {
        if let Err(error) = send(&title, &text) {
            tracing::info!("{title}: {text} (no notification: {error})");
        }
    });
}

#[cfg(target_os = "linux")]
fn send(title: &str, text: &str) -> zbus::Result<()> {
    use std::collections::HashMap;
    use zbus::zvariant::Value;
    let bus = zbus::blocking::Connection::session()?;
    let hints = HashMap::from([("desktop-entry", Value::from("io.quarterdeck.desktop"))]);
    let no_actions: [&str; 0] = [];
    // Parameters of the Desktop Notifications Specification: program, replaced id, icon, title, text, actions, hints, timeout (default).
    let told =
        ("Quarterdeck", 0u32, "io.quarterdeck.desktop", title, text, no_actions.as_slice(), hints, -1i32);
    let name = "org.freedesktop.Notifications";
    bus.call_method(Some(name), "/org/freedesktop/Notifications", Some(name), "Notify", &told)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn send(title: &str, text: &str) -> notify_rust::error::Result<()> {
    notify_rust::Notification::new().appname("Quarterdeck").summary(title).body(text).show()?;
    Ok(())
}

/// Title and text of the notification for the end of a job; `None` if the user stopped it.
pub fn words(ended: &WorkEnd) -> Option<(String, String)> {
    let Work { kind, name, .. } = &ended.work;
    let (what, place) = match kind {
        Kind::Import => (format!("Import of {name}"), "Imports has the report."),
        Kind::Download => (format!("Download of {name}"), "Settings → Model downloads has the details."),
        Kind::ModelFile => (format!("Taking in {name}"), "Settings → Model downloads has the details."),
        Kind::Backup => ("Backup".to_owned(), "Settings → Backup & restore lists it."),
        Kind::Sending => (format!("Sending {name}"), "The page of that instance has the details."),
    };
    match ended.outcome {
        Outcome::Done => Some((format!("{what} finished"), place.to_owned())),
        Outcome::Failed => Some((format!("{what} failed"), place.to_owned())),
        Outcome::Stopped => None,
    }
}

/// Title and text of a notification for notices raised together, each given as title and text.
pub fn notice_words(notices: &[(String, String)]) -> Option<(String, String)> {
    match notices {
        [] => None,
        [one] => Some(one.clone()),
        several => {
            let mut lines: Vec<String> =
                several.iter().take(MOST_NAMED).map(|(title, _)| title.clone()).collect();
            match several.len() - lines.len() {
                0 => {}
                more => lines.push(format!("and {more} more")),
            }
            Some((format!("{} notices", several.len()), lines.join("\n")))
        }
    }
}

/// The running work as a sentence without its full stop.
pub fn summary(works: &[Work]) -> String {
    let Some(first) = works.first() else { return "Nothing goes on".to_owned() };
    let what = match first.kind {
        Kind::Import => format!("{} is being imported", first.name),
        Kind::Download => format!("{} is being downloaded", first.name),
        Kind::ModelFile => format!("{} is being taken in", first.name),
        Kind::Backup => "A backup is being taken".to_owned(),
        Kind::Sending => format!("{} is being sent", first.name),
    };
    match works.len() - 1 {
        0 => what,
        more => format!("{what}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::{notice_words, summary, words};
    use server::{Kind, Outcome, Work, WorkEnd};

    fn import(name: &str) -> Work {
        Work { kind: Kind::Import, name: name.to_owned(), since: 0 }
    }

    #[test]
    fn an_end_is_told_in_words_and_what_was_stopped_is_not() {
        let ended = |outcome| WorkEnd { work: import("bill.csv"), outcome, left: 0 };
        assert_eq!(words(&ended(Outcome::Failed)).unwrap().0, "Import of bill.csv failed");
        assert_eq!(words(&ended(Outcome::Stopped)), None);
    }

    #[test]
    fn notices_that_are_raised_together_are_one_notification() {
        let notice = |title: &str| (title.to_owned(), "98 of 100 USD billed.".to_owned());
        assert_eq!(notice_words(&[]), None);
        let one = notice_words(&[notice("Shop: 80% of the budget was reached")]).unwrap();
        assert_eq!(one.0, "Shop: 80% of the budget was reached");
        assert_eq!(one.1, "98 of 100 USD billed.");
        let several = notice_words(&["a", "b", "c", "d", "e", "f"].map(notice)).unwrap();
        assert_eq!(several, ("6 notices".to_owned(), "a\nb\nc\nd\nand 2 more".to_owned()));
    }

    #[test]
    fn what_goes_on_is_one_sentence() {
        assert_eq!(summary(&[import("a.csv")]), "a.csv is being imported");
        assert_eq!(summary(&[import("a.csv"), import("b.csv")]), "a.csv is being imported, and 1 more");
    }
}
