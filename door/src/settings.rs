//! The command line.
use std::collections::HashMap;
use std::net::SocketAddr;
use std::str::FromStr;

pub const HELP: &str = "\
perigee-door: relays WebTransport sessions of browsers to perigee gateways

  --gateway PUBLIC=LISTENER  a gateway: IP:PORT that tokens name = IP:PORT of its gateway.door_listen;
                             once for each gateway, all others are refused
  --door-key FILE            the key that the gateways made; default .perigee/secrets/door.key
  --cert FILE --key FILE     certificate chain and private key, PEM; read again when they change
  --self-signed              instead of these: a certificate for development, valid for 14 days
  --listen IP:PORT           UDP, for players; default 127.0.0.1:40014
  --metrics IP:PORT          TCP: /metrics, /ready, /live; default 127.0.0.1:40104
  --sessions-max N           default 2000
  --per-address-max N        sessions of one address, or of one /64 of IPv6; default 32
  --idle-s N                 ends sessions without datagrams; default 30
  --drain-s N                after SIGTERM, until open sessions are closed; default 5

examples:
  perigee-door --gateway 127.0.0.1:40000=127.0.0.1:40060 --self-signed
  perigee-door --listen 0.0.0.0:443 --cert chain.pem --key key.pem --door-key /etc/perigee/door.key \\
    --gateway 203.0.113.7:40000=10.0.0.6:40060 --gateway 203.0.113.8:40000=10.0.0.7:40060
";

pub struct Settings {
    pub gateways: HashMap<SocketAddr, SocketAddr>,
    pub door_key: String,
    pub cert: Option<String>,
    pub key: Option<String>,
    pub self_signed: bool,
    pub listen: SocketAddr,
    pub metrics: SocketAddr,
    pub sessions_max: usize,
    pub per_address_max: usize,
    pub idle_s: u64,
    pub drain_s: u64,
}

fn parsed<T: FromStr>(flag: &str, text: &str, form: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{flag}: '{text}' is not {form}"))
}

/// The settings, or a sentence.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Settings, String> {
    let mut settings = Settings {
        gateways: HashMap::new(),
        door_key: ".perigee/secrets/door.key".into(),
        cert: None,
        key: None,
        self_signed: false,
        listen: SocketAddr::from(([127, 0, 0, 1], 40014)),
        metrics: SocketAddr::from(([127, 0, 0, 1], 40104)),
        sessions_max: 2000,
        per_address_max: 32,
        idle_s: 30,
        drain_s: 5,
    };
    let (address, number) = ("an address such as 10.0.0.6:40060", "a whole number");
    let mut arguments = arguments.into_iter();
    while let Some(flag) = arguments.next() {
        if flag == "--self-signed" {
            settings.self_signed = true;
            continue;
        }
        let value =
            arguments.next().ok_or_else(|| format!("'{flag}' is unknown or lacks its value; see --help"))?;
        match flag.as_str() {
            "--gateway" => {
                let (public, listener) = value.split_once('=').ok_or_else(|| {
                    format!("{flag}: '{value}' is not of the form 203.0.113.7:40000=10.0.0.6:40060")
                })?;
                settings.gateways.insert(parsed(&flag, public, address)?, parsed(&flag, listener, address)?);
            }
            "--door-key" => settings.door_key = value,
            "--cert" => settings.cert = Some(value),
            "--key" => settings.key = Some(value),
            "--listen" => settings.listen = parsed(&flag, &value, address)?,
            "--metrics" => settings.metrics = parsed(&flag, &value, address)?,
            "--sessions-max" => settings.sessions_max = parsed(&flag, &value, number)?,
            "--per-address-max" => settings.per_address_max = parsed(&flag, &value, number)?,
            "--idle-s" => settings.idle_s = parsed(&flag, &value, number)?,
            "--drain-s" => settings.drain_s = parsed(&flag, &value, number)?,
            _ => return Err(format!("'{flag}' is unknown; see --help")),
        }
    }
    match settings {
        _ if settings.gateways.is_empty() => {
            Err("--gateway is missing: name each gateway to relay to".into())
        }
        _ if settings.self_signed == settings.cert.is_some()
            || settings.cert.is_some() != settings.key.is_some() =>
        {
            Err("either --cert and --key are needed, or --self-signed".into())
        }
        _ => Ok(settings),
    }
}
