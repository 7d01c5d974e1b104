#include "pages.hpp"

#include <algorithm>

namespace perigee::console {

const Page* find_page(std::string_view path) {
  if (path == "/") path = "/index.html";
  const auto all = pages();
  const auto found = std::ranges::find(all, path, &Page::path);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace perigee::console
