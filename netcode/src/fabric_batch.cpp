#include "perigee/netcode/fabric_batch.hpp"

#include <utility>

namespace perigee {

FabricBatch::FabricBatch(FabricSender kind, Send send) : send_(std::move(send)) {
  header_.kind = kind;
}

void FabricBatch::identify(std::uint32_t incarnation, std::uint8_t slot) {
  header_.incarnation = incarnation;
  header_.slot = slot;
}

FabricBatch::Link& FabricBatch::link_to(const Address& to) {
  for (auto& link : links_) {
    if (link->to == to) return *link;
  }
  links_.push_back(std::make_unique<Link>());
  links_.back()->to = to;
  return *links_.back();
}

void FabricBatch::begin(Link& link) {
  FabricHeader header = header_;
  header.sequence = link.sequence++;
  link.writer.emplace(link.buffer, header);
}

void FabricBatch::flush(Link& link) {
  if (link.writer && !link.writer->empty()) send_(link.to, link.writer->datagram());
  link.writer.reset();
}

void FabricBatch::flush() {
  for (auto& link : links_) flush(*link);
}

}  // namespace perigee
