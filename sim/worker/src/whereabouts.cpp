#include "whereabouts.hpp"

#include <array>

#include "buddies.hpp"
#include "ghost_wire.hpp"
#include "handoffs.hpp"

namespace perigee::worker {
namespace {

enum class Has : std::uint8_t {
  No,
  Perhaps,  ///< in migration, or not restored yet: ask again
  Yes,      ///< and has answered the gateway
  last = Yes
};

struct Asked {
  std::uint32_t incarnation = 0;  ///< the cluster id of the sender's map
  JoinRecord join;
};
template <class Cursor>
bool walk_question(Cursor& cursor, auto& asked) {
  return cursor.number(asked.incarnation) && cursor.number(asked.join.session) &&
         cursor.number(asked.join.client_id) && cursor.number(asked.join.region) &&
         cursor.number(asked.join.issue);
}

struct Answered {
  std::uint32_t incarnation = 0;
  std::uint64_t client_id = 0;
  SessionId session = 0;
  Has has = Has::No;
};
template <class Cursor>
bool walk_answer(Cursor& cursor, auto& answered) {
  return cursor.number(answered.incarnation) && cursor.number(answered.client_id) &&
         cursor.number(answered.session) && cursor.enumerator(answered.has, Has::last);
}

constexpr std::size_t word_bytes_max = 64;

}  // namespace

bool Core::Whereabouts::nowhere_else(const JoinRecord& join, const Address& gateway) {
  if (!core_.to_peer) return true;
  auto found = questions_.find(join.client_id);
  if (found != questions_.end() && found->second.join.session != join.session) {
    if (join.issue < found->second.join.issue) return false;  // the later made token counts
    Question& question = found->second;
    question.join = join;
    question.gateway = gateway;
    question.left = false;
    ask(question);  // the others have the full time to answer again
  }
  if (found == questions_.end()) {
    if (questions_.size() == questions_max) return false;
    found = questions_
                .emplace(join.client_id,
                         Question{.join = join, .gateway = gateway, .since = core_.next_})
                .first;
    ask(found->second);
  } else if (found->second.again ||
             ticks_between(found->second.asked, core_.next_) >= ask_again_ticks) {
    ask(found->second);
  }
  Question& question = found->second;
  if (question.again || (question.waiting.any() && patient(question))) return false;
  questions_.erase(found);
  return true;
}

// A worker that has been unreachable for that long has dropped clients that it did not hear from.
bool Core::Whereabouts::patient(const Question& question) const {
  return ticks_between(question.since, core_.next_) <= core_.settings_.silence_ticks_max;
}

// Its avatar was just migrated to another worker, or may belong to a dying one.
bool Core::Whereabouts::may_come(std::uint64_t client_id) const {
  return core_.handoffs_->on_its_way(client_id) || core_.buddies_->keeps_of_the_silent(client_id);
}

void Core::Whereabouts::ask(Question& question) {
  question.asked = core_.next_;
  question.again = may_come(question.join.client_id);
  question.waiting.reset();
  std::array<std::byte, word_bytes_max> buffer;
  ByteWriter writer(buffer);
  const Asked asked{core_.map_.incarnation, question.join};
  const bool fits = put(writer, PeerKind::WhoHas) && walk_question(writer, asked);
  PERIGEE_ASSERT(fits, "word_bytes_max is too small for the message");
  for (const WorkerEntry& worker : core_.map_.workers) {
    if (!worker.alive || worker.slot == core_.slot_) continue;
    question.waiting.set(worker.slot);
    core_.to_peer(worker.slot, writer.written());
  }
}

void Core::Whereabouts::on_question(WorkerSlot from, std::span<const std::byte> bytes) {
  const auto asked = read_question(core_, from, bytes);
  if (!asked) return;
  const GatewayEntry* gateway = core_.map_.gateway(session_gateway(asked->session));
  Has has = Has::No;
  if (gateway != nullptr && core_.resume(*asked, gateway->fabric)) {
    has = Has::Yes;
  } else if (may_come(asked->client_id)) {
    has = Has::Perhaps;
  }
  answer(core_, from, *asked, static_cast<std::uint8_t>(has));
}

void Core::Whereabouts::answer_without_world(Core& core, WorkerSlot from,
                                             std::span<const std::byte> bytes) {
  const auto asked = read_question(core, from, bytes);
  const Has has = core.awaits_cut() ? Has::Perhaps : Has::No;
  if (asked) answer(core, from, *asked, static_cast<std::uint8_t>(has));
}

std::optional<JoinRecord> Core::Whereabouts::read_question(Core& core, WorkerSlot from,
                                                           std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Asked asked;
  if (!walk_question(reader, asked) || !reader.at_end()) {
    core.drop(Count::DropMalformed);
    return std::nullopt;
  }
  if (core.of_our_world(from, asked.incarnation)) return asked.join;
  core.drop(Count::DropUnknownSender);
  return std::nullopt;
}

void Core::Whereabouts::answer(Core& core, WorkerSlot to, const JoinRecord& asked,
                               std::uint8_t has) {
  const Answered answered{core.map_.incarnation, asked.client_id, asked.session,
                          static_cast<Has>(has)};
  std::array<std::byte, word_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Has) && walk_answer(writer, answered);
  PERIGEE_ASSERT(fits, "word_bytes_max is too small for the message");
  core.to_peer(to, writer.written());
}

void Core::Whereabouts::on_answer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Answered answered;
  if (!walk_answer(reader, answered) || !reader.at_end()) {
    return core_.drop(Count::DropMalformed);
  }
  const auto found = questions_.find(answered.client_id);
  const bool asked = found != questions_.end() && answered.incarnation == core_.map_.incarnation &&
                     found->second.join.session == answered.session &&
                     found->second.waiting.test(from);
  if (!asked) return;  // the query is settled already
  Question& question = found->second;
  if (answered.has == Has::Yes) {
    questions_.erase(found);
    return;
  }
  question.waiting.reset(from);
  if (answered.has == Has::Perhaps) {
    question.again = true;
    question.since = core_.next_;
  }
  if (question.again || question.left || question.waiting.any()) return;
  const auto [join, gateway] = std::pair(question.join, question.gateway);
  core_.on_join(join, gateway);
}

void Core::Whereabouts::after_tick() {
  std::erase_if(questions_, [&](const auto& question) {
    return ticks_between(question.second.asked, core_.next_) > kept_ticks;
  });
}

void Core::Whereabouts::on_leave(SessionId session) {
  for (auto& [client, question] : questions_) question.left |= question.join.session == session;
}

}  // namespace perigee::worker
