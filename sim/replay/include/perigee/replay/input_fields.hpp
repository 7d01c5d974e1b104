/// The fields that a game adds to inputs, as a file has them: a reader needs no game to name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perigee/base/own_input.hpp"

namespace perigee::replay {

struct RecordedInputField {
  std::string name;
  InputField field;  ///< without its name

  std::int64_t value_in(const OwnInput& own) const { return field.stored(own); }
};
/// At most InputLayout::fields_max.
using RecordedInputFields = std::vector<RecordedInputField>;

RecordedInputFields recorded_input_fields(const InputLayout& layout);
/// The name of the first field that only one of the two has, or that is stored differently. None:
/// the game reads these inputs as the recorded one did.
std::optional<std::string> other_field(const RecordedInputFields& recorded,
                                       const InputLayout& layout);
/// "throttle 7, slot 3"; empty without fields.
std::string text_of(const RecordedInputFields& fields, const OwnInput& own);

}  // namespace perigee::replay
