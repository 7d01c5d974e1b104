/// The host with its sockets, timers and clocks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exported.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/rooms/host.hpp"
#include "perigee/store_thread/store_thread.hpp"
#include "perigee/world/slow_calls.hpp"

namespace perigee::rooms {

/// The owner of a store of rooms. It is one for all processes: records of two rooms never have the
/// same key, so no process needs to be fenced.
inline constexpr world_keeper::Self rooms_in_store{.cluster_id = 0x726F'6F6D,  // "room"
                                                   .slot = WorkerSlot{0},
                                                   .incarnation = Incarnation{1}};

struct RunnerOptions {
  Address listen;     ///< UDP, for players
  HostSettings host;  ///< with the address that players dial
  plugin::Stages stages;
  Micros end_us_max = 10'000'000;  ///< after leave(): then all rooms are ended
  world::SlowCalls* slow_calls = nullptr;
  std::shared_ptr<world_store::Store> store;  ///< none: nothing is kept
};

/// The room whose game code ran last, for a crash report.
const RoomId& running_room();

class Runner : private Outputs {
 public:
  Runner(host::Loop& loop, Exported& exported, RunnerOptions options);
  ~Runner() override;
  Result<Ok> open();

  /// Orders; on the loop's thread.
  std::variant<RoomFigures, Refusal> create(RoomPlan plan);
  std::variant<RoomFigures, Refusal> end(RoomId room);
  std::variant<transport::ConnectToken, Refusal> invite(RoomId room, const Invitation& invitation);
  /// None: done.
  std::optional<Refusal> remove_player(RoomId room, std::uint64_t player_id);
  const Host& host() const { return *host_; }

  /// Ten times a second: metrics, and the addresses that the kernel should know.
  void show();
  /// No further rooms. The open ones are played on for a while.
  void leave();
  bool leaving() const { return leaving_since_us_.has_value(); }
  /// No room is left, or the time is over.
  bool may_stop() const;
  /// Ends all rooms; stop the loop a little later than ended(), so that the datagrams are sent.
  void close();
  /// After close(): the store has the records, or has had its time.
  bool ended() const { return host_->ending() == 0; }
  /// The reason why players cannot join; empty: they can.
  std::string_view not_ready_because();

 private:
  void to_client(const Address& to, std::span<const std::byte> datagram) override;
  void on_tick_begins(RoomId room) override;
  void on_tick(Micros spent_us, Micros late_us) override;
  void on_telemetry(const Telemetry& telemetry) override;
  void on_began(const RoomFigures& room) override;
  void on_ended(const RoomFigures& room) override;
  void on_game_faults(RoomId room, const world::GameFaults::Unsent& faults) override;
  void on_datagrams(std::span<const host::Datagram> datagrams);
  void end_turn();
  RecordStore open_store();

  host::Loop& loop_;
  Exported& exported_;
  RunnerOptions options_;
  std::optional<host::UdpSocket> sessions_;    ///< receives packets of sessions, sends everything
  std::optional<host::UdpSocket> handshakes_;  ///< the same port: requests, answers, garbage
  std::optional<Host> host_;
  host::Timer timer_;
  Micros armed_us_ = 0;                   ///< 0: the timer is not set
  bool due_ = false;                      ///< something arrived, or the timer fired
  std::uint64_t introduced_changes_ = 0;  ///< of client_changes() that the sockets know
  std::optional<Micros> leaving_since_us_;
  bool store_begun_ = false;
  // Last: its thread ends before the members that its callbacks use.
  std::optional<store_thread::StoreThread> store_;
};

}  // namespace perigee::rooms
