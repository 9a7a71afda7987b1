//! The way into a service before it answers: its port, and the code that will sign in who opened it.
//!
//! A window that is opened at once and a service that starts meanwhile need not wait for each other: who knocks too early waits in the queue of the
//! port until somebody answers.

use crate::guard::login_tokens::{LocalUser, LoginTokens, Validity};
use crate::start::StartError;
use std::net::{SocketAddr, TcpListener};

/// A port that nobody else gets, and a code that works once, when the service answers there.
pub struct BoundListener {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
    code: String,
}

impl BoundListener {
    /// Binds `address`; port 0 is any free one.
    pub fn open(address: SocketAddr) -> Result<Self, StartError> {
        let listener = TcpListener::bind(address).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortInUse { address },
            _ => StartError::Listen { address, cause },
        })?;
        Self::before(listener).map_err(|cause| StartError::Listen { address, cause })
    }

    /// A listener at a port that is open.
    fn before(listener: TcpListener) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, code: auth::draw_secret(&mut rand::rng()) })
    }

    /// A link that signs the local administrator in, once, as [`crate::Running::sign_in_link`]'s do: its ten minutes begin when the service answers.
    pub fn link(&self) -> String {
        sign_in_link(&format!("http://{}", self.address), &self.code)
    }

    /// Another handle of the port, for what answers there before the service does.
    pub(crate) fn handle(&self) -> Result<TcpListener, StartError> {
        self.listener.try_clone().map_err(|cause| StartError::Listen { address: self.address, cause })
    }

    /// Hands over the port, where a runtime is entered, and has `links` know the code. What else comes of it has the port stay open.
    pub(crate) fn hand_over(
        self,
        links: &LoginTokens,
        administrator: LocalUser,
        now: i64,
    ) -> std::io::Result<(tokio::net::TcpListener, PortReservation)> {
        links.expect(&self.code, administrator, Validity::Held, now);
        let reservation = PortReservation(self.listener.try_clone()?);
        Ok((tokio::net::TcpListener::from_std(self.listener)?, reservation))
    }
}

/// Keeps a port open while nobody answers there, so that no other program takes it between one service and the next.
pub(crate) struct PortReservation(TcpListener);

impl PortReservation {
    /// A listener at the same port, with a code of its own.
    pub(crate) fn listener(&self) -> std::io::Result<BoundListener> {
        BoundListener::before(self.0.try_clone()?)
    }
}

/// The link a code is handed out in. The code stands behind `#`: no browser sends that part anywhere or logs it.
pub fn sign_in_link(url: &str, code: &str) -> String {
    format!("{url}/sign-in#code={code}")
}

#[cfg(test)]
mod tests {
    use super::{BoundListener, LocalUser, LoginTokens};
    use crate::start::StartError;

    #[test]
    fn a_port_behind_a_door_is_taken_and_each_door_has_a_code_of_its_own() {
        let bound = BoundListener::open("127.0.0.1:0".parse().unwrap()).unwrap();
        let taken = BoundListener::open(bound.address).map(|_| ()).unwrap_err();
        assert!(matches!(taken, StartError::PortInUse { .. }), "{taken}");
        let other = BoundListener::open("127.0.0.1:0".parse().unwrap()).unwrap();
        assert_ne!(code(&bound), code(&other));
    }

    fn code(bound: &BoundListener) -> String {
        bound.link().split_once("#code=").unwrap().1.to_owned()
    }

    #[tokio::test]
    async fn a_port_stays_taken_from_one_service_to_the_next() {
        let guest = LocalUser { user: uuid::Uuid::nil(), tenant: uuid::Uuid::nil() };
        let bound = BoundListener::open("127.0.0.1:0".parse().unwrap()).unwrap();
        let (address, first) = (bound.address, code(&bound));
        let (listener, reservation) = bound.hand_over(&LoginTokens::default(), guest, 0).unwrap();
        let next = reservation.listener().unwrap();
        drop((listener, reservation));
        let taken = BoundListener::open(address).map(|_| ()).unwrap_err();
        assert!(matches!(taken, StartError::PortInUse { .. }), "{taken}");
        assert_eq!(next.address, address);
        assert_ne!(code(&next), first);
    }
}
