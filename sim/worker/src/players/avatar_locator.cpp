#include "perigee/worker/players/avatar_locator.hpp"

#include <array>

#include "ghosts/ghost_wire.hpp"

namespace perigee::worker {
namespace {

enum class Has : std::uint8_t {
  No,
  Perhaps,  ///< in migration, or not restored yet: ask again
  Yes,      ///< and has answered the gateway
  last = Yes
};

struct Asked {
  std::uint32_t cluster_id = 0;  ///< the cluster id of the sender's map
  JoinRecord join;
};
template <class Cursor>
bool walk_question(Cursor& cursor, auto& asked) {
  return cursor.number(asked.cluster_id) && cursor.number(asked.join.session) &&
         cursor.number(asked.join.client_id) && cursor.id(asked.join.region) &&
         cursor.number(asked.join.issue) && walk(cursor, asked.join.account) &&
         cursor.flag(asked.join.alone);
}

struct Answered {
  std::uint32_t cluster_id = 0;
  std::uint64_t client_id = 0;
  SessionId session = 0;
  Has has = Has::No;
};
template <class Cursor>
bool walk_answer(Cursor& cursor, auto& answered) {
  return cursor.number(answered.cluster_id) && cursor.number(answered.client_id) &&
         cursor.number(answered.session) && cursor.enumerator(answered.has, Has::last);
}

constexpr std::size_t locator_bytes_max = 64 + player_name_bytes_max + player_claims_bytes_max;

void answer(const AvatarLocator::Link& link, WorkerSlot to, const JoinRecord& asked, Has has) {
  const Answered answered{link.cluster.map().cluster_id, asked.client_id, asked.session, has};
  std::array<std::byte, locator_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Has) && walk_answer(writer, answered);
  PERIGEE_ASSERT(fits, "locator_bytes_max is too small for the message");
  link.outputs.to_peer(to, writer.written());
}

}  // namespace

bool AvatarLocator::nowhere_else(const JoinRecord& join, const Address& gateway, Tick now) {
  if (!link_.outputs.to_peer) return true;
  auto found = questions_.find(join.client_id);
  if (found != questions_.end() && found->second.join.session != join.session) {
    if (join.issue < found->second.join.issue) return false;  // the later made token counts
    Question& question = found->second;
    question.join = join;
    question.gateway = gateway;
    question.left = false;
    ask(question, now);  // the others have the full time to answer again
  }
  if (found == questions_.end()) {
    if (questions_.size() == questions_max) return false;
    found =
        questions_.emplace(join.client_id, Question{.join = join, .gateway = gateway, .since = now})
            .first;
    ask(found->second, now);
  } else if (found->second.again || ticks_between(found->second.asked, now) >= ask_again_ticks) {
    ask(found->second, now);
  }
  Question& question = found->second;
  if (question.again ||
      (question.waiting.any() && ticks_between(question.since, now) <= needs_.silence_ticks_max))
    return false;
  questions_.erase(found);
  return true;
}

void AvatarLocator::ask(Question& question, Tick now) {
  question.asked = now;
  question.again = needs_.may_come(question.join);
  question.waiting.reset();
  std::array<std::byte, locator_bytes_max> buffer;
  ByteWriter writer(buffer);
  const Asked asked{link_.cluster.map().cluster_id, question.join};
  const bool fits = put(writer, PeerKind::WhoHas) && walk_question(writer, asked);
  PERIGEE_ASSERT(fits, "locator_bytes_max is too small for the message");
  for (const WorkerEntry& worker : link_.cluster.map().workers) {
    if (!worker.alive || worker.slot == link_.cluster.self()) continue;
    question.waiting.set(worker.slot.index());
    link_.outputs.to_peer(worker.slot, writer.written());
  }
}

void AvatarLocator::on_question(WorkerSlot from, std::span<const std::byte> bytes) {
  const auto asked = read_question(link_, from, bytes);
  if (!asked) return;
  const GatewayEntry* gateway = link_.cluster.gateway_of(asked->session);
  Has has = Has::No;
  if (gateway != nullptr && needs_.resume(*asked, gateway->fabric)) {
    has = Has::Yes;
  } else if (needs_.may_come(*asked)) {
    has = Has::Perhaps;
  }
  answer(link_, from, *asked, has);
}

void AvatarLocator::answer_without_world(const Link& link, WorkerSlot from,
                                         std::span<const std::byte> bytes, bool awaits_checkpoint) {
  const auto asked = read_question(link, from, bytes);
  if (asked) answer(link, from, *asked, awaits_checkpoint ? Has::Perhaps : Has::No);
}

std::optional<JoinRecord> AvatarLocator::read_question(const Link& link, WorkerSlot from,
                                                       std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Asked asked;
  if (!walk_question(reader, asked) || !reader.at_end()) {
    link.counts.add(metric.drop_malformed);
    return std::nullopt;
  }
  if (link.cluster.is_peer(from, asked.cluster_id)) return asked.join;
  link.counts.add(metric.drop_unknown_sender);
  return std::nullopt;
}

void AvatarLocator::on_answer(WorkerSlot from, std::span<const std::byte> bytes, Tick now) {
  ByteReader reader(bytes);
  Answered answered;
  if (!walk_answer(reader, answered) || !reader.at_end()) {
    return link_.counts.add(metric.drop_malformed);
  }
  const auto found = questions_.find(answered.client_id);
  const bool asked =
      found != questions_.end() && answered.cluster_id == link_.cluster.map().cluster_id &&
      found->second.join.session == answered.session && found->second.waiting.test(from.index());
  if (!asked) return;  // the query is settled already
  Question& question = found->second;
  if (answered.has == Has::Yes) {
    questions_.erase(found);
    return;
  }
  question.waiting.reset(from.index());
  if (answered.has == Has::Perhaps) {
    question.again = true;
    question.since = now;
  }
  if (question.again || question.left || question.waiting.any()) return;
  const auto [join, gateway] = std::pair(question.join, question.gateway);
  needs_.join(join, gateway);
}

void AvatarLocator::after_tick(Tick now) {
  std::erase_if(questions_, [&](const auto& question) {
    return ticks_between(question.second.asked, now) > kept_ticks;
  });
}

void AvatarLocator::on_leave(SessionId session) {
  for (auto& [client, question] : questions_) question.left |= question.join.session == session;
}

}  // namespace perigee::worker
