/// The result of an operation that depends on the operator's environment (settings, sockets,
/// peers): a value, or one sentence that states the problem and the remedy.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "perigee/base/assert.hpp"

namespace perigee {

/// One sentence for the operator: what was expected, what was found, the remedy.
struct Error {
  std::string message;
};

/// Success without a value.
struct Ok {};

template <class Value>
class [[nodiscard]] Result {
 public:
  Result(Value value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const Value& value() const& {
    PERIGEE_ASSERT(ok(), "value() of a failed Result");
    return std::get<0>(held_);
  }
  Value& value() & {
    PERIGEE_ASSERT(ok(), "value() of a failed Result");
    return std::get<0>(held_);
  }
  Value&& value() && {
    PERIGEE_ASSERT(ok(), "value() of a failed Result");
    return std::get<0>(std::move(held_));
  }
  const Value& operator*() const& { return value(); }
  Value& operator*() & { return value(); }
  const Value* operator->() const { return &value(); }
  Value* operator->() { return &value(); }

  const Error& error() const {
    PERIGEE_ASSERT(!ok(), "error() of a successful Result");
    return std::get<1>(held_);
  }

 private:
  std::variant<Value, Error> held_;
};

}  // namespace perigee
