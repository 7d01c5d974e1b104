/// Stands between a client and a server on loopback, and loses or delays what they say.
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
    SwallowReplies,  ///< the server hears the client, the client hears nothing
    HoldRequests,    ///< what the client says is kept
    Refuse           ///< connections end at once
  };
  explicit Proxy(unsigned server_port);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  unsigned port() const { return port_; }
  void set(Mode mode) { mode_ = mode; }
  /// Clients lose their connections. To the server, those with something held stay.
  void cut();
  bool holds(const std::string& text) const;
  /// The server hears what was held, and answers to nobody.
  void release();
  /// What it has said since then.
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
