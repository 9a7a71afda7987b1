//! Tests that documents of the maximum size can be added to a knowledge base over HTTP and found there.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

use crate::support::client::Client;
use crate::support::service::Service;

/// Maximum size of a document.
const LARGEST: usize = 10 * 1024 * 1024;

/// Maximum time for processing it.
const PATIENCE: Duration = Duration::from_mins(1);

const CREATE: &str = "mutation($account: String!, $name: String!, $file: String!, $format: String!, $data: String!) {
  ai_create_kb(request: {account_id: $account, knowledgebase: {name: $name, file_name: $file, format: $format, data: $data}}) {
    data { id data_size_bytes }
  }
}";

/// A PDF of one page with the text `words`, `size` bytes long: most of it is an invisible stream.
fn pdf(words: &str, size: usize) -> Vec<u8> {
    let written = |padding: usize| {
        let text = format!("BT /F1 12 Tf 72 720 Td ({words}) Tj ET");
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
            format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
            format!("<< /Length {padding:08} >>\nstream\n{}\nendstream", "x".repeat(padding)),
        ];
        let (mut file, mut places) = (b"%PDF-1.4\n".to_vec(), Vec::new());
        for (number, object) in (1..).zip(&objects) {
            places.push(file.len());
            file.extend(format!("{number} 0 obj\n{object}\nendobj\n").into_bytes());
        }
        let table = file.len();
        file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
        for place in places {
            file.extend(format!("{place:010} 00000 n \n").into_bytes());
        }
        let end =
            format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table:08}\n%%EOF\n", objects.len() + 1);
        file.extend(end.into_bytes());
        file
    };
    let without = written(0).len();
    written(size - without)
}

async fn create(client: &Client, account: &str, name: &str, format: &str, data: &str) -> Value {
    let variables = json!({ "account": account, "name": name, "file": format!("{name}.{format}"), "format": format, "data": data });
    let answer = client.ask(CREATE, &variables).await;
    assert_eq!(answer.status, StatusCode::OK, "{:.400}", answer.body);
    answer.json()
}

#[tokio::test]
async fn a_document_of_10_mb_reaches_a_knowledge_base_as_text_and_in_base64() {
    let service = Service::start();
    let client = service.client().await;
    let account = client
        .data(r#"mutation { insert_cloud_accounts_one(object: {account_name: "shop", account_type: "kubernetes"}) { id } }"#)
        .await;
    let account: Value = serde_json::from_str(&account).unwrap();
    let account = account["insert_cloud_accounts_one"]["id"].as_str().unwrap();

    let file = pdf("The lighthouse keeps its lamp", LARGEST);
    assert_eq!(file.len(), LARGEST);
    let made = create(&client, account, "Lighthouse", "pdf", &STANDARD.encode(&file)).await;
    assert_eq!(made["data"]["ai_create_kb"]["data"]["data_size_bytes"], json!(LARGEST), "{made}");
    let line = "The harbour opens at six.\n";
    let mut text = line.repeat(LARGEST / line.len());
    text.push_str(&" ".repeat(LARGEST - text.len()));
    let made = create(&client, account, "Harbour", "text", &text).await;
    assert_eq!(made["data"]["ai_create_kb"]["data"]["data_size_bytes"], json!(LARGEST), "{made}");

    // Documents are split into passages in the background.
    let search = format!(
        r#"{{ ai_search_kb(request: {{account_id: "{account}", query: "lighthouse lamp"}}) {{ data {{ passages {{ kb_name }} }} }} ai_list_kb(request: {{account_id: "{account}"}}) {{ data {{ name status status_reason }} }} }}"#
    );
    let begun = Instant::now();
    loop {
        let found: Value = serde_json::from_str(&client.data(&search).await).unwrap();
        let first = found["ai_search_kb"]["data"]["passages"][0]["kb_name"].as_str();
        if first == Some("Lighthouse") {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "it was not found: {found}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    let longer = create(&client, account, "Longer", "pdf", &STANDARD.encode(pdf("More", LARGEST + 1))).await;
    let message = longer["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("at most 10485760 (10 MB) are allowed"), "{message}");
}
