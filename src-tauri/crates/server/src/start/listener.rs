//! The listening port of a service that does not answer yet, and the sign-in code for the user who started it.
//!
//! A window can open while the service still starts: early connections wait in the queue of the port until the service answers.

use crate::guard::login_tokens::{LocalUser, LoginTokens, Validity};
use crate::start::StartError;
use std::net::{SocketAddr, TcpListener};

/// A bound port, and a single-use sign-in code that becomes valid when the service answers there.
pub struct BoundListener {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
    code: String,
}

impl BoundListener {
    /// Binds `address`; port 0 selects a free one.
    pub fn open(address: SocketAddr) -> Result<Self, StartError> {
        let listener = TcpListener::bind(address).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortInUse { address },
            _ => StartError::Listen { address, cause },
        })?;
        Self::before(listener).map_err(|cause| StartError::Listen { address, cause })
    }

    /// Wraps a listener that is already bound.
    fn before(listener: TcpListener) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, code: auth::draw_secret(&mut rand::rng()) })
    }

    /// A single-use link that signs the local administrator in, like that of [`crate::Running::sign_in_link`]. It expires ten minutes after the
    /// service begins to answer.
    pub fn link(&self) -> String {
        sign_in_link(&format!("http://{}", self.address), &self.code)
    }

    /// Another handle of the port, for the pages shown before the service answers.
    pub(crate) fn handle(&self) -> Result<TcpListener, StartError> {
        self.listener.try_clone().map_err(|cause| StartError::Listen { address: self.address, cause })
    }

    /// Registers the code with `links` and converts the listener for Tokio; requires a runtime. The reservation returned with it keeps the port
    /// open.
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

/// Keeps the port bound between two services, so that no other program can take it.
pub(crate) struct PortReservation(TcpListener);

impl PortReservation {
    /// A listener at the same port, with a code of its own.
    pub(crate) fn listener(&self) -> std::io::Result<BoundListener> {
        BoundListener::before(self.0.try_clone()?)
    }
}

/// The sign-in link for a code. The code is in the fragment, after `#`: browsers neither send nor log it.
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
