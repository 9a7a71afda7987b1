//! Reads a response body with a limit on its size.

use crate::fault::{Fault, FaultKind};
use reqwest::Response;

/// The complete body of a response, at most `limit` bytes. A larger one is an error as soon as that is known.
pub async fn read(mut answer: Response, limit: usize) -> Result<Vec<u8>, Fault> {
    let host = answer.url().host_str().unwrap_or_default().to_owned();
    let too_large = || {
        Fault::new(
            FaultKind::Size,
            format!("The answer of {host} is larger than {limit} bytes, the most that is expected there."),
        )
    };
    if answer
        .content_length()
        .is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limit))
    {
        return Err(too_large());
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|fault| Fault::of(&fault, &host))? {
        if body.len() + piece.len() > limit {
            return Err(too_large());
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The next part of a response body as it arrives; `None` at the end. For bodies that are not held in memory.
pub async fn piece(answer: &mut Response) -> Result<Option<impl AsRef<[u8]> + Send + use<>>, Fault> {
    match answer.chunk().await {
        Ok(piece) => Ok(piece),
        Err(fault) => Err(Fault::of(&fault, answer.url().host_str().unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use crate::{EgressPolicy, FaultKind, OutgoingSettings};
    use reqwest::Method;
    use std::io::{Read, Write};

    /// A server that responds once with these bytes. Returns its URL.
    fn answering(bytes: &'static [u8]) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(bytes);
        });
        address
    }

    async fn fetched(bytes: &'static [u8], limit: usize) -> Result<Vec<u8>, crate::Fault> {
        let way = OutgoingSettings { egress: EgressPolicy::anywhere(), ..OutgoingSettings::default() }
            .open()
            .unwrap();
        let request = way.request(Method::GET, &answering(bytes).parse().unwrap()).unwrap();
        super::read(way.send(request).await?, limit).await
    }

    #[tokio::test]
    async fn a_body_within_the_limit_is_read_whole() {
        assert_eq!(fetched(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello", 5).await.unwrap(), b"hello");
    }

    #[tokio::test]
    async fn a_larger_one_is_refused_whether_it_says_so_or_not() {
        for bytes in [
            b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nhello!".as_slice(),
            b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello!",
        ] {
            assert_eq!(fetched(bytes, 5).await.unwrap_err().trouble, FaultKind::Size);
        }
    }

    #[tokio::test]
    async fn one_that_breaks_off_is_an_error() {
        assert_eq!(
            fetched(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello", 100).await.unwrap_err().trouble,
            FaultKind::Answer
        );
    }

    #[tokio::test]
    async fn a_redirect_is_an_answer_and_not_followed() {
        let way = OutgoingSettings { egress: EgressPolicy::anywhere(), ..OutgoingSettings::default() }
            .open()
            .unwrap();
        let request = way
            .request(
                Method::GET,
                &answering(
                    b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
                )
                .parse()
                .unwrap(),
            )
            .unwrap();
        assert_eq!(way.send(request).await.unwrap().status(), 302);
    }
}
