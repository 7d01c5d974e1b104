/// Requests of browsers, as libwebsockets has read them.
#pragma once

#include "web_server.hpp"

struct lws;

namespace perigee::console {

constexpr std::size_t web_header_bytes_max = 8'192;

/// Without its body, which has not arrived yet.
WebRequest request_of(lws* wsi);

}  // namespace perigee::console
