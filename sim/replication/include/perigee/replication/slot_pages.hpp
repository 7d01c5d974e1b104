/// Pages for the publisher's slots, of which one observer knows few. Neighbouring slots are often
/// looked at together, and share a page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/replication/prefetch.hpp"

namespace perigee::replication {

/// `Page` is for `Page::slots` slots, and equals Page{} if it is not in use.
template <class Page>
class SlotPages {
 public:
  /// Has no room and must not be asked.
  SlotPages() = default;
  /// Room for `pages_max` pages is reserved; their memory is touched when they are first needed.
  SlotPages(std::size_t slots_max, std::size_t pages_max)
      : page_of_(slots_max / Page::slots + 1),
        pages_max_(1 + std::min(pages_max, page_of_.size())) {
    PERIGEE_ASSERT(pages_max_ <= PageIndex(~0U), "a page's index has 16 bits");
    pages_.reserve(pages_max_);
    free_.reserve(pages_max_);
    pages_.emplace_back();
  }

  /// The slot's page; an empty one if it has none.
  const Page& read(std::uint32_t slot) const { return pages_[page_of_[slot / Page::slots]]; }
  /// For read() of slots below `end`.
  void prefetch_index(std::uint32_t end) const {
    prefetch(page_of_.data(), (end / Page::slots + 1) * sizeof(PageIndex));
  }
  /// Null if it has none.
  Page* find(std::uint32_t slot) {
    const PageIndex page = page_of_[slot / Page::slots];
    return page != no_page ? &pages_[page] : nullptr;
  }
  /// Gives it a page if it has none. Null: all pages are in use.
  Page* take(std::uint32_t slot) {
    PageIndex& page = page_of_[slot / Page::slots];
    if (page != no_page) return &pages_[page];
    if (!free_.empty()) {
      page = free_.back();
      free_.pop_back();
    } else if (pages_.size() < pages_max_) {
      page = static_cast<PageIndex>(pages_.size());
      pages_.emplace_back();
    } else {
      return nullptr;
    }
    return &pages_[page];
  }
  /// Takes the slot's page back if it is empty.
  void release_if_empty(std::uint32_t slot) {
    PageIndex& page = page_of_[slot / Page::slots];
    if (page != no_page && pages_[page] == Page{}) free_.push_back(std::exchange(page, no_page));
  }
  void clear() {
    std::fill(page_of_.begin(), page_of_.end(), no_page);
    pages_.resize(1);
    free_.clear();
  }

 private:
  using PageIndex = std::uint16_t;
  /// The first page stays empty: it is read for all slots without a page.
  static constexpr PageIndex no_page = 0;

  std::vector<PageIndex> page_of_;  ///< by slot / Page::slots
  std::size_t pages_max_ = 0;       ///< with the empty one
  std::vector<Page> pages_;
  std::vector<PageIndex> free_;
};

}  // namespace perigee::replication
