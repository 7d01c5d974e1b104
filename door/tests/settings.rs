use perigee_door::relay::gateway_of;
use perigee_door::settings::{Settings, parse};

fn parsed(line: &str) -> Result<Settings, String> {
    parse(line.split_whitespace().map(String::from))
}

#[test]
fn an_operator_names_public_addresses_and_listeners() {
    let settings = parsed(
        "--gateway 203.0.113.7:40000=10.0.0.6:40060 --gateway [fd00::7]:40000=[fd00::8]:9 --self-signed",
    );
    let gateways = settings.unwrap().gateways;
    assert_eq!(gateways[&"203.0.113.7:40000".parse().unwrap()], "10.0.0.6:40060".parse().unwrap());
    assert_eq!(gateways[&"[fd00:0:0:0:0:0:0:7]:40000".parse().unwrap()], "[fd00::8]:9".parse().unwrap());
}

#[test]
fn wrong_usage_has_a_sentence() {
    let gateway = "--gateway 1.2.3.4:5=6.7.8.9:10";
    for (line, sentence) in [
        ("--self-signed", "--gateway is missing: name each gateway to relay to"),
        (gateway, "either --cert and --key are needed, or --self-signed"),
        (&format!("{gateway} --cert a"), "either --cert and --key are needed, or --self-signed"),
        (
            &format!("{gateway} --self-signed --cert a --key b"),
            "either --cert and --key are needed, or --self-signed",
        ),
        ("--gateway 1.2.3.4:5", "--gateway: '1.2.3.4:5' is not of the form 203.0.113.7:40000=10.0.0.6:40060"),
        ("--gateway host:5=1.2.3.4:5", "--gateway: 'host:5' is not an address such as 10.0.0.6:40060"),
        ("--idle-s soon", "--idle-s: 'soon' is not a whole number"),
        ("--door 5", "'--door' is unknown; see --help"),
        ("--idle-s", "'--idle-s' is unknown or lacks its value; see --help"),
    ] {
        assert_eq!(parsed(line).err().as_deref(), Some(sentence), "{line}");
    }
}

#[test]
fn a_request_names_its_gateway() {
    let named = |path| gateway_of(path).map(|address| address.to_string());
    assert_eq!(named("/relay?gateway=10.0.0.7:40000"), Ok("10.0.0.7:40000".into()));
    assert_eq!(named("/relay?token=x&gateway=[fd00:0:0:0:0:0:0:7]:9"), Ok("[fd00::7]:9".into()));
    assert_eq!(named("/relay?gateway=example.org:9"), Err("gateway"));
    assert_eq!(named("/relay?token=x"), Err("gateway"));
    assert_eq!(named("/?gateway=10.0.0.7:40000"), Err("path"));
}
