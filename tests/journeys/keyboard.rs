//! Tests that every control of every page reacts to Enter and Space.

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::programs;
use crate::support::service::Service;
use fantoccini::key::Key;
use serde_json::Value;
use std::path::Path;

/// The lists of pages that the navigation and the settings menu are made from.
const LISTS: [&str; 2] =
    [include_str!("../../ui/src/app/pages.ts"), include_str!("../../ui/src/features/settings/pages.ts")];

/// Finds the visible controls and starts a round of key presses. A Shift press moves the focus to the next control. The effects of a press are
/// recorded and prevented.
const FIND: &str = "
    const named = ['button', 'link', 'tab', 'menuitem', 'option', 'switch', 'checkbox', 'radio'].map((role) => `[role=${role}]`);
    const all = document.querySelectorAll(['a[href]', 'button', 'summary', 'input[type=checkbox]', 'input[type=radio]', ...named].join());
    const isSeen = (one) => one.getClientRects().length > 0 && one.checkVisibility({ visibilityProperty: true });
    const seen = [...all].filter((one) => isSeen(one) && one.tabIndex >= 0 && !one.matches(':disabled'));
    const keys = (one) => (one.matches('a') ? ['Enter'] : one.matches('input') ? [' '] : ['Enter', ' ']);
    const name = (one) => `${one.tagName} ${one.getAttribute('aria-label') ?? (one.textContent || one.outerHTML).trim().slice(0, 60)}`;
    window.round = {
        presses: seen.flatMap((one) => keys(one).map((key) => ({ one, key, opens: one.hasAttribute('aria-haspopup') }))),
        at: -1,
        missed: [],
    };
    const current = () => window.round.presses[window.round.at];
    const settle = () => {
        const press = current();
        // One that went with its part of the page answers nothing.
        if (press && !press.isAnswered && press.one.isConnected) window.round.missed.push(press);
    };
    window.tell = () => window.round.missed.map(({ one, key }) => `${key === ' ' ? 'Space' : key} on ${name(one)}`);
    window.addEventListener('keydown', (event) => {
        if (event.key !== 'Shift') return;
        settle();
        window.round.at += 1;
        current()?.one.focus();
    }, true);
    window.addEventListener('click', (event) => {
        const press = current();
        if (press?.one.contains(event.target)) press.isAnswered = true;
        event.preventDefault();
        event.stopImmediatePropagation();
    }, true);
    // A list opens with the press of the key itself; that is below the window, where the commands listen.
    document.addEventListener('keydown', (event) => {
        const press = current();
        if (press?.opens && event.defaultPrevented) press.isAnswered = true;
    });";

/// Starts another round with the missed controls: a page that was still loading may have taken the focus.
const AGAIN: &str = "window.round = { presses: window.round.missed, at: -1, missed: [] };";

/// The addresses of all pages.
fn addresses() -> Vec<&'static str> {
    let found = LISTS
        .iter()
        .flat_map(|list| list.split("address: '").skip(1))
        .filter_map(|rest| rest.split('\'').next());
    // Its first page is in the list of its own pages.
    found.filter(|address| *address != "/settings").collect()
}

/// Presses every control of the round. Returns the number of presses.
async fn press_all(page: &Page) -> usize {
    let presses = page.ask("return window.round.presses.map(({ key, opens }) => [key, opens]);").await;
    let presses = presses.as_array().unwrap();
    let keys = presses.iter().flat_map(|press| {
        let key = if press[0] == " " { ' ' } else { Key::Enter.into() };
        // Closes what a press opened.
        let close = (press[1] == true).then_some(Key::Escape.into());
        [Some(Key::Shift.into()), Some(key), close].into_iter().flatten()
    });
    page.type_keys(keys.chain([Key::Shift.into()])).await;
    presses.len()
}

/// Number of presses the page reacted to; the test fails for the others.
async fn walk(page: &Page, address: &str) -> usize {
    page.run(FIND).await;
    let presses = press_all(page).await;
    page.run(AGAIN).await;
    press_all(page).await;
    let missed = page.ask("return window.tell()").await;
    assert_eq!(missed, Value::Array(Vec::new()), "presses that nothing answers on {address}");
    presses
}

#[tokio::test]
async fn enter_and_space_press_every_button_and_link_of_every_page() {
    let service = Service::start();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/advice");
    let files = [
        ("users", "people.ndjson"),
        ("cloud_accounts", "accounts.ndjson"),
        ("cloud_resourses", "resources.ndjson"),
        ("recommendation", "recommendations.ndjson"),
    ];
    programs::load(service.data_dir(), None, &folder, &files);
    service.import(&[fixture("september.csv")]);
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("Needs attention").await;

    let pages = addresses();
    assert!(pages.len() > 20, "{pages:?}");
    let open = "/recommendations?id=a1000000-0000-4000-8000-000000000001";
    let mut presses = 0;
    for address in pages.into_iter().chain([open]) {
        page.open(&format!("{}{address}", service.address)).await;
        page.holds(
            "return document.querySelector('h1') !== null
                && document.querySelector('.beside .skel, .beside [aria-busy=true]') === null;",
        )
        .await;
        presses += walk(page, address).await;
    }
    assert!(presses > 500, "only {presses} presses");
    chromium.page.close().await;
}
