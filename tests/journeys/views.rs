//! Saved views of a list: shared or private, renamed, made the default, removed and restored, by keyboard.

use fantoccini::key::Key;
use serde_json::{Value, json};

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
    page.shows("Everyone in the tenant sees it under Views").await;
    page.type_text("Harbour").await;
    page.type_keys([Key::Enter.into()]).await;
    page.shows("Saved Harbour").await;
    // The button has the name of the active view.
    choose(page, "Harbour", "Change views…").await;
    page.shows("Views of this page").await;
    page.press_in_dialog("Make default").await;
    page.shows("This page opens with Harbour").await;
    page.press_in_dialog("Rename").await;
    page.type_text(" only").await;
    page.type_keys([Key::Enter.into()]).await;
    page.shows("Renamed Harbour to Harbour only").await;
    page.picture("views").await;
    page.press_in_dialog("Close").await;

    // Without parameters, the page opens with the default view; also in a browser without stored data.
    page.run("localStorage.clear()").await;
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

/// The response to a GraphQL query by the page's user.
async fn asked(page: &Page, query: &str) -> Value {
    page.ask(&format!("return await {};", answer_of(query))).await
}

/// A script expression with a promise of the response.
fn answer_of(query: &str) -> String {
    let body = json!(json!({ "query": query }).to_string());
    let init =
        format!("{{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: {body} }}");
    format!("fetch('/api/graphql', {init}).then((answer) => answer.json()).then(({{ data }}) => data)")
}

#[tokio::test]
async fn views_of_anomalies_budgets_and_workflows_bring_back_what_was_set_for_all_or_for_oneself() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.press("Load sample data").await;
    page.shows("You’re viewing sample data").await;
    let account =
        asked(page, "{ cloud_accounts(limit: 1) { id } }").await["cloud_accounts"][0]["id"].to_string();
    let made = asked(
        page,
        &format!(
            r#"mutation {{ workflow_create(request: {{ account_id: {account}, workflow: {{ name: "Tidy up", definition: {{
                triggers: [{{ type: "manual" }}], tasks: [{{ id: "say", type: "core.print", params: {{ message: "hello" }} }}] }} }} }}) {{ id }} }}"#
        ),
    )
    .await;
    assert!(made["workflow_create"]["id"].is_string(), "{made}");

    let site = format!("http://127.0.0.1:{}", service.port());
    for (address, set, name, is_private) in [
        ("/costs/anomalies", "show=unjudged", "To be judged", false),
        ("/costs/budgets", "show=attention", "In need", true),
        ("/automation/workflows", "show=active", "At work", true),
    ] {
        page.open(&format!("{site}{address}")).await;
        let second = "document.querySelectorAll('.bar .seg button')[1]";
        page.holds(&format!("return !!{second}")).await;
        page.run(&format!("{second}.focus()")).await;
        page.type_keys([Key::Enter.into()]).await;
        page.comes_to(set).await;
        choose(page, "Views", "Save this view…").await;
        page.shows("Everyone in the tenant sees it under Views").await;
        if is_private {
            page.press_in_dialog("Only me").await;
            page.shows("Only you see it under Views").await;
            page.run("document.querySelector('[role=dialog] input').focus()").await;
        }
        page.type_text(name).await;
        page.type_keys([Key::Enter.into()]).await;
        page.shows(&format!("Saved {name}")).await;
        page.open(&format!("{site}{address}")).await;
        choose(page, "Views", name).await;
        page.comes_to(set).await;
    }
    page.picture("views-private").await;

    // A default is set and removed; a private view is shared, and made private again.
    choose(page, "At work", "Change views…").await;
    page.shows("Views of this page").await;
    page.press_in_dialog("Make default").await;
    page.shows("This page opens with At work").await;
    page.press_in_dialog("Share").await;
    page.shows("Everyone sees At work").await;
    let kept =
        "{ saved_view(order_by: { name: desc }) { name } private_view { name } default_view { page } }";
    assert_eq!(
        asked(page, kept).await,
        json!({
            "saved_view": [{ "name": "To be judged" }, { "name": "At work" }],
            "private_view": [{ "name": "In need" }],
            "default_view": [{ "page": "automation/workflows" }],
        })
    );
    page.press_in_dialog("Make private").await;
    page.shows("Only you see At work").await;
    page.press_in_dialog("Close").await;
    page.open(&format!("{site}/automation/workflows")).await;
    page.comes_to("show=active").await;
    choose(page, "At work", "Change views…").await;
    page.press_in_dialog("Default").await;
    page.shows("This page opens without At work").await;
    page.press_in_dialog("Close").await;
    page.press("Undo").await;
    // If the page were left before the change is sent, it would not be undone.
    page.holds(&format!(
        "return {}.then(({{ default_view: views }}) => views.length === 1)",
        answer_of(kept)
    ))
    .await;
    page.open(&format!("{site}/automation/workflows")).await;
    page.comes_to("show=active").await;

    // The palette finds a private view for its owner.
    page.run("document.querySelector('.rail .find').click()").await;
    page.fill_at(".pal input", "in need").await;
    page.holds("return [...document.querySelectorAll('.pal [role=option]')].some((one) => one.textContent.includes('In need'))")
        .await;
    page.type_keys([Key::Enter.into()]).await;
    page.comes_to("/costs/budgets?show=attention").await;
    chromium.page.close().await;
}

/// Opens the menu `name` and chooses `entry`, by keyboard.
async fn choose(page: &Page, name: &str, entry: &str) {
    let button =
        format!("[...document.querySelectorAll('button')].find((one) => one.innerText.trim() === '{name}')");
    page.holds(&format!("return {button} !== undefined")).await;
    page.run(&format!("{button}.focus()")).await;
    page.type_keys([Key::Enter.into()]).await;
    page.holds("return document.activeElement?.getAttribute('role') === 'menuitem'").await;
    let first_line = "innerText.split('\\n')[0].trim()";
    // Before the views are loaded, the menu has fewer entries.
    let entries = "[...document.querySelectorAll('[role=menuitem]')]";
    page.holds(&format!("return {entries}.some((one) => one.{first_line} === '{entry}')")).await;
    let here = format!("document.activeElement.{first_line}");
    loop {
        let at = page.ask(&format!("return {here}")).await;
        if at == entry {
            return page.type_keys([Key::Enter.into()]).await;
        }
        page.type_keys([Key::Down.into()]).await;
        page.holds(&format!("return {here} !== {at}")).await;
    }
}
