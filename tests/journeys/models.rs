//! Downloading a model from a registry, across a pause and a restart of the service: in a browser, and in the window.

use crate::support::browser::Chromium;
use crate::support::desktop::Window;
use crate::support::keyring::Bus;
use crate::support::page::Page;
use crate::support::programs::holds;
use crate::support::service::Service;
use std::sync::Arc;
use testkit::registry::{Content, KEY, Registry, RegistryBehaviour};

/// Slow enough to be paused halfway.
fn slow_registry() -> Registry {
    let content = Content::Bytes(Arc::new(vec![7; 24_000_000]));
    Registry::start(
        content.clone(),
        content,
        RegistryBehaviour { rate: Some(1_000_000), ..RegistryBehaviour::default() },
    )
}

/// Pastes the key, starts a download and pauses it.
async fn begin(page: &Page, registry: &Registry, kept: &str) {
    page.follow("Settings").await;
    page.follow("Model downloads").await;
    page.shows("Downloading needs the address of a registry and a license key").await;
    page.fill("Address", &registry.address).await;
    page.fill("License key", KEY).await;
    page.press("Save registry").await;
    page.shows("Saved the registry").await;
    page.shows("Reachable").await;
    page.shows(kept).await;
    assert!(!page.text().await.contains(KEY));
    page.press("Download svc-slm").await;
    page.shows("of 24 MB").await;
    page.press("Pause svc-slm").await;
    page.shows("kept on disk").await;
}

/// Resumes the download and waits for its end.
async fn finish(page: &Page, registry: &Registry) {
    page.follow("Settings").await;
    page.follow("Model downloads").await;
    page.shows("Paused").await;
    registry.change_manners(|manners| manners.rate = None);
    page.press("Resume svc-slm").await;
    page.shows("Ready").await;
    page.shows("Trusted on first use").await;
    assert!(registry.seen().iter().filter_map(|seen| seen.range).any(|(start, _)| start > 0));
}

#[tokio::test]
async fn a_model_is_downloaded_with_a_pasted_key_past_a_pause_and_a_restart_of_the_service() {
    let registry = slow_registry();
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    begin(page, &registry, "Stored encrypted on this machine").await;
    let service = Service::start_on(service.stop());
    page.open(&service.sign_in_link).await;
    finish(page, &registry).await;
    chromium.page.close().await;
}

#[tokio::test]
async fn in_the_window_the_key_is_in_the_keyring_and_a_download_goes_on_after_quitting() {
    let (registry, bus) = (slow_registry(), Bus::with_keyring());
    let window = Window::open_beside(&bus).await;
    window.page.shows("Import cost files").await;
    begin(&window.page, &registry, "In the keyring of this computer").await;
    let window = window.reopen().await;
    assert!(!holds(window.data_dir(), KEY), "the key is in no file");
    window.page.shows("Import cost files").await;
    finish(&window.page, &registry).await;
    window.page.close().await;
}
