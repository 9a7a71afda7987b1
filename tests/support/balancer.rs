//! A load balancer: sends each connection to the next server in turn, or to another if that one does not respond.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::{TcpListener, TcpStream};

/// Listens on a port of this computer.
pub struct Balancer {
    listening: TcpListener,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Balancer {
    /// Binds a port; connections are accepted from [`Balancer::serve`] on.
    pub async fn bind() -> Self {
        let listening = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = format!("http://{}", listening.local_addr().unwrap());
        Self { listening, address }
    }

    /// Forwards connections to the servers at these ports, and counts them for each server.
    pub fn serve(self, ports: Vec<u16>) -> Arc<Vec<AtomicUsize>> {
        let given: Arc<Vec<AtomicUsize>> = Arc::new(ports.iter().map(|_| AtomicUsize::new(0)).collect());
        let counted = Arc::clone(&given);
        tokio::spawn(async move {
            for turn in 0.. {
                let Ok((client, _)) = self.listening.accept().await else { return };
                let (ports, counted) = (ports.clone(), Arc::clone(&counted));
                tokio::spawn(pass(client, ports, turn, counted));
            }
        });
        given
    }
}

async fn pass(mut client: TcpStream, ports: Vec<u16>, turn: usize, counted: Arc<Vec<AtomicUsize>>) {
    for place in (0..ports.len()).map(|step| (turn + step) % ports.len()) {
        if let Ok(mut server) = TcpStream::connect(("127.0.0.1", ports[place])).await {
            counted[place].fetch_add(1, Ordering::Relaxed);
            // When one side closes, the other is closed too.
            drop(tokio::io::copy_bidirectional(&mut client, &mut server).await);
            return;
        }
    }
}
