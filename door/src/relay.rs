//! One session: its own UDP socket to the gateway, and the datagrams of both directions.
use crate::header::{self, Key};
use crate::metrics::Metrics;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::RwLock;
use std::time::{Duration, Instant};
use tokio::net::UdpSocket;
use wtransport::{Connection, VarInt};

/// The longest of netcode: a payload of 1,200 bytes, 25 around it.
const DATAGRAM_BYTES_MAX: usize = 1225;
const TURN_DATAGRAMS_MAX: usize = 32;

/// The gateway of the path that a client requests, such as /relay?token=x&gateway=10.0.0.7:40000.
pub fn gateway_of(path: &str) -> Result<SocketAddr, &'static str> {
    let query = path.strip_prefix("/relay?").ok_or("path")?;
    let named = query.split('&').find_map(|part| part.strip_prefix("gateway="));
    named.and_then(|text| text.parse().ok()).ok_or("gateway")
}

pub async fn open_socket(gateway: SocketAddr) -> io::Result<UdpSocket> {
    let any = if gateway.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind(SocketAddr::new(any, 0)).await?;
    socket.connect(gateway).await?;
    Ok(socket)
}

struct Relay<'a> {
    connection: &'a Connection,
    socket: &'a UdpSocket,
    metrics: &'a Metrics,
}

impl Relay<'_> {
    fn to_gateway(&self, payload: &[u8], sealed: &mut [u8]) {
        let end = header::BYTES + payload.len();
        if payload.is_empty() || payload.len() > DATAGRAM_BYTES_MAX {
            let reason = if payload.is_empty() { "empty" } else { "too_long" };
            return self.metrics.add("drops", reason, 1);
        }
        sealed[header::BYTES..end].copy_from_slice(payload);
        if self.socket.try_send(&sealed[..end]).is_err() {
            return self.metrics.add("drops", "socket", 1);
        }
        self.metrics.add("datagrams", "to_gateway", 1);
        self.metrics.add("bytes", "to_gateway", payload.len() as u64);
    }

    fn to_player(&self, payload: &[u8]) {
        // quinn would drop the oldest datagrams, and not count them.
        if self.connection.quic_connection().datagram_send_buffer_space() < payload.len() + 8 {
            return self.metrics.add("drops", "congested", 1);
        }
        if self.connection.send_datagram(payload).is_err() {
            return self.metrics.add("drops", "too_long", 1);
        }
        self.metrics.add("datagrams", "to_player", 1);
        self.metrics.add("bytes", "to_player", payload.len() as u64);
    }
}

/// Returns when the session has ended: closed, or no datagram in either direction for `idle`.
pub async fn run(
    connection: &Connection,
    socket: &UdpSocket,
    key: &RwLock<Key>,
    idle: Duration,
    metrics: &Metrics,
) {
    let relay = Relay { connection, socket, metrics };
    let own = socket.local_addr().expect("a connected socket has an address");
    let header = || header::seal(connection.remote_address(), own, &key.read().unwrap());
    let mut sealed = [0; header::BYTES + DATAGRAM_BYTES_MAX];
    sealed[..header::BYTES].copy_from_slice(&header());
    let mut received = [0; 2048];
    let mut used = Instant::now();
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            datagram = connection.receive_datagram() => {
                let Ok(datagram) = datagram else { return };
                relay.to_gateway(&datagram, &mut sealed);
                used = Instant::now();
            }
            ready = socket.readable() => {
                if ready.is_err() { return }
                for _ in 0..TURN_DATAGRAMS_MAX {
                    // An error: nothing is left, or no socket is at the gateway's address.
                    let Ok(bytes) = socket.try_recv(&mut received) else { break };
                    relay.to_player(&received[..bytes]);
                    used = Instant::now();
                }
            }
            // The player's address changes with its network, and the key is rotated.
            _ = second.tick() => {
                sealed[..header::BYTES].copy_from_slice(&header());
                if used.elapsed() >= idle {
                    return connection.close(VarInt::from_u32(0), b"no datagrams: the session has ended");
                }
            }
        }
    }
}
