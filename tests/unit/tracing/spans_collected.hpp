/// Spans that a component has emitted.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "perigee/tracing/span.hpp"

namespace perigee::tracing {

struct SpansCollected {
  std::vector<Span> spans;
  std::function<void(Span)> emit() {
    return [this](Span span) { spans.push_back(std::move(span)); };
  }
  /// Null: there is none of that name.
  const Span* find(std::string_view name) const {
    for (const Span& span : spans) {
      if (span.name == name) return &span;
    }
    return nullptr;
  }
};

inline const Attribute* attribute_of(const Span& span, std::string_view key) {
  for (const Attribute& attribute : span.attributes) {
    if (attribute.key == key) return &attribute;
  }
  return nullptr;
}

}  // namespace perigee::tracing
