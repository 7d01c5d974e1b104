//! Counters, log lines, and the HTTP port: /metrics, /ready, /live.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const REQUESTS_MAX: usize = 16;
type Family = (&'static str, &'static str, &'static str, &'static [&'static str]);
const DIRECTIONS: &[&str] = &["to_gateway", "to_player"];
const FAMILIES: [Family; 5] = [
    ("sessions", "step", "WebTransport sessions.", &["address_checked", "started", "ended"]),
    ("datagrams", "direction", "Datagrams relayed.", DIRECTIONS),
    ("bytes", "direction", "Their bytes, without headers.", DIRECTIONS),
    ("drops", "reason", "Datagrams dropped.", &["empty", "too_long", "socket", "congested"]),
    (
        "refusals",
        "reason",
        "Sessions refused.",
        &["draining", "full", "address_full", "handshake", "path", "gateway", "socket"],
    ),
];

pub struct Metrics {
    counts: BTreeMap<(&'static str, &'static str), AtomicU64>,
    pub draining: AtomicBool,
}

impl Default for Metrics {
    fn default() -> Self {
        let rows = FAMILIES.iter().flat_map(|f| f.3.iter().map(move |value| ((f.0, *value), 0.into())));
        Self { counts: rows.collect(), draining: false.into() }
    }
}

impl Metrics {
    pub fn sessions(&self) -> u64 {
        let count = |step| self.counts[&("sessions", step)].load(Relaxed);
        count("started").saturating_sub(count("ended"))
    }

    pub fn add(&self, family: &'static str, label: &'static str, count: u64) {
        self.counts[&(family, label)].fetch_add(count, Relaxed);
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "# HELP perigee_door_sessions Open sessions.\n# TYPE perigee_door_sessions gauge\nperigee_door_sessions {}\n",
            self.sessions()
        );
        for (name, label, help, values) in FAMILIES {
            let name_total = format!("perigee_door_{name}_total");
            text += &format!("# HELP {name_total} {help}\n# TYPE {name_total} counter\n");
            for value in values {
                let count = self.counts[&(name, *value)].load(Relaxed);
                text += &format!("{name_total}{{{label}=\"{value}\"}} {count}\n");
            }
        }
        text
    }

    async fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut request = [0; 1024];
        let bytes = stream.read(&mut request).await?;
        let path = String::from_utf8_lossy(&request[..bytes]);
        let (status, body) = match path.split(' ').nth(1) {
            Some("/metrics") => ("200 OK", self.text()),
            Some("/ready") if self.draining.load(Relaxed) => ("503 Service Unavailable", "draining\n".into()),
            Some("/ready" | "/live") => ("200 OK", "ok\n".into()),
            _ => ("404 Not Found", "this port has /metrics, /ready and /live\n".into()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await?;
        stream.shutdown().await
    }

    pub async fn serve(self: Arc<Self>, listener: TcpListener) {
        let places = Arc::new(tokio::sync::Semaphore::new(REQUESTS_MAX));
        loop {
            let place = places.clone().acquire_owned().await;
            let Ok((stream, _)) = listener.accept().await else { continue };
            let metrics = self.clone();
            tokio::spawn(async move {
                let _place = place;
                let _ = tokio::time::timeout(Duration::from_secs(5), metrics.answer(stream)).await;
            });
        }
    }
}

/// `fields`: such as `"udp":"10.0.0.7:40443"`, in JSON; or empty.
pub fn log(level: &str, message: &str, fields: &str) {
    let time = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
    let comma = if fields.is_empty() { "" } else { "," };
    eprintln!(
        r#"{{"time":"{time}","level":"{level}","process":"door","message":{message:?}{comma}{fields}}}"#
    );
}
