/// The messages of a log-in in the JSON of protobuf.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "session.pb.h"

namespace perigee::session {

/// The request, or a sentence that says what is wrong with the body.
std::variant<v1::LogInRequest, std::string> read_request(std::string_view body);
std::string write_reply(const v1::LogInReply& reply);
/// An example with this server's numbers, for people who try the port.
std::string example_request(std::uint64_t schema_hash);

}  // namespace perigee::session
