/// A proxy between a client and a server on loopback that drops or delays data.
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace perigee::process_test {

class Proxy {
 public:
  enum class Mode {
    Pass,
    SwallowReplies,  ///< data reaches the server; the client gets no data
    HoldRequests,    ///< the client's data is held
    Refuse           ///< connections are closed at once
  };
  explicit Proxy(unsigned server_port);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  unsigned port() const { return port_; }
  void set(Mode mode) { mode_ = mode; }
  /// Clients lose their connections. Connections with held data stay open to the server.
  void cut();
  bool holds(const std::string& text) const;
  /// Sends the held data to the server, and drops its replies.
  void release();
  /// Bytes that the server has sent since then.
  std::size_t answered_bytes() const { return answered_bytes_; }

 private:
  struct Link {
    int client = -1;
    int server = -1;
    std::string held;
  };
  void run();
  void admit();
  void carry(Link& link, bool from_client);
  static void close_end(int& fd);

  const unsigned server_port_;
  int listener_ = -1;
  unsigned port_ = 0;
  std::atomic<Mode> mode_ = Mode::Pass;
  std::atomic<std::size_t> answered_bytes_ = 0;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::list<Link> links_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace perigee::process_test
