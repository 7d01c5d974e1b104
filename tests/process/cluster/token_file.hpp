/// A player's connect token as a file, for programs that log in by no other way.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "perigee/base/wire_client.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::process_test {

/// Logs in as Ada at the session service of the cluster with this folder and base of ports, as
/// docs/log_in_over_http.md says.
inline std::string token_file(const std::filesystem::path& folder, unsigned base) {
  std::string secret;
  std::ifstream(folder / host::dev_secret_file) >> secret;
  std::ofstream(folder / "log_in.json")
      << R"({"playerName": "Ada", "credential": ")" << secret << R"(", "wireVersion": )"
      << wire_version << R"(, "schemaHash": ")" << skiff::Skiff().schema_hash() << R"("})";
  const std::string url = "127.0.0.1:" + std::to_string(base + 13) + "/v1/log_in";
  const std::string token_of = R"~(sed 's/.*"connectToken":"\([^"]*\)".*/\1/')~";
  const std::string shell = "cd " + folder.string() + " && curl -sS -m 60 --json @log_in.json " +
                            url + " | " + token_of + " | base64 -d >token";
  EXPECT_EQ(std::system(shell.c_str()), 0) << shell;
  return (folder / "token").string();
}

}  // namespace perigee::process_test
