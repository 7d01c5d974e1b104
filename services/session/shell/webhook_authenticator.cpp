#include "webhook_authenticator.hpp"

#include <curl/curl.h>

#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::session {
namespace {

std::size_t take_answer(char* data, std::size_t, std::size_t bytes, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + bytes > accounts::webhook_answer_bytes_max) return 0;
  body.append(data, bytes);
  return bytes;
}

accounts::WebhookOutcome outcome_of(CURLcode code) {
  if (code == CURLE_OPERATION_TIMEDOUT) return accounts::WebhookOutcome::TimedOut;
  // Only an answer that is too long stops the writing.
  if (code == CURLE_WRITE_ERROR) return accounts::WebhookOutcome::BadAnswer;
  return accounts::WebhookOutcome::Unreachable;
}

}  // namespace

/// One of curl's handles, which keeps its connection for the next call.
class WebhookAuthenticator::Call {
 public:
  explicit Call(const Options& options) : curl_(curl_easy_init(), curl_easy_cleanup) {
    PERIGEE_ASSERT(curl_ != nullptr, "no memory for a call");
    headers_.reset(curl_slist_append(nullptr, "Content-Type: application/json"));
    set(CURLOPT_HTTPHEADER, headers_.get());
    set(CURLOPT_URL, options.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);  // the credential is for this service alone
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout_ms));
    set(CURLOPT_WRITEFUNCTION, take_answer);
    if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
  }
  /// Empty: there is a reply. Otherwise curl's words.
  std::string run(const std::string& body, accounts::WebhookReply& reply,
                  accounts::WebhookOutcome& failure) {
    set(CURLOPT_POSTFIELDS, body.c_str());
    set(CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    set(CURLOPT_WRITEDATA, &reply.body);
    const CURLcode code = curl_easy_perform(curl_.get());
    if (code != CURLE_OK) {
      failure = outcome_of(code);
      return curl_easy_strerror(code);
    }
    const char* type = nullptr;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &reply.status);
    curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_TYPE, &type);
    if (type != nullptr) reply.content_type = type;
    return {};
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_.get(), option, value);
  }
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr,
                                                                       curl_slist_free_all};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

WebhookAuthenticator::WebhookAuthenticator(Options options) : options_(std::move(options)) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
}
WebhookAuthenticator::~WebhookAuthenticator() = default;

std::variant<Identity, Denied> WebhookAuthenticator::authenticate(
    const Moment&, const Credentials& credentials) const {
  auto verdict = verdict_on(credentials);
  const std::lock_guard lock(mutex_);
  stats_.outcomes.add(verdict.outcome);
  return std::move(verdict.answer);
}

accounts::WebhookVerdict WebhookAuthenticator::verdict_on(const Credentials& credentials) const {
  using accounts::WebhookOutcome;
  auto call = begin_call();
  if (!call) return accounts::failed(WebhookOutcome::Busy);
  accounts::WebhookReply reply;
  WebhookOutcome failure{};
  std::string why = call->run(accounts::webhook_request(credentials), reply, failure);
  end_call(std::move(call));
  if (why.empty()) return accounts::judge(reply, credentials);
  const std::lock_guard lock(mutex_);
  stats_.last_failure = std::move(why);
  return accounts::failed(failure);
}

/// Null: as many calls as allowed are under way.
std::unique_ptr<WebhookAuthenticator::Call> WebhookAuthenticator::begin_call() const {
  const std::lock_guard lock(mutex_);
  if (calls_ == options_.calls_max) return nullptr;
  ++calls_;
  if (spare_.empty()) return std::make_unique<Call>(options_);
  auto call = std::move(spare_.back());
  spare_.pop_back();
  return call;
}

void WebhookAuthenticator::end_call(std::unique_ptr<Call> call) const {
  const std::lock_guard lock(mutex_);
  --calls_;
  spare_.push_back(std::move(call));
}

WebhookAuthenticator::Stats WebhookAuthenticator::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace perigee::session
