//! A page as a person sees it, in whichever program shows it: names on buttons and links, texts, tables.
//!
//! Every step waits for its condition and gives up after [`PATIENCE`] with a picture of what was there instead.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::PrintConfiguration;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use super::stuck;

/// How long a condition may take to come true; a loaded machine with two cores is slow, and the sample data alone takes a quarter of a minute of it.
const PATIENCE: Duration = Duration::from_mins(2);

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How often a link is pressed again whose press was lost, and how many looks each press is given.
const PRESSES: usize = 3;
const LOOKS_A_PRESS: usize = 60;

pub struct Page {
    client: Client,
    /// What a person has pressed so far.
    presses: AtomicU32,
    /// Who shows it; names the pictures.
    shown_by: &'static str,
    /// The process id of the driver.
    driver: u32,
}

impl Page {
    pub fn new(client: Client, shown_by: &'static str, driver: u32) -> Self {
        Self { client, presses: AtomicU32::new(0), shown_by, driver }
    }

    /// How often a person has pressed something: a link, a button, an option, a field to write in, a file to give.
    pub fn presses(&self) -> u32 {
        self.presses.load(Ordering::Relaxed)
    }

    fn press_once(&self) {
        self.presses.fetch_add(1, Ordering::Relaxed);
    }

    pub async fn open(&self, address: &str) {
        in_time(address, self.client.goto(address)).await.unwrap();
    }

    /// Follows the link called `name`.
    ///
    /// A web view that is busy drawing may lose a press; a link that leads to another page is then pressed again.
    pub async fn follow(&self, name: &str) {
        let (what, path) = (format!("link {name:?}"), format!("//a[{}]", is_called(name)));
        let before = self.place().await;
        let target = self.find(&what, &path).await.attr("href").await.ok().flatten().unwrap_or_default();
        self.click(&what, &path).await;
        if !target.starts_with('/') || target.starts_with("/api/") || before.ends_with(&target) {
            return;
        }
        for _ in 0..PRESSES {
            for _ in 0..LOOKS_A_PRESS {
                if self.place().await != before {
                    return;
                }
                tokio::time::sleep(LOOK).await;
            }
            if let Ok(link) = self.client.find(Locator::XPath(&path)).await {
                // Gone or covered: then the page is on its way, which the next step sees.
                link.click().await.ok();
            }
        }
    }

    /// The address that is shown; empty while the driver cannot tell.
    async fn place(&self) -> String {
        self.client.current_url().await.map(String::from).unwrap_or_default()
    }

    /// Presses the button called `name`.
    pub async fn press(&self, name: &str) {
        self.click(&format!("button {name:?}"), &format!("//button[{}]", is_called(name))).await;
    }

    /// Presses the button called `name` in the part of the page called `part`.
    pub async fn press_in(&self, part: &str, name: &str) {
        let path = format!("//*[@aria-label='{part}']//button[{}]", is_called(name));
        self.click(&format!("button {name:?} in {part:?}"), &path).await;
    }

    /// Presses the button called `name` in the dialog that is open.
    pub async fn press_in_dialog(&self, name: &str) {
        let path = format!("//*[@role='dialog']//button[{}]", is_called(name));
        self.click(&format!("button {name:?} in the dialog"), &path).await;
    }

    /// Chooses the option called `name` of several.
    pub async fn tick(&self, name: &str) {
        self.click(
            &format!("option {name:?}"),
            &format!("//label[starts-with(normalize-space(.), '{name}')]/input"),
        )
        .await;
    }

    /// Waits until `text` is to be read nowhere on the page.
    pub async fn shows_no_more(&self, text: &str) {
        self.until(&format!("that {text:?} is gone"), async || !self.text().await.contains(text)).await;
    }

    /// Types `text` wherever the focus is, key by key.
    pub async fn type_text(&self, text: &str) {
        self.type_keys(text.chars()).await;
    }

    /// Presses these keys wherever the focus is, one after the other.
    pub async fn type_keys(&self, keys: impl IntoIterator<Item = char>) {
        self.keys(
            keys.into_iter().flat_map(|key| [KeyAction::Down { value: key }, KeyAction::Up { value: key }]),
        )
        .await;
    }

    /// Presses Ctrl and Enter together.
    pub async fn type_ctrl_enter(&self) {
        let (ctrl, enter) = (Key::Control.into(), Key::Enter.into());
        self.keys([
            KeyAction::Down { value: ctrl },
            KeyAction::Down { value: enter },
            KeyAction::Up { value: enter },
            KeyAction::Up { value: ctrl },
        ])
        .await;
    }

    /// Chooses the entry called `entry` in the list called `list`. A list has all its entries when somebody goes to it, or a moment after its page.
    pub async fn choose(&self, list: &str, entry: &str) {
        let path = format!("//select[@aria-label='{list}']");
        let option = format!("{path}//option[.='{entry}']");
        self.find(&format!("entry {entry:?} in list {list:?}"), &option).await;
        self.find(&format!("list {list:?}"), &path).await.select_by_label(entry).await.unwrap();
    }

    /// Chooses the entry called `entry` in the field called `name`.
    pub async fn choose_in(&self, name: &str, entry: &str) {
        self.field(name).await.select_by_label(entry).await.unwrap();
    }

    /// What `script` (with a `return`) answers; promises are waited for.
    pub async fn ask(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, (error) => done('failed: ' + error));"
        );
        self.client.execute_async(&script, vec![]).await.unwrap()
    }

    /// Keeps a cookie (`name=value`) for the site that is shown.
    pub async fn keep_cookie(&self, cookie: &str) {
        self.client
            .execute("document.cookie = arguments[0] + '; path=/'", vec![json!(cookie)])
            .await
            .unwrap();
    }

    /// Runs `script` in the page.
    pub async fn run(&self, script: &str) {
        in_time("a script", self.client.execute(script, vec![])).await.unwrap();
    }

    /// Waits until `script` answers true.
    pub async fn holds(&self, script: &str) {
        let told = async || self.client.execute(script, vec![]).await;
        self.until(script, async || told().await.is_ok_and(|told| told == json!(true))).await;
    }

    /// What `script` answers: a number.
    pub async fn number(&self, script: &str) -> f64 {
        let told = in_time("a script", self.client.execute(script, vec![])).await.unwrap();
        told.as_f64().unwrap_or_else(|| panic!("{script} answers {told} and no number"))
    }

    /// Types `text` into the field called `name`, which is empty.
    pub async fn fill(&self, name: &str, text: &str) {
        self.field(name).await.send_keys(text).await.unwrap();
    }

    /// What stands in the field called `name`.
    pub async fn value(&self, name: &str) -> String {
        self.field(name).await.prop("value").await.unwrap().unwrap_or_default()
    }

    async fn field(&self, name: &str) -> Element {
        self.press_once();
        let label = format!("//label[starts-with(normalize-space(.), '{name}')]/@for");
        self.find(&format!("field {name:?}"), &format!("//*[@id={label}]")).await
    }

    /// Gives `files` to the page as a person would in the dialog of its file button.
    pub async fn give_files(&self, files: &[PathBuf]) {
        self.press_once();
        let input = self.find("a field for files", "//input[@type='file']").await;
        let paths: Vec<_> = files.iter().map(|file| absolute(file)).collect();
        input.send_keys(&paths.join("\n")).await.unwrap();
    }

    /// Waits until `text` is to be read somewhere on the page.
    pub async fn shows(&self, text: &str) {
        self.until(&format!("the text {text:?}"), async || self.text().await.contains(text)).await;
    }

    /// Waits until what is labelled `name` is seen from side to side: nothing around it cuts it off.
    pub async fn shows_whole(&self, name: &str) {
        let script = "
            const one = document.querySelector(`[aria-label='${arguments[0]}']`);
            const sides = (element) => element.getBoundingClientRect();
            const cuts = (element) => getComputedStyle(element).overflowX !== 'visible';
            const holds = (outer) => sides(one).left >= sides(outer).left && sides(one).right <= sides(outer).right;
            let around = one?.parentElement;
            while (around && (!cuts(around) || holds(around))) around = around.parentElement;
            return one !== null && around === null;";
        self.until(&format!("all of {name:?}"), async || {
            self.client.execute(script, vec![name.into()]).await.is_ok_and(|answer| answer == true)
        })
        .await;
    }

    /// Waits until the table with a column headed `head` reads `expected`: that column and the last one of each row, as
    /// "name: amount", without head and foot.
    pub async fn table_lists(&self, head: &str, expected: &[&str]) {
        self.until(&format!("a table of {expected:#?}"), async || self.table(head).await == expected).await;
    }

    /// Everything to be read on the page, inside shadow roots too.
    pub async fn text(&self) -> String {
        let script = "
            const hosts = (root) => [...root.querySelectorAll('*')].filter((element) => element.shadowRoot);
            const inside = ({ shadowRoot }) => [...shadowRoot.children].map(read).join('\\n');
            const read = (element) => [element.innerText, ...hosts(element).map(inside)].join('\\n');
            return document.body ? read(document.body) : '';";
        let text = self.client.execute(script, vec![]).await;
        // While a page goes and the next one comes there is nothing to read.
        text.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Waits until the address ends with `place`: path, question and all.
    pub async fn is_at(&self, place: &str) {
        self.until(&format!("the address {place}"), async || {
            self.client.current_url().await.is_ok_and(|address| address.as_str().ends_with(place))
        })
        .await;
    }

    /// Types `text` into the field that `css` selects.
    pub async fn fill_at(&self, css: &str, text: &str) {
        self.until(&format!("field {css}"), async || match self.client.find(Locator::Css(css)).await {
            Ok(field) => field.send_keys(text).await.is_ok(),
            Err(_) => false,
        })
        .await;
    }

    /// Pastes `text`, which may be long, into the field that `css` selects: a driver types for minutes what a person pastes.
    pub async fn paste_at(&self, css: &str, text: &str) {
        self.until(&format!("field {css}"), async || self.client.find(Locator::Css(css)).await.is_ok()).await;
        let script = "document.querySelector(arguments[0]).focus(); return document.execCommand('insertText', false, arguments[1]);";
        let pasted = in_time("pasting", self.client.execute(script, vec![json!(css), json!(text)])).await;
        assert_eq!(pasted.unwrap(), json!(true), "{css} takes no text");
    }

    /// Waits until the address contains `part`; the whole address.
    pub async fn comes_to(&self, part: &str) -> String {
        let here =
            async || self.client.current_url().await.map(|address| address.to_string()).unwrap_or_default();
        self.until(&format!("an address with {part}"), async || here().await.contains(part)).await;
        here().await
    }

    /// Goes on in the tab that was opened last, as soon as there are that many.
    pub async fn go_to_tab(&self, count: usize) {
        let tabs = async || self.client.windows().await.unwrap_or_default();
        self.until(&format!("{count} tabs"), async || tabs().await.len() == count).await;
        if let Some(last) = tabs().await.pop() {
            self.client.switch_to_window(last).await.unwrap();
        }
    }

    /// Closes this tab and goes back to the first.
    pub async fn close_tab(&self) {
        self.client.close_window().await.unwrap();
        let first = self.client.windows().await.unwrap().remove(0);
        self.client.switch_to_window(first).await.unwrap();
    }

    /// Makes the window that large.
    pub async fn resize(&self, width: u32, height: u32) {
        in_time("another size", self.client.set_window_size(width, height)).await.unwrap();
    }

    /// Keeps a picture of the page as `name.png` in the folder that QUARTERDECK_PICTURES names, where somebody wants to look at it.
    pub async fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("QUARTERDECK_PICTURES") {
            let picture = in_time("a picture", self.client.screenshot()).await.unwrap();
            std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
        }
    }

    /// How many sheets of paper it takes.
    pub async fn sheets(&self) -> usize {
        let paper = in_time("paper", self.client.print(PrintConfiguration::default())).await.unwrap();
        // Every sheet is an object `/Type /Page` of the PDF; their list is `/Type /Pages`.
        let text = String::from_utf8_lossy(&paper);
        text.matches("/Type /Page\n").count()
    }

    /// What its driver calls the session.
    pub async fn session(&self) -> String {
        self.client.session_id().await.unwrap().expect("a session that was begun has a name")
    }

    /// As if the browser had never been here: on this computer, every port's cookies are one site's.
    pub async fn forget(&self) {
        self.client.delete_all_cookies().await.unwrap();
    }

    /// Ends the session and the program that shows the page.
    pub async fn close(self) {
        in_time("the end of the session", self.client.close()).await.unwrap();
    }

    async fn table(&self, head: &str) -> Vec<String> {
        let script = "
            for (const table of document.querySelectorAll('table')) {
                const heads = [...table.querySelectorAll('thead th')].map((cell) => cell.innerText.trim());
                const column = heads.indexOf(arguments[0]);
                if (column < 0) continue;
                return [...table.tBodies[0].rows]
                    .filter((row) => row.cells.length === heads.length)
                    .map((row) => row.cells[column].innerText.trim() + ': ' + row.cells[heads.length - 1].innerText.trim());
            }
            return [];";
        let rows = self.client.execute(script, vec![json!(head)]).await.unwrap_or(json!([]));
        let rows = rows.as_array().cloned().unwrap_or_default();
        rows.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    async fn keys(&self, keys: impl IntoIterator<Item = KeyAction>) {
        let keyboard = keys.into_iter().fold(KeyActions::new("keyboard".to_owned()), KeyActions::then);
        self.client.perform_actions(keyboard).await.unwrap();
    }

    async fn click(&self, what: &str, path: &str) {
        self.press_once();
        self.until(what, async || match self.client.find(Locator::XPath(path)).await {
            // Something may still lie over it, or the page may replace it under the pointer: then it is found again.
            Ok(element) => element.click().await.is_ok(),
            Err(_) => false,
        })
        .await;
    }

    async fn find(&self, what: &str, path: &str) -> Element {
        // The page may replace it between two looks.
        let found = std::cell::RefCell::new(None);
        self.until(what, async || {
            let look = self.client.find(Locator::XPath(path)).await.ok();
            found.replace(look).is_some() || found.borrow().is_some()
        })
        .await;
        found.take().expect("it was waited for")
    }

    /// Waits until `holds`; ends the test with a picture and the text of the page when it never does.
    async fn until(&self, what: &str, holds: impl AsyncFn() -> bool) {
        let waiting = async {
            while !holds().await {
                tokio::time::sleep(LOOK).await;
            }
        };
        if tokio::time::timeout(PATIENCE, waiting).await.is_ok() {
            return;
        }
        // A driver that does not answer this either waits for something itself.
        let account = match tokio::time::timeout(PATIENCE, self.account()).await {
            Ok(account) => account,
            Err(_) => stuck::report(self.driver).await,
        };
        panic!("{what} did not appear in the {} within {} s. {account}", self.shown_by, PATIENCE.as_secs());
    }

    /// What there is to see: a picture, the address, the text.
    async fn account(&self) -> String {
        let picture = std::env::temp_dir().join(format!("quarterdeck-{}.png", self.shown_by));
        let saved = match self.client.screenshot().await {
            Ok(png) => std::fs::write(&picture, png).is_ok(),
            Err(_) => false,
        };
        format!(
            "Picture: {}. Place: {}. Text:\n{}",
            if saved { picture.display().to_string() } else { "none".to_owned() },
            self.client.current_url().await.map_or_else(|error| error.to_string(), |url| url.to_string()),
            self.text().await
        )
    }
}

/// What the driver answers; a test ends with words instead of waiting for one that never does.
async fn in_time<T>(what: &str, answer: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(PATIENCE, answer).await;
    waited.unwrap_or_else(|_| panic!("the driver did not answer within {} s: {what}", PATIENCE.as_secs()))
}

/// An XPath condition: the element is called `name` by its label or its text.
fn is_called(name: &str) -> String {
    format!(
        "@aria-label='{name}' or normalize-space(.)='{name}' or starts-with(normalize-space(.), '{name} ')"
    )
}

fn absolute(file: &Path) -> String {
    file.canonicalize().unwrap().to_str().unwrap().to_owned()
}
