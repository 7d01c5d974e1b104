/// Durable records of the mailbox, of messages, and of what the store will keep. Without a standby
/// a record is durable at once. From a standby's first acknowledgement on, a record is durable once
/// the standby has it, so that the crash of one worker cannot lose it. If the standby is lost, new
/// records wait until the map says so.
#pragma once

#include <cstdint>

namespace perigee::worker {

struct MailboxEntry;
struct MessageNote;
struct LastingNote;

class DurabilityGate {
 public:
  virtual ~DurabilityGate() = default;

  /// Appends a record, and returns its number. Numbers grow by one.
  virtual std::uint64_t append(const MailboxEntry& note) = 0;
  virtual std::uint64_t append_message(const MessageNote& note) = 0;
  virtual std::uint64_t append_lasting(const LastingNote& note) = 0;
  /// The number of the newest record of a message that was read or sent: a group that carries its
  /// effects must not be elsewhere before it is durable.
  virtual std::uint64_t appended() const = 0;
  /// All records up to this number are durable.
  virtual std::uint64_t durable() const = 0;
};

}  // namespace perigee::worker
