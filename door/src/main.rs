//! Wiring: sockets, certificates, signals, and one task for each session.
use perigee_door::file_watch::FileWatch;
use perigee_door::limits::{Limits, PLACE_MIN};
use perigee_door::metrics::{Metrics, log};
use perigee_door::{header, relay, settings, settings::Settings};
use std::process::ExitCode;
use std::sync::{Arc, RwLock, atomic::Ordering::Relaxed};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, interval, sleep, sleep_until, timeout};
use wtransport::config::QuicTransportConfig;
use wtransport::endpoint::{IncomingSession, endpoint_side::Server};
use wtransport::tls::Sha256DigestFmt;
use wtransport::{Endpoint, Identity, ServerConfig, VarInt};

const HANDSHAKE_MAX: Duration = Duration::from_secs(10);
const SEND_BUFFER_BYTES: usize = 64 << 10;

struct Door {
    settings: Settings,
    key: RwLock<header::Key>,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
}

async fn config(settings: &Settings) -> Result<ServerConfig, String> {
    let identity = if let (Some(cert), Some(key)) = (&settings.cert, &settings.key) {
        Identity::load_pemfiles(cert, key).await.map_err(|error| format!("{cert}, {key}: {error}"))?
    } else {
        let names = ["localhost".to_string(), settings.listen.ip().to_string()];
        let made =
            Identity::self_signed_builder().subject_alt_names(names).from_now_utc().validity_days(14).build();
        let made = made.map_err(|error| error.to_string())?;
        let hash = made.certificate_chain().as_slice()[0].hash().fmt(Sha256DigestFmt::BytesArray);
        log("info", "certificate for development made", &format!("\"sha256\":{hash}"));
        made
    };
    let mut transport = QuicTransportConfig::default();
    // 1,232 bytes pass every IPv6 path; the receive buffers hold the session's request, nothing more.
    transport.initial_mtu(1232).datagram_send_buffer_size(SEND_BUFFER_BYTES);
    transport.datagram_receive_buffer_size(Some(SEND_BUFFER_BYTES)).receive_window(65536_u32.into());
    transport.max_concurrent_bidi_streams(2_u32.into()).max_concurrent_uni_streams(8_u32.into());
    let builder = ServerConfig::builder().with_bind_address(settings.listen);
    let builder = builder.with_custom_transport(identity, transport);
    Ok(builder.max_idle_timeout(Some(HANDSHAKE_MAX)).map_err(|error| error.to_string())?.build())
}

impl Door {
    /// The reason for which no session was started.
    async fn session(&self, incoming: IncomingSession) -> Result<(), &'static str> {
        let request = timeout(HANDSHAKE_MAX, incoming).await.ok().and_then(Result::ok).ok_or("handshake")?;
        let gateway = relay::gateway_of(request.path());
        let Some(listener) = gateway.ok().and_then(|named| self.settings.gateways.get(&named)) else {
            let _ = timeout(HANDSHAKE_MAX, request.forbidden()).await;
            return Err(gateway.err().unwrap_or("gateway"));
        };
        let socket = relay::open_socket(*listener).await.map_err(|_| "socket")?;
        let accepted = timeout(HANDSHAKE_MAX, request.accept()).await;
        let connection = accepted.ok().and_then(Result::ok).ok_or("handshake")?;
        self.metrics.add("sessions", "started", 1);
        let idle = Duration::from_secs(self.settings.idle_s);
        relay::run(&connection, &socket, &self.key, idle, &self.metrics).await;
        self.metrics.add("sessions", "ended", 1);
        Ok(())
    }

    fn on_incoming(self: &Arc<Self>, incoming: IncomingSession) {
        if !incoming.remote_address_validated() {
            self.metrics.add("sessions", "address_checked", 1);
            return incoming.retry(); // from here on senders have the address that they name
        }
        let draining = self.metrics.draining.load(Relaxed);
        let place =
            if draining { Err("draining") } else { self.limits.enter(incoming.remote_address().ip()) };
        let place = match place {
            Ok(place) => place,
            Err(reason) => {
                self.metrics.add("refusals", reason, 1);
                return incoming.refuse();
            }
        };
        let (door, free_from) = (self.clone(), Instant::now() + PLACE_MIN);
        tokio::spawn(async move {
            if let Err(reason) = door.session(incoming).await {
                door.metrics.add("refusals", reason, 1);
            }
            sleep_until(free_from).await;
            drop(place);
        });
    }

    /// After SIGHUP. What cannot be read stays as it was.
    async fn reload(&self, endpoint: &Endpoint<Server>) -> Result<(), String> {
        let file = &self.settings.door_key;
        let key = header::read_key(file).map_err(|error| format!("{file}: {error}"))?;
        self.reload_certificate(endpoint).await?;
        *self.key.write().unwrap() = key;
        Ok(())
    }

    /// Sessions go on with the former one.
    async fn reload_certificate(&self, endpoint: &Endpoint<Server>) -> Result<(), String> {
        let config = config(&self.settings).await?;
        endpoint.reload_config(config, false).map_err(|error| error.to_string())
    }
}

async fn run(settings: Settings) -> Result<(), String> {
    let file = &settings.door_key;
    let key =
        header::read_key(file).map_err(|error| format!("{file}: {error}; the gateway makes this file"))?;
    // Before the first read, so that no renewal is missed.
    let mut certificate_files = FileWatch::new([&settings.cert, &settings.key].into_iter().flatten());
    let at = |address| move |error: std::io::Error| format!("{address}: {error}; choose another port");
    let endpoint = Endpoint::server(config(&settings).await?).map_err(at(settings.listen))?;
    let listener = tokio::net::TcpListener::bind(settings.metrics).await.map_err(at(settings.metrics))?;
    let (mut hangup, mut terminate) = (signal(SignalKind::hangup()), signal(SignalKind::terminate()));
    let (Ok(hangup), Ok(terminate)) = (&mut hangup, &mut terminate) else {
        return Err("no signals here".into());
    };
    let limits = Limits::new(settings.sessions_max, settings.per_address_max);
    let door = Arc::new(Door { settings, key: RwLock::new(key), limits, metrics: Arc::default() });
    tokio::spawn(door.metrics.clone().serve(listener));
    let ports = format!(r#""udp":"{}","metrics":"{}""#, door.settings.listen, door.settings.metrics);
    log("info", "ready", &ports);
    let mut each_second = interval(Duration::from_secs(1));
    let mut last = None; // when the drain ends
    while last.is_none_or(|last| Instant::now() < last && door.metrics.sessions() > 0) {
        tokio::select! {
            incoming = endpoint.accept() => door.on_incoming(incoming),
            _ = hangup.recv() => match door.reload(&endpoint).await {
                Ok(()) => log("info", "certificate and key reloaded", ""),
                Err(why) => log("error", "keeping certificate and key", &format!("\"why\":{why:?}")),
            },
            _ = each_second.tick(), if certificate_files.has_files() => if certificate_files.changed() {
                match door.reload_certificate(&endpoint).await {
                    Ok(()) => log("info", "certificate reloaded", ""),
                    Err(why) => log("error", "keeping the certificate", &format!("\"why\":{why:?}")),
                }
            },
            _ = terminate.recv() => {
                log("info", "draining", &format!("\"sessions\":{}", door.metrics.sessions()));
                door.metrics.draining.store(true, Relaxed);
                last = Some(Instant::now() + Duration::from_secs(door.settings.drain_s));
            }
            () = sleep(Duration::from_millis(100)), if last.is_some() => {}
        }
    }
    endpoint.close(VarInt::from_u32(0), b"this door stops: connect again");
    let _ = timeout(Duration::from_secs(2), endpoint.wait_idle()).await;
    log("info", "stopped", "");
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--help") {
        print!("{}", settings::HELP);
        return ExitCode::SUCCESS;
    }
    let settings = match settings::parse(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("perigee-door: {why}");
            return ExitCode::from(2);
        }
    };
    match run(settings).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("perigee-door: {why}");
            ExitCode::FAILURE
        }
    }
}
