//! Standalone pages, for cases where the console cannot be shown: no scripts, one inline style, light and dark theme.

/// Content security policy of such a page: inline styles only.
pub const PLAIN_PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A complete HTML page. `title` and `body` are HTML.
pub fn plain_page(title: &str, body: &str) -> String {
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
  progress {{ width: 100%; accent-color: var(--accent); }}
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
<main>
  <section>
    <h1>{title}</h1>
    {body}
  </section>
</main>
</html>
"#
    )
}

/// Escapes a text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
