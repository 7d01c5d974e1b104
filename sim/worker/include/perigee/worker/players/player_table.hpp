/// The players that this worker owns, found by session, client or avatar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "perigee/worker/players/player.hpp"

namespace perigee::worker {

/// Those with a client, of players on their way.
std::size_t clients_among(std::span<const std::unique_ptr<Player>> players);

/// Iterates in the order of sessions, so that a tick visits players in the same order everywhere.
class PlayerTable {
  struct Entry {
    SessionId session = 0;
    std::unique_ptr<Player> player;
  };
  /// A tick walks all players many times: they lie in one array, by session.
  using Entries = std::vector<Entry>;

 public:
  template <class EntryIterator, class Value>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    Iterator() = default;
    explicit Iterator(EntryIterator at) : at_(at) {}
    Value& operator*() const { return *at_->player; }
    Value* operator->() const { return at_->player.get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    EntryIterator at_;
  };
  /// Valid until a player is added or removed.
  using iterator = Iterator<Entries::iterator, Player>;
  using const_iterator = Iterator<Entries::const_iterator, const Player>;

  iterator begin() { return iterator(players_.begin()); }
  iterator end() { return iterator(players_.end()); }
  const_iterator begin() const { return const_iterator(players_.begin()); }
  const_iterator end() const { return const_iterator(players_.end()); }
  std::size_t size() const { return players_.size(); }
  std::size_t npcs() const { return npcs_; }
  /// Those with a client.
  std::size_t clients() const { return players_.size() - npcs_; }

  /// Null: no such player.
  Player* find(SessionId session);
  const Player* find(SessionId session) const;
  /// The one with the lowest session, if two sessions of one client are here.
  Player* find_client(std::uint64_t client_id);
  const Player* find_client(std::uint64_t client_id) const;
  Player* find_avatar(Handle avatar);
  const Player* find_avatar(Handle avatar) const;

  /// Session, client id and avatar are set, and stay; no player has this session.
  Player& add(std::unique_ptr<Player> player);
  /// Null: there was none.
  std::unique_ptr<Player> remove(SessionId session);
  /// The player continues under another session, which no player has.
  void change_session(Player& player, SessionId session);

 private:
  /// Where that session is, or belongs.
  Entries::iterator place_of(SessionId session);

  Entries players_;
  std::set<std::pair<std::uint64_t, SessionId>> by_client_;
  std::unordered_map<Handle, Player*> by_avatar_;
  std::size_t npcs_ = 0;
};

}  // namespace perigee::worker
