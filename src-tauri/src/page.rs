//! Texts of the window itself: the script that runs before every page, and the page for a failed start.

use server::{RecoveryOption, escaped, plain_page};

/// Runs before the scripts of every page.
///
/// Marks the page as shown in the desktop program (read by `ui/src/host`). Under `LANG=C`, WebKitGTK reports the language "C", for which `Intl`
/// throws an exception, resulting in a blank page: it is replaced by English.
pub const BEFORE_EVERY_PAGE: &str = r#"
window.__QUARTERDECK_HOST__ = "desktop";
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
  Object.defineProperty(navigator, "languages", { value: ["en-US", "en"] });
}
"#;

/// Path of the link that restores the offered backup, on the page for a failed start.
pub const WAY_OUT: &str = "/put-back";

/// A complete HTML page that reports why the service did not start, and the remedy.
pub fn notice(message: &str, way_out: Option<&RecoveryOption>) -> String {
    let message = escaped(&sentence(message));
    let next = match way_out {
        None => "<p class=\"quiet\">Close this window, put right what is said above, and start Quarterdeck again.</p>"
            .to_owned(),
        Some(RecoveryOption { taken, .. }) => format!(
            "<p>The newest backup that was opened and found whole is of {}. Putting it back deletes nothing: what is there now is kept aside, in the \
             folder <code>replaced</code> of the data directory.</p><p><a class=\"button\" href=\"{WAY_OUT}\">Put this backup back</a></p>",
            escaped(taken)
        ),
    };
    plain_page(
        "Quarterdeck did not start",
        &format!("<p class=\"said\" role=\"alert\">{message}</p>\n    {next}"),
    )
}

/// The page shown while a backup is being restored.
pub fn putting_back() -> String {
    plain_page("Putting the backup back", "<p>This window goes on by itself as soon as it is there.</p>")
}

/// Capitalises an error message: messages begin with a small letter because they are nested in one another.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::notice;
    use server::RecoveryOption;

    #[test]
    fn a_message_is_shown_as_text_never_as_markup() {
        let page = notice("cannot open /data/<b>&co", None);
        assert!(page.contains(">Cannot open /data/&lt;b&gt;&amp;co</p>"), "{page}");
        assert!(!page.contains("href"), "{page}");
    }

    #[test]
    fn the_way_out_is_offered_by_the_time_of_its_backup() {
        let (backup, taken) =
            ("quarterdeck-20261120T020000000Z".to_owned(), "2026-11-20, 02:00 UTC".to_owned());
        let way_out = RecoveryOption { backup, taken, closed: false };
        let page = notice("not a database", Some(&way_out));
        assert!(page.contains("found whole is of 2026-11-20, 02:00 UTC."), "{page}");
        assert!(page.contains("href=\"/put-back\""), "{page}");
    }
}
