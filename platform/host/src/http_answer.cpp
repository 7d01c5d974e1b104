#include "perigee/host/http_answer.hpp"

#include <utility>

namespace perigee::host {
namespace {

constexpr int no_content = 204;

const char* phrase_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case no_content:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Error";
  }
}

}  // namespace

HttpAnswer plain_answer(int status, std::string sentence) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::move(sentence);
  return answer;
}

std::string bytes_of(const HttpAnswer& answer, bool with_body) {
  std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) + " " + phrase_of(answer.status);
  const auto add = [&](const std::string& name, const std::string& value) {
    bytes.append("\r\n").append(name).append(": ").append(value);
  };
  if (answer.status != no_content) {
    add("Content-Type", answer.content_type);
    add("Content-Length", std::to_string(answer.body.size()));
  }
  for (const HttpField& field : answer.fields) add(field.name, field.value);
  add("Cache-Control", "no-store");
  add("Connection", "close");
  bytes += "\r\n\r\n";
  if (with_body && answer.status != no_content) bytes += answer.body;
  return bytes;
}

}  // namespace perigee::host
