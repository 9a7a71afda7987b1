//! The common part of test servers on loopback: serves every connection on its own thread until the server is dropped.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A port of this computer that is served until this value is dropped.
pub struct Loopback {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    is_gone: Arc<AtomicBool>,
}

impl Loopback {
    /// A free port that is not served yet: connections wait.
    pub fn listener() -> TcpListener {
        TcpListener::bind("127.0.0.1:0").unwrap()
    }

    /// Its address.
    pub fn address_of(listener: &TcpListener) -> String {
        format!("http://{}", listener.local_addr().unwrap())
    }

    /// Serves connections to `listener`.
    pub fn on(
        listener: TcpListener,
        serve: impl Fn(TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let (address, is_gone) = (Self::address_of(&listener), Arc::<AtomicBool>::default());
        let (serve, is_over) = (Arc::new(serve), Arc::clone(&is_gone));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                let serve = Arc::clone(&serve);
                // A thread ends when its client disconnects.
                std::thread::spawn(move || drop(serve(stream)));
            }
        });
        Self { address, is_gone }
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for the next connection.
        drop(TcpStream::connect(self.address.trim_start_matches("http://")));
    }
}
