#include "aside_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bullet_shapes.hpp"

namespace perigee::world {
namespace {

btDbvtVolume box_at(double x) { return btDbvtVolume::FromCE({x, 0, 0}, {1, 1, 1}); }

TEST(TheAsideTree, ListsBodiesWhereTheyAre) {
  AsideTree tree;
  btDbvtNode* moved = tree.insert(7, box_at(0));
  tree.insert(8, box_at(10));
  std::vector<BodyId> found;
  tree.list(box_at(1), found);
  EXPECT_THAT(found, testing::ElementsAre(7U));
  tree.move(moved, box_at(10));
  found.clear();
  tree.list(box_at(10), found);
  EXPECT_THAT(found, testing::UnorderedElementsAre(7U, 8U));
  tree.remove(moved);
  EXPECT_EQ(tree.size(), 1U);
}

TEST(TheBulletShapes, AreSharedUntilTheLastBodyIsGone) {
  BulletShapes shapes;
  const ShapePtr shape = make_shape({{.half = {1, 1, 1}}});
  const btCollisionShape* first = shapes.use(shape);
  EXPECT_EQ(shapes.use(shape), first);
  shapes.drop(shape.get());
  EXPECT_EQ(shapes.size(), 1U);
  shapes.drop(shape.get());
  EXPECT_EQ(shapes.size(), 0U);
}

}  // namespace
}  // namespace perigee::world
