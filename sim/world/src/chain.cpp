#include "perigee/world/chain.hpp"

namespace perigee::world {

Handle chain_root(std::span<const ChainMember> members) {
  const ChainMember* root = nullptr;
  const auto before = [](const ChainMember& a, const ChainMember& b) {
    if (a.controlled != b.controlled) return a.controlled;
    if (!a.controlled && a.mass_kg != b.mass_kg) return a.mass_kg > b.mass_kg;
    return a.id < b.id;
  };
  for (const ChainMember& member : members) {
    if (root == nullptr || before(member, *root)) root = &member;
  }
  return root == nullptr ? no_entity : root->handle;
}

}  // namespace perigee::world
