#include "perigee/replay/input_fields.hpp"

#include <algorithm>

namespace perigee::replay {

RecordedInputFields recorded_input_fields(const InputLayout& layout) {
  RecordedInputFields out;
  for (const InputField& field : layout.fields()) {
    out.push_back({std::string(field.name), field});
    out.back().field.name = {};
  }
  return out;
}

std::optional<std::string> other_field(const RecordedInputFields& recorded,
                                       const InputLayout& layout) {
  const RecordedInputFields own = recorded_input_fields(layout);
  for (std::size_t i = 0; i < std::max(recorded.size(), own.size()); ++i) {
    if (i >= own.size()) return recorded[i].name;
    if (i >= recorded.size()) return own[i].name;
    const InputField &there = recorded[i].field, &here = own[i].field;
    const bool same = recorded[i].name == own[i].name && there.offset == here.offset &&
                      there.size == here.size && there.is_signed == here.is_signed &&
                      there.initial == here.initial;
    if (!same) return recorded[i].name;
  }
  return std::nullopt;
}

std::string text_of(const RecordedInputFields& fields, const OwnInput& own) {
  std::string out;
  for (const RecordedInputField& each : fields) {
    out += (out.empty() ? "" : ", ") + each.name + " " + std::to_string(each.value_in(own));
  }
  return out;
}

}  // namespace perigee::replay
