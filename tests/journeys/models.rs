//! A model comes from a registry, past a pause and the end of the service.

use crate::support::browser::Chromium;
use crate::support::registry::{Content, KEY, Manners, Registry};
use crate::support::service::Service;
use std::sync::Arc;

#[tokio::test]
async fn a_model_is_downloaded_with_a_pasted_key_past_a_pause_and_a_restart_of_the_service() {
    let content = Content::Bytes(Arc::new(vec![7; 24_000_000]));
    let registry =
        Registry::start(content.clone(), content, Manners { rate: Some(1_000_000), ..Manners::default() });
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.follow("Model downloads").await;
    page.shows("Downloading needs the address of a registry and a license key").await;
    page.fill("Address", &registry.address).await;
    page.fill("License key", KEY).await;
    page.press("Save registry").await;
    page.shows("Saved the registry").await;
    assert!(!page.text().await.contains(KEY));

    page.press("Download svc-slm").await;
    page.shows("of 24 MB").await;
    page.press("Pause svc-slm").await;
    page.shows("kept on disk").await;
    let data = service.stop();

    let service = Service::start_on(data);
    page.open(&service.sign_in_link).await;
    page.follow("Settings").await;
    page.follow("Model downloads").await;
    page.shows("Paused").await;
    registry.change_manners(|manners| manners.rate = None);
    page.press("Resume svc-slm").await;
    page.shows("Ready").await;
    page.shows("Trusted on first use").await;
    assert!(registry.seen().iter().filter_map(|seen| seen.range).any(|(start, _)| start > 0));
    chromium.page.close().await;
}
