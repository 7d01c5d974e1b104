//! The sealed header before each datagram to a gateway: "Door header" in proto/WIRE.md.
use std::io;
use std::net::{IpAddr, SocketAddr};

pub const BYTES: usize = 35;
pub type Key = [u8; 32];
const VERSION: u8 = 1;
const CONTEXT: &[u8; 16] = b"perigee door 1\0\0";

fn endpoint(address: SocketAddr) -> [u8; 18] {
    let ip = match address.ip() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    let mut bytes = [0; 18];
    bytes[..16].copy_from_slice(&ip.octets());
    bytes[16..].copy_from_slice(&address.port().to_be_bytes());
    bytes
}

/// `own`: the address from which this door sends to the gateway.
pub fn seal(player: SocketAddr, own: SocketAddr, key: &Key) -> [u8; BYTES] {
    let mut header = [0; BYTES];
    header[0] = VERSION;
    header[1..19].copy_from_slice(&endpoint(player));
    let mut mac = blake2b_simd::Params::new().hash_length(16).key(key).to_state();
    mac.update(CONTEXT).update(&header[..19]).update(&endpoint(own));
    header[19..].copy_from_slice(mac.finalize().as_bytes());
    header
}

/// The first line of the file that the gateway made: 64 hex digits.
pub fn read_key(path: &str) -> io::Result<Key> {
    let text = std::fs::read_to_string(path)?;
    let line = text.lines().next().unwrap_or_default().as_bytes();
    let mut key = [0; 32];
    let digit = |c: u8| char::from(c).to_digit(16).map(|d| d as u8);
    for (i, byte) in key.iter_mut().enumerate() {
        let pair = line.get(2 * i..2 * i + 2).and_then(|p| Some(digit(p[0])? << 4 | digit(p[1])?));
        *byte = pair
            .filter(|_| line.len() == 64)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "expected a line of 64 hex digits"))?;
    }
    Ok(key)
}
