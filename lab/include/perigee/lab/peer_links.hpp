/// The connections between the virtual cluster's workers. Groups of messages arrive in order,
/// complete and once, or the connection is lost and both ends are notified. A lost connection is
/// redialled until it is up again. A stream that was cut for a short time continues where it was.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {

class PeerLinks {
 public:
  /// As in perigee::peers::Core.
  static constexpr std::size_t word_bytes_max = 16 << 20;
  static constexpr Micros silence_us_max = 2'000'000;
  static constexpr Micros redial_us_min = 100'000, redial_us_max = 2'000'000;
  /// Delay until data held up by a cut is resent.
  static constexpr Micros resend_us = 150'000;

  struct Workers {
    std::function<void(Party from, Party to, const Bytes& word)> receive;
    std::function<void(Party at, Party with)> lost;
    std::function<Micros(Party)> stands_still_until_us;
    /// Increases with each process under that name.
    std::function<std::uint64_t(Party)> incarnation;
    /// Both run, and each knows the other's incarnation.
    std::function<bool(Party, Party)> know_each_other;
  };
  PeerLinks(EventQueue& queue, const Net& net, Workers workers)
      : queue_(queue), net_(net), workers_(std::move(workers)) {}

  /// Sends a group of messages that arrive together. `in_order`: they do not arrive before earlier
  /// messages.
  void send(Party from, Party to, std::vector<Bytes> words, Micros transit_us, bool in_order);
  // Events that have just begun or ended.
  void on_cut(Party a, Party b);
  void on_mended(Party a, Party b);
  void on_death(Party who, std::uint32_t workers);
  void on_standstill(Party who, std::uint32_t workers);

 private:
  struct Group {
    Party from = 0, to = 0;
    std::uint64_t incarnation = 0;  ///< of the receiver
    std::vector<Bytes> words;
  };
  struct Link {
    bool up = true;
    std::uint32_t number = 0;  ///< number of connections so far
    std::uint32_t cuts = 0;    ///< number of cuts so far
    Micros lost_us = 0;
    std::vector<Group> held;          ///< by a cut
    std::array<Micros, 2> last_us{};  ///< arrival of the newest message, up and down
  };
  void arrive(std::uint32_t number, const Group& group);
  void deliver(const Group& group);
  void lose(Party a, Party b);
  void report_lost(Party at, Party with);
  void dial(Party a, Party b, Micros wait_us);

  EventQueue& queue_;
  const Net& net_;
  Workers workers_;
  std::map<Ends, Link> links_;
};

}  // namespace perigee::lab
