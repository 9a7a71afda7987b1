//! Tests that send messages to servers on loopback, which record what they receive.

use crate::message::tests::{item, message};
use crate::{Attachment, Channel, Failure, Kind, MailServer, Message, Receiver, Security, Severity, send};
use outgoing::{EgressPolicy, OutgoingSettings};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

fn inside() -> OutgoingSettings {
    OutgoingSettings { egress: EgressPolicy::of_instance(), ..OutgoingSettings::default() }
}

/// A server on a free port for one client. Returns the port, and the result of `talk`.
async fn server<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    talk: impl FnOnce(TcpStream) -> F + Send + 'static,
) -> (u16, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (port, tokio::spawn(async move { talk(listener.accept().await.unwrap().0).await }))
}

/// Speaks SMTP without TLS. Returns the lines it received. `refuses` is its response to the first recipient.
async fn smtp(stream: TcpStream, refuses: Option<&'static str>) -> String {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 mail.test\r\n").await.unwrap();
    let (mut told, mut is_data) = (String::new(), false);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or_default() == 0 {
            return told;
        }
        told.push_str(&line);
        let answer = match line.trim_end() {
            "." if is_data => {
                is_data = false;
                "250 kept\r\n"
            }
            _ if is_data => continue,
            "DATA" => {
                is_data = true;
                "354 go on\r\n"
            }
            "QUIT" => "221 bye\r\n",
            line if line.starts_with("EHLO") => "250-mail.test\r\n250 AUTH PLAIN\r\n",
            line if line.starts_with("RCPT") => refuses.unwrap_or("250 ok\r\n"),
            _ => "250 ok\r\n",
        };
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

fn mail(port: u16, security: Security) -> Channel {
    let server = MailServer {
        host: "127.0.0.1".to_owned(),
        port,
        security,
        username: String::new(),
        sender: "Quarterdeck <costs@example.com>".to_owned(),
        recipients: vec!["ada@example.com".to_owned(), "Bob <bob@example.com>".to_owned()],
    };
    Channel { name: "mail".to_owned(), receiver: Receiver::Mail(server), password: None }
}

async fn told(channel: &Channel) -> Result<(), Failure> {
    send(&inside(), channel, &message(vec![item(Severity::Warning, "Budget – reached")]), 0).await
}

#[tokio::test]
async fn mail_reaches_every_recipient_with_its_subject() {
    let (port, served) = server(|stream| smtp(stream, None)).await;
    told(&mail(port, Security::None)).await.unwrap();
    let told = served.await.unwrap();
    for line in [
        "MAIL FROM:<costs@example.com>",
        "RCPT TO:<ada@example.com>",
        "RCPT TO:<bob@example.com>",
        "Auto-Submitted: auto-generated",
        "Message-ID: <00000000-0000-0000-0000-000000000000@quarterdeck.invalid>",
        "Subject: Budget =?utf-8?b?4oCT?= reached",
        "https://q.example.com/costs/budgets?open",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
}

#[tokio::test]
async fn documents_go_with_mail() {
    let (port, listening) = server(|stream| smtp(stream, None)).await;
    let bytes = b"%PDF-1.7 and bytes \x00\xff".to_vec();
    let attachment = Attachment { name: "costs.pdf".to_owned(), media_type: "application/pdf", bytes };
    let message = Message { attachments: vec![attachment], ..message(vec![item(Severity::Info, "Costs")]) };
    send(&inside(), &mail(port, Security::None), &message, 0).await.unwrap();
    let told = listening.await.unwrap();
    assert!(told.contains("Content-Type: multipart/mixed"), "{told}");
    assert!(told.contains("USD 820.00 of 1,000.00"), "{told}");
    assert!(told.contains("Content-Disposition: attachment; filename=\"costs.pdf\""), "{told}");
    assert!(told.contains("Content-Type: application/pdf"), "{told}");
    assert!(told.contains("JVBERi0xLjcgYW5kIGJ5dGVzIAD/"), "{told}");
}

#[tokio::test]
async fn a_mail_server_that_refuses_a_recipient_lastingly_is_not_tried_again() {
    for (answer, is_final) in [("550 nobody here\r\n", true), ("451 later\r\n", false)] {
        let (port, served) = server(move |stream| smtp(stream, Some(answer))).await;
        let failure = told(&mail(port, Security::None)).await.unwrap_err();
        assert_eq!(failure.is_final, is_final, "{failure}");
        // Responses from internal addresses are not quoted.
        assert!(!failure.message.contains("nobody"), "{failure}");
        served.await.unwrap();
    }
}

#[tokio::test]
async fn a_server_without_starttls_is_sent_nothing() {
    let (port, served) = server(|stream| smtp(stream, None)).await;
    let failure = told(&mail(port, Security::StartTls)).await.unwrap_err();
    assert!(failure.is_final && failure.message.contains("offers no STARTTLS"), "{failure}");
    assert!(!served.await.unwrap().contains("MAIL FROM"));
}

#[tokio::test]
async fn mail_meets_the_egress_policy() {
    let message = message(vec![item(Severity::Info, "x")]);
    let failure =
        send(&OutgoingSettings::default(), &mail(25, Security::None), &message, 0).await.unwrap_err();
    assert!(failure.is_final && failure.message.contains("private network"), "{failure}");
}

/// Reads one request and sends `answer`. Returns its head and body.
async fn http(mut stream: TcpStream, answer: &'static str) -> (String, String) {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut part).await.unwrap();
        bytes.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if read == 0 || body.len() >= length.unwrap_or(0_usize) {
            stream.write_all(answer.as_bytes()).await.unwrap();
            return (head.to_owned(), body.to_owned());
        }
    }
}

fn hook(kind: Kind, port: u16, key: Option<&str>) -> Channel {
    let url = format!("http://127.0.0.1:{port}/hooks/secret-word");
    let receiver = Receiver::Hook { kind, url: url.into(), key: key.map(|key| key.to_owned().into()) };
    Channel { name: "ops".to_owned(), receiver, password: None }
}

#[tokio::test]
async fn a_webhook_gets_signed_json() {
    let (port, served) = server(|stream| http(stream, "HTTP/1.1 204 No Content\r\n\r\n")).await;
    told(&hook(Kind::Webhook, port, Some("key"))).await.unwrap();
    let (head, body) = served.await.unwrap();
    assert!(head.starts_with("POST /hooks/secret-word "), "{head}");
    assert!(head.to_lowercase().contains("x-quarterdeck-signature: sha256="), "{head}");
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["notices"][0]["subject"], "budget");
}

#[tokio::test]
async fn a_hook_that_is_gone_is_told_without_its_address() {
    let answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\nno_service";
    let (port, served) = server(move |stream| http(stream, answer)).await;
    let failure = told(&hook(Kind::Slack, port, None)).await.unwrap_err();
    served.await.unwrap();
    assert_eq!(failure.message, "ops knows no such webhook; it may have been removed there (status 404).");
    assert!(failure.is_final);
}

#[tokio::test]
async fn a_hook_that_wants_patience_gets_it() {
    let answer = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 17\r\nContent-Length: 0\r\n\r\n";
    let (port, served) = server(move |stream| http(stream, answer)).await;
    let failure = told(&hook(Kind::Teams, port, None)).await.unwrap_err();
    served.await.unwrap();
    assert!(!failure.is_final);
    assert_eq!(failure.retry_after, Some(std::time::Duration::from_secs(17)));
}
