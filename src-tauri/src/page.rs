//! The texts that the window itself brings: the script before every page, and the page for a start that failed.

use server::WayOut;

/// Runs before the scripts of every page.
///
/// Tells the page where it is shown (`ui/src/host` asks). Under `LANG=C` WebKitGTK calls the language "C", which `Intl`
/// refuses with an exception and a blank page: English stands in.
pub const BEFORE_EVERY_PAGE: &str = r#"
window.__QUARTERDECK_HOST__ = "desktop";
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
  Object.defineProperty(navigator, "languages", { value: ["en-US", "en"] });
}
"#;

/// What a page of this crate may load: its own style.
pub const NOTICE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Where the page that says why leads when somebody takes the way out.
pub const WAY_OUT: &str = "/put-back";

/// A whole HTML page that says why the service did not start, in the words of the service, and what may be done about it.
pub fn notice(message: &str, way_out: Option<&WayOut>) -> String {
    let message = escape(message);
    let next = match way_out {
        None => "<p class=\"quiet\">Close this window, put right what is said above, and start Quarterdeck again.</p>"
            .to_owned(),
        Some(WayOut { taken, .. }) => format!(
            "<p>The newest backup that was opened and found whole is of {}. Putting it back deletes nothing: what is there now is kept aside, in the \
             folder <code>replaced</code> of the data directory.</p><p><a class=\"button\" href=\"{WAY_OUT}\">Put this backup back</a></p>",
            escape(taken)
        ),
    };
    whole("Quarterdeck did not start", &format!("<p>{message}</p>\n  {next}"))
}

/// The page while that is under way.
pub fn putting_back() -> String {
    whole("Putting the backup back", "<p>This window goes on by itself as soon as it is there.</p>")
}

fn whole(title: &str, body: &str) -> String {
    format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 14px/1.5 system-ui, sans-serif; margin: 0; padding: 40px 48px; background: Canvas; color: CanvasText; }}
  h1 {{ font-size: 20px; font-weight: 600; margin: 0 0 12px; }}
  p {{ white-space: pre-wrap; overflow-wrap: anywhere; user-select: text; margin: 0 0 16px; }}
  .quiet {{ opacity: .7; }}
  .button {{
    display: inline-block; padding: 6px 14px; border-radius: 6px; background: #0b6475; color: #fff; text-decoration: none; font-weight: 500;
  }}
  @media (prefers-color-scheme: dark) {{ .button {{ background: #4fbfd2; color: #0d1216; }} }}
  .button:focus-visible {{ outline: 2px solid; outline-offset: 2px; }}
</style>
<main role="alert">
  <h1>{title}</h1>
  {body}
</main>
</html>
"#
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::notice;
    use server::WayOut;

    #[test]
    fn a_message_is_shown_as_text_never_as_markup() {
        let page = notice("cannot open /data/<b>&co", None);
        assert!(page.contains("<p>cannot open /data/&lt;b&gt;&amp;co</p>"), "{page}");
        assert!(!page.contains("href"), "{page}");
    }

    #[test]
    fn the_way_out_is_offered_by_the_time_of_its_backup() {
        let (backup, taken) =
            ("quarterdeck-20261120T020000000Z".to_owned(), "2026-11-20, 02:00 UTC".to_owned());
        let way_out = WayOut { backup, taken, closed: false };
        let page = notice("not a database", Some(&way_out));
        assert!(page.contains("found whole is of 2026-11-20, 02:00 UTC."), "{page}");
        assert!(page.contains("href=\"/put-back\""), "{page}");
    }
}
