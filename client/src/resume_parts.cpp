#include "perigee/client/resume_parts.hpp"

#include <algorithm>

namespace perigee::client {

const transport::ConnectToken* ResumeParts::add(const ResumeFrame& part) {
  if (part.number != number_ || part.token_bytes != token_bytes_) {
    token_.fill({});
    number_ = part.number;
    token_bytes_ = part.token_bytes;
    parts_seen_ = 0;
  }
  std::ranges::copy(part.bytes, token_.begin() + static_cast<std::ptrdiff_t>(part.begin()));
  parts_seen_ |= 1U << part.part;
  const bool whole = parts_seen_ == (1U << resume_parts(token_bytes_)) - 1;
  return whole ? &token_ : nullptr;
}

}  // namespace perigee::client
