/// An answer of an HTTP port, and its bytes.
#pragma once

#include <string>
#include <vector>

namespace perigee::host {

/// A header field. Names that were received are in lower case.
struct HttpField {
  std::string name;
  std::string value;
};

struct HttpAnswer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<HttpField> fields{};  ///< beside those that every answer has
};

/// A sentence in plain text.
HttpAnswer plain_answer(int status, std::string sentence);

/// `with_body`: false for HEAD.
std::string bytes_of(const HttpAnswer& answer, bool with_body);

}  // namespace perigee::host
