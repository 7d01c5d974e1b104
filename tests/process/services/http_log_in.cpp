#include "http_log_in.hpp"

#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "tcp_client.hpp"

namespace perigee::process_test {

std::string HttpReply::field(std::string_view name) const {
  const std::string begin = "\r\n" + std::string(name) + ": ";
  const std::size_t at = head.find(begin);
  if (at == std::string::npos) return {};
  const std::size_t value = at + begin.size();
  return head.substr(value, head.find("\r\n", value) - value);
}

nlohmann::json HttpReply::error() const {
  const auto parsed = nlohmann::json::parse(body, nullptr, false);
  return parsed.is_object() && parsed.contains("error") ? parsed.at("error") : nlohmann::json();
}

session::v1::LogInReply HttpReply::log_in() const {
  session::v1::LogInReply reply;
  if (status == 200) {
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(body, &reply).ok()) << body;
  }
  return reply;
}

std::string http_request(std::string_view body, std::string_view fields) {
  return "POST /v1/log_in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         std::string(fields) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

HttpReply http_exchange(unsigned port, std::string_view bytes, const char* from) {
  const std::string text =
      TcpClient(Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(port)), bytes, from).rest();
  HttpReply reply;
  const std::size_t end = text.find("\r\n\r\n");
  if (std::sscanf(text.c_str(), "HTTP/1.1 %d ", &reply.status) != 1) return reply;
  reply.head = text.substr(0, end + 2);
  reply.body = text.substr(end + 4);
  return reply;
}

HttpReply http_log_in(unsigned port, const session::v1::LogInRequest& request, const char* from) {
  std::string body;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(request, &body).ok());
  return http_exchange(port, http_request(body), from);
}

}  // namespace perigee::process_test
