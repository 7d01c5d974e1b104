/// The UDP doors under test, from both sides: clients that send inputs through one, and a worker's
/// end that answers with snapshots. The load is the same for each: sizes, clients, order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/common/batch_socket.hpp"
#include "bench/doors/stand.hpp"
#include "perigee/base/result.hpp"

namespace perigee::bench {

/// Called with each input's mark.
using Marked = std::function<void(std::uint64_t mark)>;
inline const Marked nobody = [](std::uint64_t) {};

class DoorUnderTest {
 public:
  virtual ~DoorUnderTest() = default;
  /// Sends client n's next input, marked with `mark`.
  virtual void send_input(std::size_t n, std::uint64_t mark) = 0;
  /// Inputs that arrived at the worker's end since the last call.
  virtual std::size_t take_inputs(const Marked& marked = nobody) = 0;
  /// Sends one snapshot's two payloads from the worker's end to client n.
  virtual void send_snapshot(std::size_t n) = 0;
  /// Payloads of snapshots that arrived at clients since the last call.
  virtual std::size_t take_snapshots() = 0;
  /// Sends queued datagrams.
  virtual void flush() = 0;
  /// Keeps clients connected; to be called every second or so.
  virtual void tend() {}
  pid_t pid() const { return pid_; }
  std::size_t clients() const { return clients_; }

 protected:
  DoorUnderTest(pid_t pid, std::size_t clients) : pid_(pid), clients_(clients) {}

 private:
  pid_t pid_;
  std::size_t clients_;
};

/// All clients of our gateway log in and join; the error has the number of those that did not.
Result<std::unique_ptr<DoorUnderTest>> through_perigee(Stand& stand, const GatewayProcess& gateway,
                                                       std::size_t clients);
/// Further clients, one every `spacing_us`: the time of each from its first request until the
/// worker gets its join; `limit_us` if that is exceeded.
Result<std::vector<Micros>> join_times_us(Stand& stand, const GatewayProcess& gateway,
                                          std::size_t clients, Micros spacing_us, Micros limit_us);
/// Without log-ins: each client's first datagram opens nginx's session.
Result<std::unique_ptr<DoorUnderTest>> through_nginx(const NginxProcess& nginx,
                                                     std::size_t clients);

}  // namespace perigee::bench
