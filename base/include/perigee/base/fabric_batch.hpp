/// Fills fabric datagrams per destination and passes them on when they are full or flushed.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "perigee/base/fabric.hpp"

namespace perigee {

class FabricBatch {
 public:
  using Send = std::function<void(const Address& to, std::span<const std::byte> datagram)>;
  FabricBatch(FabricSender kind, Send send);

  /// Sets the sender's identity; datagrams begun before keep their header.
  void identify(std::uint32_t cluster_id, std::uint16_t slot);

  /// Returns false if the record is larger than a whole datagram: a bug, counted by the caller.
  template <class Record>
  bool add(const Address& to, const Record& record) {
    Link& link = link_to(to);
    if (link.writer && link.writer->add(record)) return true;
    flush(link);
    begin(link);
    return link.writer->add(record);
  }
  /// Sends all begun datagrams, in the order in which destinations were first used.
  void flush();

 private:
  struct Link {
    Address to;
    std::uint32_t sequence = 0;
    std::array<std::byte, fabric_plain_bytes_max> buffer{};
    std::optional<FabricWriter> writer;
  };
  Link& link_to(const Address& to);
  void begin(Link& link);
  void flush(Link& link);

  FabricHeader header_;
  Send send_;
  std::vector<std::unique_ptr<Link>> links_;  ///< one per destination of the map, never removed
  std::size_t last_ = 0;  ///< index of the last link used: the next record is mostly for it
};

}  // namespace perigee
