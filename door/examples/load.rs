//! Plays many browsers and their gateway, and prints the processor time that the door takes for it:
//!   load DOOR_PROGRAM KEY_FILE [SESSIONS] [DATAGRAMS_PER_S_AND_SESSION] [SECONDS] [BYTES]
//! The gateway answers every datagram with one of the same size.
use perigee_door::header;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, UdpSocket};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, atomic::AtomicU64, atomic::Ordering::Relaxed};
use std::time::{Duration, Instant};
use wtransport::{ClientConfig, Endpoint, tls::Sha256Digest, tls::Sha256DigestFmt};

/// Of /proc/PID/stat: user and system time. The kernel counts in hundredths of a second.
fn cpu_s(door: &Child) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", door.id())).unwrap();
    let words: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (words[11].parse::<f64>().unwrap() + words[12].parse::<f64>().unwrap()) / 100.0
}

fn play_gateway(socket: UdpSocket) {
    let mut datagram = [0; 2048];
    loop {
        let Ok((bytes, from)) = socket.recv_from(&mut datagram) else { continue };
        if bytes > header::BYTES {
            let _ = socket.send_to(&datagram[header::BYTES..bytes], from);
        }
    }
}

fn metrics(port: u16) -> String {
    let mut stream = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn free_port() -> u16 {
    UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |word| word.parse().unwrap());
    let (sessions, rate, seconds, size) = (number(3, 50), number(4, 90), number(5, 10), number(6, 250));
    let gateway = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let at = gateway.local_addr().unwrap();
    let (udp, tcp) = (free_port(), free_port());
    let mut door = Command::new(&words[1])
        .args(["--door-key", &words[2], "--self-signed", "--gateway", &format!("{at}={at}")])
        .args(["--listen", &format!("127.0.0.1:{udp}"), "--metrics", &format!("127.0.0.1:{tcp}")])
        .args(["--per-address-max", "100000"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(door.stderr.take().unwrap()).lines().map(Result::unwrap);
    let made = lines.find(|line| line.contains("\"sha256\"")).unwrap();
    let hash = made.rsplit_once("\"sha256\":").unwrap().1.trim_end_matches('}');
    let hash = Sha256Digest::from_str_fmt(hash, Sha256DigestFmt::BytesArray).unwrap();
    lines.find(|line| line.contains("ready")).unwrap();
    std::thread::spawn(move || play_gateway(gateway));
    std::thread::spawn(move || lines.for_each(drop));

    let url = Arc::new(format!("https://127.0.0.1:{udp}/relay?gateway={at}"));
    let config = ClientConfig::builder().with_bind_default().with_server_certificate_hashes([hash]).build();
    let endpoint = Endpoint::client(config).unwrap();
    let received = Arc::new(AtomicU64::new(0));
    let mut connections = Vec::new();
    for _ in 0..sessions {
        connections.push(endpoint.connect(&*url).await.expect("the door lets us in"));
    }
    let (began, cpu_before_s) = (Instant::now(), cpu_s(&door));
    let end = began + Duration::from_secs(seconds);
    let mut sent = 0;
    let mut players = Vec::new();
    for connection in connections {
        let received = received.clone();
        players.push(tokio::spawn(async move {
            let mut due = tokio::time::interval(Duration::from_micros(1_000_000 / rate));
            let mut sent = 0_u64;
            let payload = vec![7; size as usize];
            while Instant::now() < end {
                tokio::select! {
                    _ = due.tick() => sent += u64::from(connection.send_datagram(&payload).is_ok()),
                    got = connection.receive_datagram() => { got.unwrap(); received.fetch_add(1, Relaxed); }
                }
            }
            sent
        }));
    }
    for player in players {
        sent += player.await.unwrap();
    }
    let (wall_s, cpu_s) = (began.elapsed().as_secs_f64(), cpu_s(&door) - cpu_before_s);
    let received = received.load(Relaxed);
    println!("{sessions} sessions, {sent} datagrams up, {received} back, of {size} bytes, in {wall_s:.1} s");
    let text = metrics(tcp);
    let count = |direction: &str| -> f64 {
        let series = format!("perigee_door_datagrams_total{{direction=\"{direction}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&series)).unwrap().parse().unwrap()
    };
    let relayed = count("to_gateway") + count("to_player");
    println!(
        "door: {relayed} relayed in {cpu_s:.2} CPU s, {:.0} per CPU s, {:.1} us each",
        relayed / cpu_s,
        1e6 * cpu_s / relayed
    );
    for line in text.lines().filter(|line| line.contains("drops_total{") && !line.ends_with(" 0")) {
        println!("  {line}");
    }
    door.kill().unwrap();
    door.wait().unwrap();
}
