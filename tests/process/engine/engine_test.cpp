// The game engine's side of the cluster: plain C, a socket and the shared library.
#include <cstdlib>
#include <fstream>
#include <string>

#include "perigee/base/wire_client.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/skiff/skiff.hpp"
#include "process/cluster/cluster.hpp"

namespace perigee::process_test {
namespace {

class APlayerInPlainC : public ACluster {
 protected:
  /// A file with a token for a log-in as Ada, made as docs/log_in_over_http.md says.
  std::string token_file() {
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
};

TEST_F(APlayerInPlainC, JoinsAndWalks) {
  start_all();
  Child walk({PERIGEE_WALK_BINARY, token_file()});
  EXPECT_EQ(walk.wait(), 0) << walk.output();
  double walked_m = 0;
  int shots = 0, misfires = 0, cells = 0;
  ASSERT_EQ(std::sscanf(walk.output().c_str(),
                        "walked %lf m, %d shots, %d of them none, %d cells of ground", &walked_m,
                        &shots, &misfires, &cells),
            4)
      << walk.output();
  EXPECT_GT(walked_m, 1) << "three seconds of walking";
  EXPECT_GE(shots, 2) << "one a second";
  EXPECT_GT(cells, 1'000) << "the station's mound";
}

TEST_F(APlayerInPlainC, IsToldWhenItsTokenIsNone) {
  const fs::path file = folder / "token";
  std::ofstream(file) << "no token";
  Child walk({PERIGEE_WALK_BINARY, file.string()});
  EXPECT_EQ(walk.wait(), 2) << walk.output();
}

}  // namespace
}  // namespace perigee::process_test
