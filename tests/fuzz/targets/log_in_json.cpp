// The body of a log-in over HTTP.
#include <algorithm>
#include <string>

#include "fuzz/fuzz.hpp"
#include "perigee/session_http/log_in_page.hpp"

namespace perigee::fuzz {
namespace {

void run(Input input) {
  int log_ins = 0;
  const session::LogInPage page(
      session::Origins::parse("").value(), {},
      {.log_in = [&](const Address&,
                     const session::v1::LogInRequest& message) -> session::LogInAnswer {
         ++log_ins;
         session::v1::LogInReply reply;
         reply.set_gateway_address(message.player_name());
         return reply;
       },
       .schema_hash = [] { return 1; }});
  host::HttpRequest request;
  request.method = "POST";
  request.path = session::log_in_path;
  request.body.assign(reinterpret_cast<const char*>(input.data()), input.size());
  const host::HttpAnswer answer = page.answer(request, {});
  PERIGEE_ASSERT(answer.status == (log_ins == 1 ? 200 : 400), "a log-in, or a refusal");
  PERIGEE_ASSERT(std::count(answer.body.begin(), answer.body.end(), '\n') == 1,
                 "the answer is one line");
  PERIGEE_ASSERT(answer.body.size() <= 600 + 6 * input.size(), "and not much longer than the body");
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  for (const std::string_view text :
       {R"({"playerName":"Ada","credential":"s","wireVersion":2,"schemaHash":"77"})",
        R"({"player_name": "Zo\u00eb", "schema_hash": 18446744073709551615, "wantedRegion": 0})",
        R"({"playrName":{"a":[null,true,1.5e3,"\ud83d\ude00"]},"wireVersion":"x"})", "[[[{}]]]"}) {
    out.push_back(bytes_of(as_bytes_of(text.data(), text.size())));
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 3000};

}  // namespace perigee::fuzz
