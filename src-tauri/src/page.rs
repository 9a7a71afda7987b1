//! The texts that the window itself brings: the script before every page, and the page for a start that failed.

use server::RecoveryOption;

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
pub fn notice(message: &str, way_out: Option<&RecoveryOption>) -> String {
    let message = escape(&sentence(message));
    let next = match way_out {
        None => "<p class=\"quiet\">Close this window, put right what is said above, and start Quarterdeck again.</p>"
            .to_owned(),
        Some(RecoveryOption { taken, .. }) => format!(
            "<p>The newest backup that was opened and found whole is of {}. Putting it back deletes nothing: what is there now is kept aside, in the \
             folder <code>replaced</code> of the data directory.</p><p><a class=\"button\" href=\"{WAY_OUT}\">Put this backup back</a></p>",
            escape(taken)
        ),
    };
    whole("Quarterdeck did not start", &format!("<p class=\"said\">{message}</p>\n    {next}"))
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
  :root {{
    color-scheme: light dark;
    --bg: #f4f6f7; --surface: #fff; --sunken: #f8fafa; --line: #dde3e6; --ink: #15212a; --ink-2: #47555f;
    --accent: #0b6475; --on-accent: #fff; --bad: #af2318;
  }}
  @media (prefers-color-scheme: dark) {{
    :root {{
      --bg: #0d1216; --surface: #141a1f; --sunken: #10161a; --line: #252f37; --ink: #e4eaee; --ink-2: #a9b5bf;
      --accent: #4fbfd2; --on-accent: #04222a; --bad: #ff8178;
    }}
  }}
  body {{
    font: 14px/22px 'Inter Variable', system-ui, 'Segoe UI', 'Noto Sans', sans-serif; margin: 0; min-height: 100vh;
    display: grid; grid-template-rows: auto 1fr; background: var(--bg); color: var(--ink);
  }}
  header {{ display: flex; align-items: center; gap: 10px; padding: 16px 24px; font-size: 15px; font-weight: 600; }}
  header svg {{ width: 28px; height: 28px; }}
  main {{ display: grid; place-content: center; grid-template-columns: minmax(0, 560px); padding: 16px 16px 76px; }}
  section {{ background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 24px; }}
  h1 {{ font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.015em; margin: 0 0 16px; }}
  p {{ white-space: pre-wrap; overflow-wrap: anywhere; user-select: text; margin: 0 0 16px; }}
  p:last-child {{ margin: 0; }}
  .said {{ background: var(--sunken); border: 1px solid var(--line); border-left: 3px solid var(--bad); border-radius: 6px; padding: 10px 14px; }}
  .quiet {{ color: var(--ink-2); }}
  .button {{
    display: inline-block; padding: 7px 14px; border-radius: 6px; background: var(--accent); color: var(--on-accent); text-decoration: none;
    font-weight: 600;
  }}
  .button:focus-visible {{ outline: 2px solid; outline-offset: 2px; }}
</style>
<header>
  <svg viewBox="0 0 28 28" aria-hidden="true">
    <rect width="28" height="28" rx="7" fill="var(--accent)" />
    <path d="M6.5 17.5a8 8 0 0 1 8-8v8zM6.5 20h15v2h-15z" fill="var(--on-accent)" />
    <path d="M17 9.5h4.5v8H17z" fill="var(--on-accent)" opacity=".42" />
  </svg>
  Quarterdeck
</header>
<main role="alert">
  <section>
    <h1>{title}</h1>
    {body}
  </section>
</main>
</html>
"#
    )
}

/// Errors begin with a small letter, since they stand in one another.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
