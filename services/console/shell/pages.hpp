/// The console's pages, as files inside the program. They are built by npm and checked in.
#pragma once

#include <span>
#include <string_view>

namespace perigee::console {

struct Page {
  std::string_view path;  ///< "/index.html"
  std::string_view type;  ///< Content-Type
  std::string_view content;
};

/// All, by path.
std::span<const Page> pages();
/// Null: there is none. "/" is /index.html.
const Page* find_page(std::string_view path);

}  // namespace perigee::console
