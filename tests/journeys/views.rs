//! A list as somebody has set it: saved, renamed, opened first, removed and put back, without a mouse.

use fantoccini::key::Key;

use crate::support::browser::Chromium;
use crate::support::fixture;
use crate::support::page::Page;
use crate::support::service::Service;

#[tokio::test]
async fn a_view_of_resources_is_saved_made_the_default_renamed_and_removed_with_undo() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Import cost files").await;
    page.give_files(&[fixture("september.csv")]).await;
    page.shows("12 imported").await;
    page.follow("Inventory").await;
    page.follow("Resources").await;
    page.shows("7 resources").await;
    page.fill_at("input[aria-label='Find resources']", "harbour").await;
    page.shows("5 resources").await;

    choose(page, "Views", "Save this view…").await;
    page.shows("Everyone in the tenant finds it under Views").await;
    page.type_text("Harbour").await;
    page.type_keys([Key::Enter.into()]).await;
    page.shows("Saved Harbour").await;
    // The button is called as what is shown.
    choose(page, "Harbour", "Change views…").await;
    page.shows("Views of this page").await;
    page.press_in_dialog("Make default").await;
    page.press_in_dialog("Rename").await;
    page.type_text(" only").await;
    page.type_keys([Key::Enter.into()]).await;
    page.shows("Renamed Harbour to Harbour only").await;
    page.picture("views").await;
    page.press_in_dialog("Close").await;

    // The page that is opened bare begins with the default; another day, too.
    page.open(&format!("{}/inventory/resources", service.address)).await;
    page.comes_to("q=harbour").await;
    page.shows("5 resources").await;

    choose(page, "Harbour only", "Change views…").await;
    page.press_in_dialog("Remove").await;
    page.shows("Removed Harbour only").await;
    page.press("Undo").await;
    page.holds("return [...document.querySelectorAll('button')].some((one) => one.innerText.trim() === 'Harbour only')")
        .await;
    chromium.page.close().await;
}

/// Opens the menu called `name` and takes its entry `entry`, by the keyboard.
async fn choose(page: &Page, name: &str, entry: &str) {
    let button =
        format!("[...document.querySelectorAll('button')].find((one) => one.innerText.trim() === '{name}')");
    page.holds(&format!("return {button} !== undefined")).await;
    page.run(&format!("{button}.focus()")).await;
    page.type_keys([Key::Enter.into()]).await;
    page.holds("return document.activeElement?.getAttribute('role') === 'menuitem'").await;
    let here = "document.activeElement.innerText.split('\\n')[0].trim()";
    loop {
        let at = page.ask(&format!("return {here}")).await;
        if at == entry {
            return page.type_keys([Key::Enter.into()]).await;
        }
        page.type_keys([Key::Down.into()]).await;
        page.holds(&format!("return {here} !== {at}")).await;
    }
}
