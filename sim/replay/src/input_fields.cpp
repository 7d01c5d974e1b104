#include "perigee/replay/input_fields.hpp"

namespace perigee::replay {

RecordedInputFields recorded_input_fields(const InputLayout& layout) {
  RecordedInputFields out;
  for (const InputField& field : layout.fields()) {
    out.push_back({std::string(field.name), field});
    out.back().field.name = {};
  }
  return out;
}

std::string text_of(const RecordedInputFields& fields, const OwnInput& own) {
  std::string out;
  for (const RecordedInputField& each : fields) {
    out += (out.empty() ? "" : ", ") + each.name + " " + std::to_string(each.value_in(own));
  }
  return out;
}

}  // namespace perigee::replay
