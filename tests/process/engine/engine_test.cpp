// The game engine's side of the cluster: plain C, a socket and the shared library.
#include <fstream>

#include "perigee/base/wire_client.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/skiff/skiff.hpp"
#include "process/cluster/cluster.hpp"
#include "session.grpc.pb.h"

namespace perigee::process_test {
namespace {

class APlayerInPlainC : public ACluster {
 protected:
  /// A file with a token for a log-in as Ada.
  std::string token_file() {
    const auto stub =
        session::v1::Session::NewStub(host::open_channel("127.0.0.1:" + std::to_string(base + 10)));
    session::v1::LogInRequest request;
    std::string secret;
    std::ifstream(folder / host::dev_secret_file) >> secret;
    request.set_player_name("Ada");
    request.set_credential(secret);
    request.set_wire_version(wire_version);
    request.set_schema_hash(skiff::Skiff().schema_hash());
    PatientCall context;
    session::v1::LogInReply reply;
    const grpc::Status status = stub->LogIn(&context, request, &reply);
    EXPECT_TRUE(status.ok()) << status.error_message();
    const fs::path file = folder / "token";
    std::ofstream(file, std::ios::binary) << reply.connect_token();
    return file.string();
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
