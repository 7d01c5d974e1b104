#!/usr/bin/env bash
# Plants each breach of check_callers.py in a tree without any, and checks that it is reported.
set -euo pipefail
check=$(cd "$(dirname "$0")" && pwd)/check_callers.py
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
headers=$tree/sim/migration/include/perigee/migration
mkdir -p "$headers" "$tree/sim/worker/src" "$tree/tests/unit/migration"

plant_all() {
  cat >"$headers/region.hpp" <<'END'
struct Rules {
  bool intent = true;
};
template <class Traits>
struct Effects {
  virtual ~Effects() = default;
  virtual void send(const Message<Traits>& message) = 0;
};
class Region {
 public:
  explicit Region(int region);
  /// Called by poll(), unlike forgotten().
  void move(int to, Fx& fx);
  bool moving() const { return rules.intent && find(1); }

 private:
  bool find(int group) const;
};
inline bool Region::find(int) const { return true; }
END
  cat >"$tree/sim/worker/src/migrations.cpp" <<'END'
#include "perigee/migration/region.hpp"
void Log::send(const Message& message) override { owner.send(message); }
bool go() { return region.moving() || log->move(2, fx); }
END
  echo 'broken_without(&Rules::intent);' >"$tree/tests/unit/migration/rules_test.cpp"
}
expect_breach() { # FILE SED_SCRIPT SENTENCE
  plant_all
  sed -i "$2" "$1"
  if "$check" "$tree" >"$tree/said" || ! grep -q "$3" "$tree/said"; then
    echo "not caught: $3"
    cat "$tree/said"
    exit 1
  fi
}

plant_all
"$check" "$tree" || { echo "refused, but nothing is wrong"; exit 1; }
expect_breach "$tree/sim/worker/src/migrations.cpp" 's/log->move(2, fx)/true/' 'region.hpp:13: move has no caller in the product'
expect_breach "$tree/sim/worker/src/migrations.cpp" 's/region.moving()/moving() \/\/ region.moving()/' 'region.hpp:14: moving has no caller in the product'
expect_breach "$tree/sim/worker/src/migrations.cpp" 's/{ owner.send(message); }/{}/' 'region.hpp:7: the hook send does nothing in the product'
expect_breach "$headers/region.hpp" 's/rules.intent/true/' 'region.hpp:2: the rule intent is not applied'
expect_breach "$tree/tests/unit/migration/rules_test.cpp" 's/intent/none/' 'region.hpp:2: the rule intent has no test without it'
echo "every breach is found"
