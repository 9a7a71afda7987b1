//! A window with a page on which nothing is: what opening any window costs. `tests/benches/window.rs` measures the product beside it.

use tauri::http::{Response, header};
use tauri::{Builder, Url, WebviewUrl, WebviewWindowBuilder};

fn main() -> tauri::Result<()> {
    Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            Response::builder()
                .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
                .body(b"<!doctype html><title>Empty</title><body style='background: #345'>".to_vec())
                .expect("a fixed header is valid")
        })
        .setup(|app| {
            let page = Url::parse("empty://localhost/").expect("a scheme and a host are an address");
            WebviewWindowBuilder::new(app, "main", WebviewUrl::CustomProtocol(page))
                .title("Empty")
                .inner_size(1280.0, 800.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
