#include "collector.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/tracing/otlp_json.hpp"

namespace perigee::tracing {
namespace {

constexpr int status_ok = 200;

/// The rest of a long answer is not kept: it would not be read either.
std::size_t take_answer(char* data, std::size_t, std::size_t bytes, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + bytes > answer_bytes_max) return 0;
  body.append(data, bytes);
  return bytes;
}

/// curl asks at least once a second.
int must_end(void* stopping, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto* flag = static_cast<const std::atomic<bool>*>(stopping);
  return flag != nullptr && *flag ? 1 : 0;
}

std::string url_of(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint + "/v1/traces";
}

}  // namespace

struct Collector::Handle {
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers{nullptr, curl_slist_free_all};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl{curl_easy_init(), curl_easy_cleanup};

  void add_header(const std::string& line) {
    curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
    PERIGEE_ASSERT(longer != nullptr, "no memory for a header");
    std::ignore = headers.release();
    headers.reset(longer);
  }
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl.get(), option, value);
  }
};

Collector::Collector() : handle_(std::make_unique<Handle>()) {}
Collector::~Collector() = default;

Result<std::unique_ptr<Collector>> Collector::open(const TracingOptions& options) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  std::unique_ptr<Collector> made(new Collector);
  Handle& handle = *made->handle_;
  PERIGEE_ASSERT(handle.curl != nullptr, "no memory for a collector");
  handle.add_header("Content-Type: application/json");
  if (!options.headers_file.empty()) {
    const auto text = host::load_private_file(options.headers_file);
    if (!text) return Error{"otlp.headers_file: " + text.error().message};
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      const std::string line = text->substr(at, end - at);
      if (!line.empty() && line.find(':') == std::string::npos) {
        return Error{"otlp.headers_file: a line of " + options.headers_file +
                     " is not of the form 'Name: value'"};
      }
      if (!line.empty()) handle.add_header(line);
      at = end + 1;
    }
  }
  handle.set(CURLOPT_HTTPHEADER, handle.headers.get());
  handle.set(CURLOPT_URL, url_of(options.endpoint).c_str());
  handle.set(CURLOPT_PROTOCOLS_STR, "http,https");
  handle.set(CURLOPT_FOLLOWLOCATION, 0L);  // the headers are for this collector alone
  handle.set(CURLOPT_PROXY, "");
  handle.set(CURLOPT_NOSIGNAL, 1L);
  handle.set(CURLOPT_WRITEFUNCTION, take_answer);
  handle.set(CURLOPT_NOPROGRESS, 0L);
  handle.set(CURLOPT_XFERINFOFUNCTION, must_end);
  if (!options.ca_file.empty()) handle.set(CURLOPT_CAINFO, options.ca_file.c_str());
  return made;
}

CollectorAnswer Collector::send(const std::string& json, long ms_max,
                                const std::atomic<bool>* stopping) {
  std::string body;
  handle_->set(CURLOPT_POSTFIELDS, json.c_str());
  handle_->set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(json.size()));
  handle_->set(CURLOPT_WRITEDATA, &body);
  handle_->set(CURLOPT_TIMEOUT_MS, ms_max);
  handle_->set(CURLOPT_XFERINFODATA, stopping);
  const CURLcode code = curl_easy_perform(handle_->curl.get());
  CollectorAnswer answer;
  if (code != CURLE_OK && code != CURLE_WRITE_ERROR) {
    failure_ = curl_easy_strerror(code);
    return answer;
  }
  long status = 0;
  curl_off_t retry_after_s = 0;
  curl_easy_getinfo(handle_->curl.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle_->curl.get(), CURLINFO_RETRY_AFTER, &retry_after_s);
  answer.status = static_cast<int>(status);
  constexpr curl_off_t retry_after_s_max = 86'400;
  if (retry_after_s > 0) {
    answer.retry_after_us = Micros{std::min(retry_after_s, retry_after_s_max)} * 1'000'000;
  }
  if (status == status_ok) answer.rejected_spans = rejected_spans(body);
  failure_ = status == status_ok ? std::string() : "status " + std::to_string(status);
  return answer;
}

}  // namespace perigee::tracing
