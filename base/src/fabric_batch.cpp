#include "perigee/base/fabric_batch.hpp"

#include <utility>

namespace perigee {

FabricBatch::FabricBatch(FabricSender kind, Send send) : send_(std::move(send)) {
  header_.kind = kind;
}

void FabricBatch::identify(std::uint32_t cluster_id, std::uint16_t slot) {
  header_.cluster_id = cluster_id;
  header_.slot = slot;
}

FabricBatch::Link& FabricBatch::link_to(const Address& to) {
  if (last_ < links_.size() && links_[last_]->to == to) return *links_[last_];
  for (last_ = 0; last_ < links_.size(); ++last_) {
    if (links_[last_]->to == to) return *links_[last_];
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
