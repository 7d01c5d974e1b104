#pragma once

namespace perigee::migration::checker {

template <const Rules& rules>
template <class Action>
Cluster<rules> Steps<rules>::acts(const World& from, std::size_t index, Action&& action) {
  World next = from;
  Owner<rules>& owner = next.owners[index].edit();
  Hands<rules> hands(next, owner.region.id(), owner.region.epoch(), owner.seen);
  action(owner, hands);
  owner.region.poll(hands);
  note_simulation(next, owner);
  return next;
}

template <const Rules& rules>
void Steps<rules>::note_simulation(World& world, const Owner<rules>& owner) {
  if (!owner.region.owns(the_group)) return;
  const Group<Traits>& group = owner.region.ledger().groups.at(the_group);
  // While the group leaves, it is simulated as before, and so it is if it stays after all.
  if (group.place != Place::Here) return;
  const auto [place, is_new] = world.simulated.emplace(group.gver, owner.region.id());
  if (!is_new && place->second != owner.region.id()) world.wrong = "two regions played one version";
}

template <const Rules& rules>
void Steps<rules>::declare_dead(World& world, WorkerId worker) {
  for (const auto& owner : world.owners) {
    if (owner->worker != worker) continue;
    const auto& standby = world.standbys[owner->region.id()];
    if (standby && (*standby)->epoch == owner->region.epoch())
      end_stream(world, owner->region.id());
  }
  std::erase_if(world.owners, [&](const auto& owner) { return owner->worker == worker; });
  for (RegionId region = 0; region < regions; ++region) {
    auto& standby = world.standbys[region];
    if (!standby || (*standby)->worker != worker) continue;
    standby.reset();
    end_stream(world, region);
  }
}

template <const Rules& rules>
void Steps<rules>::end_stream(World& world, RegionId region) {
  world.streams[region] = {};
}

template <const Rules& rules>
bool Steps<rules>::owners_wish(const World& from, std::size_t index, const Found& found) {
  const Owner<rules>& owner = *from.owners[index];
  const auto& region = owner.region;
  if (region.lost() || !region.owns(the_group)) return true;
  const auto& group = region.ledger().groups.at(the_group);
  const int who = static_cast<int>(index);
  if (from.left.moves > 0 && group.place == Place::Here && !region.moving(the_group)) {
    for (RegionId to = 0; to < regions; ++to) {
      if (to == region.id()) continue;
      World next = acts(from, index,
                        [&](auto& own, auto& fx) { own.region.move(the_group, to, Tick{}, fx); });
      --next.left.moves;
      if (!found({Nature::Wish, "wants to move", who, static_cast<int>(to)}, std::move(next))) {
        return false;
      }
    }
  }
  if (region.moving(the_group) && from.left.moves > 0) {
    World next = acts(from, index, [&](auto& own, auto&) { own.region.give_up(the_group); });
    if (!found({Nature::Wish, "gives up its attempt", who}, std::move(next))) return false;
  }
  if (from.left.decisions > 0) {
    for (std::uint8_t id = 0; id < outcomes; ++id) {
      if (group.state.decided[id] != 0) continue;
      World next = acts(from, index, [&](auto& own, auto& fx) {
        own.region.decide(the_group, {id, own.serial}, fx);
      });
      --next.left.decisions;
      if (!found({Nature::Wish, "decides", who, id}, std::move(next))) return false;
      break;
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::owners_progress(const World& from, std::size_t index, const Found& found) {
  const Owner<rules>& owner = *from.owners[index];
  const int who = static_cast<int>(index);
  const RegionId id = owner.region.id();
  if (owner.region.leaving(the_group)) {
    World next = acts(from, index, [&](auto& own, auto& fx) {
      own.region.arrived_at_border(the_group, own.region.ledger().groups.at(the_group).state, fx);
    });
    if (!found({Nature::Progress, "arrives at the border", who}, std::move(next))) return false;
    next = acts(from, index, [&](auto& own, auto& fx) { own.region.stay(the_group, fx); });
    if (!found({Nature::Wish, "cannot leave", who}, std::move(next))) return false;
  }
  const auto& standby = from.standbys[id];
  const bool followed =
      standby && (*standby)->epoch == owner.region.epoch() && from.streams[id].whole;
  if (!followed && !owner.region.alone()) {
    World next = acts(from, index, [&](auto& own, auto& fx) { own.region.on_standby_lost(fx); });
    if (!found({Nature::Progress, "notices that its buddy is gone", who}, std::move(next))) {
      return false;
    }
  }
  if (followed) {
    World next = acts(from, index, [&](auto& own, auto& fx) {
      own.region.on_replicated((*standby)->ledger.entries, fx);
    });
    if (!found({Nature::Progress, "hears what its buddy has", who}, std::move(next))) return false;
  }
  if (owner.seen < from.records[id].version) {
    World next = from;
    if (from.records[id].epoch != owner.region.epoch()) {
      next.owners.erase(next.owners.begin() + who);
    } else {
      next = acts(from, index, [&](auto& own, auto&) { own.seen = from.records[id].version; });
      next = acts(next, index, [&](auto& own, auto& fx) {
        own.region.on_recorded(from.records[id].standby_status, fx);
      });
    }
    if (!found({Nature::Progress, "reads its record", who}, std::move(next))) return false;
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::messages(const World& from, const Found& found) {
  for (std::size_t m = 0; m < from.sent->size(); ++m) {
    const Message<Traits>& message = (*from.sent)[m];
    for (std::size_t index = 0; index < from.owners.size(); ++index) {
      if (from.owners[index]->region.id() != message.to) continue;
      const Happening what{Nature::Progress, name_of(message.kind), static_cast<int>(index),
                           static_cast<int>(message.gver)};
      World next =
          acts(from, index, [&](auto& own, auto& fx) { own.region.on_message(message, true, fx); });
      if (!found(what, std::move(next))) return false;
      if (message.kind != MessageKind::Final || from.left.refusals == 0) continue;
      next = acts(from, index,
                  [&](auto& own, auto& fx) { own.region.on_message(message, false, fx); });
      --next.left.refusals;
      if (!found({Nature::Failure, "does not want a FINAL", static_cast<int>(index),
                  static_cast<int>(message.gver)},
                 std::move(next))) {
        return false;
      }
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::streams(const World& from, const Found& found) {
  for (RegionId region = 0; region < regions; ++region) {
    if (from.streams[region].under_way.empty()) continue;
    World next = from;
    auto& under_way = next.streams[region].under_way;
    next.standbys[region]->edit().ledger.apply(under_way.front());
    under_way.erase(under_way.begin());
    if (!found({Nature::Progress, "buddy gets an entry of region", static_cast<int>(region)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::records(const World& from, const Found& found) {
  for (std::size_t r = 0; r < from.record_requests.size(); ++r) {
    World next = from;
    const RecordRequest request = from.record_requests[r];
    next.record_requests.erase(next.record_requests.begin() + static_cast<std::ptrdiff_t>(r));
    Record& record = next.records[request.region];
    const auto standby = request.state == StandbyStatus::None ? std::nullopt : record.standby;
    set_standby(record, request.epoch, request.version, standby, request.state);
    if (!found({Nature::Progress, "directory is asked to record of region",
                static_cast<int>(request.region), static_cast<int>(request.state)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::journals(const World& from, const Found& found) {
  for (const JournalRequest& request : from.journal_requests) {
    const bool newest = request.epoch >= from.journal_epochs[request.region];
    if (!newest && !request.looked) continue;
    World next = from;
    if (!rules.fencing && !request.looked) {
      JournalRequest looked = request;
      looked.looked = true;
      insert_once(next.journal_requests, looked);
    } else {
      std::uint8_t& entry = next.journal[request.outcome.id];
      if (entry == 0) entry = request.outcome.by;
      if (entry != request.outcome.by) next.wrong = "the journal is asked for the contrary";
      insert_once(next.journal_replies, {request.region, request.epoch, request.outcome, false});
    }
    if (!found({Nature::Progress, "journal is written by region", static_cast<int>(request.region),
                request.outcome.id},
               std::move(next))) {
      return false;
    }
  }
  for (const JournalRequest& reply : from.journal_replies) {
    for (std::size_t index = 0; index < from.owners.size(); ++index) {
      const auto& region = from.owners[index]->region;
      if (region.id() != reply.region || region.epoch() != reply.epoch) continue;
      World next = acts(from, index, [&](auto& own, auto& fx) {
        own.region.on_committed(the_group, reply.outcome, fx);
      });
      if (!found({Nature::Progress, "hears that the journal has it", static_cast<int>(index),
                  reply.outcome.id},
                 std::move(next))) {
        return false;
      }
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::successions(const World& from, const Found& found) {
  for (RegionId region = 0; region < regions; ++region) {
    const Record& record = from.records[region];
    const auto& standby = from.standbys[region];
    const bool dead = from.crashed[record.owner];
    const bool suspects = from.left.suspicions > 0 && from.left.failures > 0;
    if (standby && (dead || suspects)) {
      World next = from;
      if (promote<rules>(next.records[region], (*standby)->worker, record.version)) {
        next.owners.push_back(Owner<rules>{
            Region<Traits, rules>(region, next.records[region].epoch, (*standby)->ledger),
            (*standby)->worker, next.records[region].version, next_serial(next)});
        next.standbys[region].reset();
        end_stream(next, region);
        if (!dead) --next.left.suspicions, --next.left.failures;
        next = acts(next, next.owners.size() - 1, [](auto&, auto&) {});
        if (!found({dead ? Nature::Progress : Nature::Failure, "buddy is promoted in region",
                    static_cast<int>(region)},
                   std::move(next))) {
          return false;
        }
      }
    }
    for (std::size_t index = 0; from.left.rejoins > 0 && index < from.owners.size(); ++index) {
      const Owner<rules>& owner = *from.owners[index];
      if (owner.region.id() != region || !owner.region.alone() || owner.region.lost() ||
          owner.seen != record.version || owner.region.epoch() != record.epoch) {
        continue;
      }
      for (WorkerId worker = 0; worker < workers; ++worker) {
        if (from.crashed[worker] || worker == owner.worker) continue;
        World next = from;
        --next.left.rejoins;
        set_standby(next.records[region], record.epoch, record.version, worker,
                    StandbyStatus::Copying);
        next.owners[index].edit().seen = next.records[region].version;
        next.standbys[region] = Standby{worker, record.epoch, owner.region.ledger()};
        next.streams[region] = {true, {}};
        next = acts(next, index, [](auto& own, auto&) { own.region.on_standby_joined(); });
        if (!found({Nature::Wish, "gets a new buddy in region", static_cast<int>(region), worker},
                   std::move(next))) {
          return false;
        }
      }
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::restorations(const World& from, const Found& found) {
  if (!from.left.restores) return true;
  for (RegionId region = 0; region < regions; ++region) {
    const Record& record = from.records[region];
    const bool replica =
        record.standby_status == StandbyStatus::InSync && !from.crashed[*record.standby];
    const bool dead = from.crashed[record.owner] && !replica;
    const bool suspects = from.left.suspicions > 0 && from.left.failures > 0;
    for (WorkerId worker = 0; (dead || suspects) && worker < workers; ++worker) {
      if (from.crashed[worker] || worker == record.owner) continue;
      World next = from;
      if (!restore(next.records[region], worker, record.version)) break;
      std::map<RegionId, Epoch> floors;
      for (const Record& other : next.records) floors[other.region] = other.epoch;
      const Epoch epoch = next.records[region].epoch;
      next.journal_epochs[region] = epoch;
      next.owners.push_back(Owner<rules>{Region<Traits, rules>::lost(region, epoch, floors), worker,
                                         next.records[region].version, next_serial(next)});
      if (!dead) --next.left.suspicions, --next.left.failures;
      next = acts(next, next.owners.size() - 1, [&](auto& own, auto& fx) {
        for (RegionId other = 0; other < regions; ++other) {
          if (other != region) own.region.take_census(the_group, other, fx);
        }
      });
      if (!found({dead ? Nature::Progress : Nature::Failure, "a lost region is restored",
                  static_cast<int>(region), worker},
                 std::move(next))) {
        return false;
      }
      break;  // workers are interchangeable
    }
  }
  for (std::size_t index = 0; index < from.owners.size(); ++index) {
    const auto& region = from.owners[index]->region;
    if (!region.lost() || region.census_answers(the_group) != regions - 1) continue;
    std::vector<Traits::Outcome> read;
    for (std::uint8_t id = 0; id < outcomes; ++id) {
      if (from.journal[id] != 0) read.push_back({id, from.journal[id]});
    }
    World next = acts(from, index, [&](auto& own, auto& fx) {
      own.region.restore(the_group, {.here = own.region.id() == 0, .gver = 1}, read, fx);
      own.region.open();
    });
    if (!found({Nature::Progress, "census and journal are read", static_cast<int>(index)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::failures(const World& from, const Found& found) {
  if (from.left.failures == 0) return true;
  for (WorkerId worker = 0; from.left.crashes > 0 && worker < workers; ++worker) {
    if (from.crashed[worker]) continue;
    World next = from;
    next.crashed[worker] = true;
    --next.left.crashes;
    --next.left.failures;
    declare_dead(next, worker);
    if (!found({Nature::Failure, "crash of worker", worker}, std::move(next))) return false;
  }
  for (RegionId region = 0; from.left.breaks > 0 && region < regions; ++region) {
    if (!from.streams[region].whole) continue;
    World next = from;
    --next.left.breaks;
    --next.left.failures;
    end_stream(next, region);
    if (!found({Nature::Failure, "replica stream breaks of region", static_cast<int>(region)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

template <const Rules& rules>
void Steps<rules>::each(const World& from, const Found& found) {
  for (std::size_t index = 0; index < from.owners.size(); ++index) {
    if (!owners_progress(from, index, found) || !owners_wish(from, index, found)) return;
  }
  static_cast<void>(messages(from, found) && streams(from, found) && records(from, found) &&
                    journals(from, found) && successions(from, found) &&
                    restorations(from, found) && failures(from, found));
}

}  // namespace perigee::migration::checker
