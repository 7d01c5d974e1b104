#include "tracing_options.hpp"

#include "perigee/host/loopback_url.hpp"

namespace perigee::tracing {
namespace {

Result<Ok> check(const TracingOptions& options, bool private_network) {
  const std::string& url = options.endpoint;
  if (url.empty() || url.starts_with("https://")) return Ok{};
  if (!url.starts_with("http://")) {
    return Error{
        "otlp.endpoint must be the http:// or https:// URL of a collector for OTLP over "
        "HTTP, like http://127.0.0.1:4318, not '" +
        url + "'"};
  }
  if (private_network || host::is_loopback_url(url)) return Ok{};
  return Error{"otlp.endpoint: " + url +
               " would get the spans without encryption; use https://, or add --insecure if the "
               "network is private"};
}

}  // namespace

void declare(host::Settings& settings, TracingOptions& options,
             const host::ProcessOptions& common) {
  settings.text("otlp.endpoint", &options.endpoint,
                "URL of a collector for traces, OTLP over HTTP: http://127.0.0.1:4318; spans go to "
                "/v1/traces below it; empty: no traces");
  settings.text("otlp.headers_file", &options.headers_file,
                "file with headers for the collector, one 'Name: value' a line, as a key to it");
  settings.text("otlp.ca_file", &options.ca_file,
                "PEM file with the certificate that signed the collector's; empty: those that this "
                "machine trusts");
  settings.number("otlp.frequent_spans_per_s", &options.frequent_per_s, {1, 1'000}, "1/s",
                  "spans of log-ins and migrations, for each process; further ones are counted "
                  "only. More: work for the collector");
  settings.check([&options, &common] { return check(options, common.insecure); });
}

}  // namespace perigee::tracing
