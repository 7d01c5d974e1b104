#include "crew.hpp"

#include <mutex>
#include <thread>

namespace perigee::lab {

std::vector<Cell> run_cells(std::span<const CellOptions> orders, std::uint32_t threads,
                            const Progress& progress, const Done& done) {
  std::vector<Cell> cells(orders.size());
  std::mutex mutex;
  std::size_t begun = 0;
  const auto work = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::scoped_lock lock(mutex);
        if (begun == orders.size()) return;
        mine = begun++;
        progress(begun, orders[mine]);
      }
      cells[mine] = run_cell(orders[mine]);
      const std::scoped_lock lock(mutex);
      done(orders[mine], cells[mine]);
    }
  };
  std::vector<std::jthread> crew;
  for (std::uint32_t i = 1; i < threads; ++i) crew.emplace_back(work);
  work();
  crew.clear();
  return cells;
}

}  // namespace perigee::lab
