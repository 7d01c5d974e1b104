#include "prometheus.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "acts.hpp"

namespace perigee::console {
namespace {

constexpr std::array<std::string_view, 5> parameters{"query", "time", "start", "end", "step"};

std::size_t take(char* data, std::size_t, std::size_t bytes, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + bytes > Prometheus::answer_bytes_max) return 0;
  body.append(data, bytes);
  return bytes;
}

std::string form_of(CURL* curl, const WebQuery& query) {
  std::string form;
  for (const std::string_view name : parameters) {
    const std::string value = query_value(query, name);
    if (value.empty()) continue;
    const std::unique_ptr<char, decltype(&curl_free)> escaped(
        curl_easy_escape(curl, value.data(), static_cast<int>(value.size())), &curl_free);
    if (!form.empty()) form += '&';
    form += std::string(name) + '=' + escaped.get();
  }
  return form;
}

}  // namespace

Prometheus::Prometheus(std::string url) : url_(std::move(url)) {
  curl_global_init(CURL_GLOBAL_DEFAULT);  // before there are threads
}

WebAnswer Prometheus::ask(std::string_view function, const WebQuery& query) const {
  if (url_.empty()) {
    return error_answer(503, "UNAVAILABLE",
                        "no Prometheus is configured: set console.prometheus to its address");
  }
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 &curl_easy_cleanup);
  if (!curl) return error_answer(500, "INTERNAL", "no memory for a query");
  const std::string url = url_ + "/api/v1/" + std::string(function);
  const std::string form = form_of(curl.get(), query);
  WebAnswer answer;
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, form.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, call_ms_max);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &answer.body);
  const CURLcode called = curl_easy_perform(curl.get());
  if (called != CURLE_OK) {
    return error_answer(
        503, "UNAVAILABLE",
        "Prometheus at " + url_ + " does not answer: " + curl_easy_strerror(called));
  }
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

}  // namespace perigee::console
