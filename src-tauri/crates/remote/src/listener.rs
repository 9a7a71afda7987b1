//! The local port that receives the browser's redirect from an instance: it accepts one path and one state, for a few minutes.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The path of the redirect.
pub const PATH: &str = "/signed-in";
/// Maximum size of a request head, bytes.
const HEAD: usize = 8 * 1024;
/// Timeout for receiving a request.
const SLOWNESS: Duration = Duration::from_secs(5);

/// A listener on a free loopback port.
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

/// The result in the browser's redirect.
pub enum BrowserReturn {
    Code(String, Reply),
    /// The user or the instance refused.
    Refused(Reply),
}

/// The connection of the browser, which waits for a page.
pub struct Reply(TcpStream);

impl Listener {
    pub async fn open() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The redirect address, such as `http://127.0.0.1:53117/signed-in`.
    pub fn redirect_uri(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Waits for a redirect with that state from the user of this process: the state is on the browser's command line, which other users can read.
    /// Any other request is refused without effect: any page on this computer can connect here.
    pub async fn answer(
        &self,
        state: &str,
        is_own_user: fn(SocketAddr, SocketAddr) -> bool,
    ) -> std::io::Result<BrowserReturn> {
        loop {
            let (stream, peer) = self.listener.accept().await?;
            if !is_own_user(peer, self.address) {
                continue;
            }
            let read = tokio::time::timeout(SLOWNESS, read(stream)).await;
            let Ok(Ok(Some((head, stream)))) = read else { continue };
            match self.understand(&head, state) {
                Some(Ok(code)) => return Ok(BrowserReturn::Code(code, Reply(stream))),
                Some(Err(())) => return Ok(BrowserReturn::Refused(Reply(stream))),
                None => {
                    let words =
                        "This is not the answer that was waited for. Begin the sign-in again in Quarterdeck.";
                    Reply(stream).send("400 Bad Request", "Not signed in", words).await;
                }
            }
        }
    }

    /// The code, an error if the user refused, or `None` if it is not the expected redirect.
    fn understand(&self, head: &str, state: &str) -> Option<Result<String, ()>> {
        let mut lines = head.split("\r\n");
        let target = lines.next()?.strip_prefix("GET ")?.strip_suffix(" HTTP/1.1")?;
        let mut hosts = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("host").then(|| value.trim())
        });
        // The Host header must be the redirect address, to exclude DNS rebinding.
        if hosts.next() != Some(self.address.to_string().as_str()) || hosts.next().is_some() {
            return None;
        }
        let (path, query) = target.split_once('?')?;
        let one = |name: &str| {
            let mut found =
                query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(key, _)| *key == name);
            found.next().filter(|_| found.next().is_none()).map(|(_, value)| value)
        };
        if path != PATH || one("state")? != state {
            return None;
        }
        if one("error").is_some() {
            return Some(Err(()));
        }
        let code = one("code")?;
        let is_code =
            (1..=200).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_code.then(|| Ok(code.to_owned()))
    }
}

async fn read(mut stream: TcpStream) -> std::io::Result<Option<(String, TcpStream)>> {
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = stream.read(&mut piece).await?;
        if read == 0 || head.len() + read > HEAD {
            return Ok(None);
        }
        head.extend_from_slice(&piece[..read]);
    }
    Ok(String::from_utf8(head).ok().map(|head| (head, stream)))
}

impl Reply {
    /// Shows a page in the browser. A closed connection is ignored.
    pub async fn send(mut self, status: &str, title: &str, words: &str) {
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
             <style>:root{{color-scheme:light dark}}body{{font:15px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:28em;padding:0 1em}}\
             h1{{font-size:20px}}</style><main><h1>{title}</h1><p>{}</p></main></html>",
            escape(words)
        );
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
             referrer-policy: no-referrer\r\nx-content-type-options: nosniff\r\n\
             content-security-policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\nconnection: close\r\n\r\n{page}",
            page.len()
        );
        let send = async {
            self.0.write_all(answer.as_bytes()).await?;
            self.0.shutdown().await
        };
        let _: Result<std::io::Result<()>, _> = tokio::time::timeout(SLOWNESS, send).await;
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::Listener;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    #[tokio::test]
    async fn another_user_of_this_computer_who_read_the_state_is_not_listened_to() {
        let listener = Listener::open().await.unwrap();
        let knock = async {
            let mut stream = TcpStream::connect(listener.address).await.unwrap();
            let good =
                format!("GET /signed-in?state=abc&code=123 HTTP/1.1\r\nHost: {}\r\n\r\n", listener.address);
            stream.write_all(good.as_bytes()).await.unwrap();
            let mut answer = String::new();
            // The connection is closed, with or without a response.
            let _ = stream.read_to_string(&mut answer).await;
            answer
        };
        tokio::select! {
            _ = listener.answer("abc", |_, _| false) => panic!("somebody else's answer counts"),
            answer = knock => assert_eq!(answer, ""),
        }
    }
}
