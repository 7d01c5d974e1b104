/// Ghosts: what other workers own near what is ours, as remote entities of this world. Solid,
/// looked at by actors and stood on; never simulated, and never told to clients. Each worker tells
/// each other one of what it owns in and along that one's regions, and around what that one owns
/// elsewhere: its strays.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ghost_wire.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/look_rounds.hpp"

namespace perigee::worker {

class Core::Ghosts {
 public:
  /// A group goes over 32 m beyond the border, at up to 60 m/s within a second, and then whatever
  /// lies within 32 m of it is there already. More: more to tell; less: ground that comes late.
  static constexpr double band_m = 128;
  static constexpr double leave_m = 160;          ///< so much farther, that nothing comes and goes
  static constexpr std::int32_t look_ticks = 12;  ///< each thing: is it in the band?
  /// Of those that rest, in a tick. More: longer ticks of whoever has 100,000 things; less: it is
  /// longer until all has been looked at after the map has changed. What moves is looked at in
  /// time.
  static constexpr std::size_t looks_per_tick_max = 2048;
  /// Told of before, looked at in a tick: whether they are still ours, and there.
  static constexpr std::size_t checks_per_tick_max = 512;
  /// Never told of, listed in a tick: more than fit into it.
  static constexpr std::size_t untold_per_tick_max = 4096;
  static constexpr std::int32_t motion_ticks = 3;    ///< 20 Hz of bodies; actors are told each tick
  static constexpr std::int32_t idle_ticks = 3;      ///< a message at least so often
  static constexpr std::int32_t again_ticks = 12;    ///< between two calls for all of it
  static constexpr std::int32_t dispute_ticks = 15;  ///< then whoever has it says so again
  /// Without news for so long everything of a peer is gone, but at its buddy. (Bodies go on for 15
  /// ticks, then rest.)
  static constexpr std::int32_t silence_ticks_max = 120;
  /// Groups come while all of the giver's band was here so lately.
  static constexpr std::int32_t fresh_ticks = 30;
  static constexpr std::int32_t skew_ticks_max = 60;           ///< of a message's tick to ours
  static constexpr std::size_t bytes_per_tick_max = 32 << 10;  ///< and peer; the rest waits
  /// The same for the buddy, which is told of everything: 1,000 bodies and 500 people take 60 KiB.
  static constexpr std::size_t buddy_bytes_per_tick_max = 256 << 10;

  explicit Ghosts(Core& core) : core_(core), buffer_(buddy_bytes_per_tick_max) {}

  void on_map();
  /// The world is at the start of next_tick().
  void after_tick();
  void on_news(WorkerSlot from, std::span<const std::byte> bytes);
  void on_again(WorkerSlot from, std::span<const std::byte> bytes);
  /// Whatever had this handle is not in this world any more.
  void no_more(Handle thing);

  /// All of the peer's band is here.
  bool knows_all_of(WorkerSlot peer) const;
  /// Likewise, as of that tick of its own.
  bool knows_all_of(WorkerSlot peer, Tick tick) const;
  /// It has been told of all of ours that it is to know of.
  bool tells_all_to(WorkerSlot peer) const;
  /// There is another worker.
  bool tells_anybody() const { return !told_.empty(); }
  /// Whoever lives and owns a region has told all that it has there, or was not heard for a while.
  bool knows_everybodys() const;
  std::optional<WorkerSlot> owner_of(Handle ghost) const;
  /// Its owner is one whose buddy this worker is.
  bool copied(Handle ghost) const;
  /// Somebody else says to have it.
  bool tells_of(Handle ghost) const;
  /// Where that worker has things outside of its regions.
  std::span<const world::Bounds> strays_of(WorkerSlot peer) const;
  /// These went to the peer, and are its ghosts before it says so.
  void gave(std::span<const Handle> members, WorkerSlot to);
  /// These came, and are ghosts no more.
  void took(std::span<const Handle> members);
  /// All that a worker that has died told of, but for what we gave it and it never had: in nobody's
  /// stream from now on.
  std::set<Handle> inherit(WorkerSlot dead);
  /// Nobody tells of them, or somebody soon will.
  void let_go_of(std::span<const Handle> members);

 private:
  // ghosts_told.cpp
  struct Told {
    bool once = false;
    bool rests = false;
    Handle hangs_on = no_entity;  ///< of a door, told: its ship
    std::uint16_t version = 0;    ///< of a timeline object's log
    Tick at;
    std::vector<std::uint16_t> chunks;  ///< versions, of ground of cells
  };
  struct Telling {
    bool everything = false;  ///< the listener is our buddy
    std::uint32_t life = 0;
    std::uint32_t epoch = 1, sequence = 0;
    std::vector<world::Bounds> regions;
    FixedVector<world::Bounds, GhostHead::strays_max> strays;  ///< of the listener
    std::map<Handle, Told> things;                             ///< in the band
    std::set<Handle> untold;                                   ///< of these: never, or not all
    std::set<Handle> moving;                      ///< of these: bodies, when they were told of last
    std::vector<Handle> gone;                     ///< still to be said
    std::set<std::pair<Handle, Handle>> hanging;  ///< what hangs on what, as told
    Handle next = no_entity;                      ///< where the budget of the last tick ended
    Handle checked = no_entity;                   ///< up to here they were ours
    LookRounds::Number complete_after = 0;        ///< then all has been looked at for it
    std::optional<Tick> whole;                    ///< when the listener had been told all
    void begin_anew();
    void forget(Handle thing);
    void let_go(Handle thing);
    bool reaches(const world::Bounds& place, double m) const;
  };
  void move_ticks_along();
  std::size_t look_turns() const;
  void look_at_some();
  void look(std::span<const Handle> handles);
  void look(Handle handle, const world::Bounds& place);
  using Strays = std::map<std::uint32_t, world::Bounds>;  ///< by region
  void note_stray(const world::Entity& entity, const world::Bounds& place);
  static void add_stray(Strays& strays, std::uint32_t region, const world::Bounds& box);
  std::optional<world::Bounds> place_of(const world::Entity& entity) const;
  void tell(WorkerSlot to, Telling& telling);
  void list_news(Telling& telling);
  void list_untold(const Telling& telling, Handle from);
  enum class Said : std::uint8_t { Yes, NoRoom, NotOurs };
  Said say(ByteWriter& writer, WorkerSlot to, Telling& telling, Handle handle, Told& told);
  bool say_thing(ByteWriter& writer, Telling& telling, const world::Entity& entity, Told& told);
  bool say_chunks(ByteWriter& writer, Telling& telling, Handle patch, Told& told);

  // ghosts_heard.cpp
  struct Ghost {
    std::uint32_t epoch = 0;    ///< in which it was told of
    Tick owned_at;              ///< by its teller, so that one told
    std::optional<Tick> given;  ///< away from here, and not told of yet
  };
  struct Hearing {
    std::uint32_t incarnation = 0, life = 0;
    std::uint32_t handle_base = 0;       ///< of that life
    std::optional<std::uint32_t> epoch;  ///< none: nothing has been heard yet
    std::uint32_t next = 0;              ///< message
    Tick heard;
    std::optional<Tick> whole;  ///< when all of the band was here ...
    Tick whole_of;              ///< ... as of that tick of the teller's
    std::optional<Tick> asked;
    bool swept = false;            ///< what was not told again in this epoch is gone
    bool refused = false;          ///< something of this epoch had no room, or is disputed
    std::optional<Tick> disputed;  ///< since then: somebody else says to have it, of a later tick
    FixedVector<world::Bounds, GhostHead::strays_max> strays;
    std::map<Handle, Ghost> things;
    Handle checked = no_entity;  ///< up to here, whether they have come
  };
  bool in_order(WorkerSlot from, Hearing& hearing, const GhostHead& head);
  bool hear(ByteReader& reader, Hearing& hearing, WorkerSlot from, Tick at);
  bool hear_chunk(ByteReader& reader, const Hearing& hearing);
  void hear_thing(const GhostThing& thing, Hearing& hearing, WorkerSlot from, Tick at);
  void place(const GhostThing& thing, Tick at);
  bool known(const Hearing& hearing, Handle handle, world::EntityKind kind) const;
  void let_go(Hearing& hearing, Handle handle);
  void forget(Hearing& hearing);
  void expect_from_heirs();
  void sweep(Hearing& hearing);
  void ask_again(WorkerSlot from, Hearing& hearing, std::uint32_t epoch);
  void forget_the_silent();
  void forget_who_never_came(Hearing& hearing);

  Core& core_;
  std::map<WorkerSlot, Telling> told_;
  std::map<WorkerSlot, Hearing> heard_;
  std::vector<Handle> came_;    ///< or born here: somebody waits for word of them
  std::vector<Handle> lively_;  ///< ours, and not at rest
  std::vector<Handle> turn_;    ///< those that this tick looks at
  LookRounds rounds_;
  std::vector<std::pair<Handle, world::Bounds>> placed_;  ///< of these, ours, and where
  std::vector<Telling*> concerned_;                       ///< whom any of these may concern
  std::vector<Handle> news_;                              ///< maybe, of one telling
  Strays strays_, strays_seen_;                           ///< all, and those of this round
  std::vector<std::byte> buffer_;
};

}  // namespace perigee::worker
