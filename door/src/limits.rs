//! Bounds on sessions, in all and of each player address. A session's place counts from its first
//! packet on, and is free `PLACE_MIN` after that at the earliest, so it also bounds the rate of starts.
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub const PLACE_MIN: Duration = Duration::from_secs(5);

pub struct Limits {
    sessions_max: usize,
    per_address_max: usize,
    places: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

/// A host of IPv6 has all addresses of its /64.
fn source_of(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        ip => ip,
    }
}

impl Limits {
    pub fn new(sessions_max: usize, per_address_max: usize) -> Arc<Self> {
        Arc::new(Self { sessions_max, per_address_max, places: Mutex::default() })
    }

    /// A place, until it is dropped; or the reason for which there is none.
    pub fn enter(self: &Arc<Self>, ip: IpAddr) -> Result<Place, &'static str> {
        let (all, of) = &mut *self.places.lock().unwrap();
        let source = source_of(ip);
        if *all >= self.sessions_max {
            return Err("full");
        }
        if of.get(&source).is_some_and(|taken| *taken >= self.per_address_max) {
            return Err("address_full");
        }
        *of.entry(source).or_default() += 1;
        *all += 1;
        Ok(Place(self.clone(), source))
    }
}

pub struct Place(Arc<Limits>, IpAddr);
impl Drop for Place {
    fn drop(&mut self) {
        let (all, of) = &mut *self.0.places.lock().unwrap();
        *all -= 1;
        let left = of[&self.1] - 1;
        if left == 0 {
            of.remove(&self.1)
        } else {
            of.insert(self.1, left)
        };
    }
}
