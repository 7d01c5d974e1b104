// The game engine's side of the cluster: plain C, a socket and the shared library.
#include <fstream>

#include "process/cluster/cluster.hpp"
#include "process/cluster/token_file.hpp"

namespace perigee::process_test {
namespace {

class APlayerInPlainC : public ACluster {};

TEST_F(APlayerInPlainC, JoinsAndWalks) {
  start_all();
  Child walk({PERIGEE_WALK_BINARY, token_file(folder, base)});
  EXPECT_EQ(walk.wait(), 0) << walk.output();
  double walked_m = 0;
  int shots = 0, misfires = 0, cells = 0;
  char name[33];
  ASSERT_EQ(std::sscanf(walk.output().c_str(),
                        "%32s walked %lf m, %d shots, %d of them none, %d cells of ground", name,
                        &walked_m, &shots, &misfires, &cells),
            5)
      << walk.output();
  EXPECT_STREQ(name, "Ada");
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
