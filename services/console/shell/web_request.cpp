#include "web_request.hpp"

#include <libwebsockets.h>

namespace perigee::console {
namespace {

std::string header(lws* wsi, lws_token_indexes token) {
  std::string out(static_cast<std::size_t>(lws_hdr_total_length(wsi, token)) + 1, '\0');
  const int copied = lws_hdr_copy(wsi, out.data(), static_cast<int>(out.size()), token);
  out.resize(copied > 0 ? static_cast<std::size_t>(copied) : 0);
  return out;
}

WebQuery query_of(lws* wsi) {
  WebQuery out;
  std::vector<char> part(web_header_bytes_max);
  for (int i = 0;; ++i) {
    const int copied = lws_hdr_copy_fragment(wsi, part.data(), static_cast<int>(part.size()),
                                             WSI_TOKEN_HTTP_URI_ARGS, i);
    if (copied < 0) return out;
    out.emplace_back(part.data(), static_cast<std::size_t>(copied));
  }
}

}  // namespace

WebRequest request_of(lws* wsi) {
  constexpr std::string_view bearer = "Bearer ";
  WebRequest request;
  const bool post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0;
  request.method = post ? "POST" : "GET";
  request.path = header(wsi, post ? WSI_TOKEN_POST_URI : WSI_TOKEN_GET_URI);
  request.query = query_of(wsi);
  request.type = header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE);
  request.caller = {.host = header(wsi, WSI_TOKEN_HOST),
                    .origin = header(wsi, WSI_TOKEN_ORIGIN),
                    .token = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION)};
  std::string& token = request.caller.token;
  if (token.starts_with(bearer)) token.erase(0, bearer.size());
  return request;
}

std::string query_value(const WebQuery& query, std::string_view key) {
  for (const std::string& part : query) {
    if (part.size() > key.size() && part.starts_with(key) && part[key.size()] == '=') {
      return part.substr(key.size() + 1);
    }
  }
  return {};
}

}  // namespace perigee::console
