//! The two texts that the window itself brings: the script before every page, and the page for a start that failed.

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

/// A whole HTML page that says why the service did not start, in the words of the service.
pub fn notice(message: &str) -> String {
    let message = escape(message);
    format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Quarterdeck did not start</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 14px/1.5 system-ui, sans-serif; margin: 0; padding: 40px 48px; background: Canvas; color: CanvasText; }}
  h1 {{ font-size: 20px; font-weight: 600; margin: 0 0 12px; }}
  p {{ white-space: pre-wrap; overflow-wrap: anywhere; user-select: text; margin: 0 0 16px; }}
  .quiet {{ opacity: .7; }}
</style>
<main role="alert">
  <h1>Quarterdeck did not start</h1>
  <p>{message}</p>
  <p class="quiet">Close this window, put right what is said above, and start Quarterdeck again.</p>
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

    #[test]
    fn a_message_is_shown_as_text_never_as_markup() {
        let page = notice("cannot open /data/<b>&co");
        assert!(page.contains("<p>cannot open /data/&lt;b&gt;&amp;co</p>"), "{page}");
    }
}
