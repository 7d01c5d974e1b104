use perigee_door::limits::Limits;
use std::net::IpAddr;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn places_are_limited_in_all_and_by_address() {
    let limits = Limits::new(3, 2);
    let first = limits.enter(ip("10.0.0.1")).ok().unwrap();
    let _second = limits.enter(ip("::ffff:10.0.0.1")).ok().unwrap();
    assert_eq!(limits.enter(ip("10.0.0.1")).err(), Some("address_full"));
    let _third = limits.enter(ip("10.0.0.2")).ok().unwrap();
    assert_eq!(limits.enter(ip("10.0.0.3")).err(), Some("full"));
    drop(first);
    assert!(limits.enter(ip("10.0.0.1")).is_ok());
}

#[test]
fn a_64_of_ipv6_is_one_address() {
    let limits = Limits::new(10, 1);
    let _place = limits.enter(ip("2001:db8::1")).ok().unwrap();
    assert_eq!(limits.enter(ip("2001:db8::ffff:1")).err(), Some("address_full"));
    assert!(limits.enter(ip("2001:db8:0:1::1")).is_ok());
}
