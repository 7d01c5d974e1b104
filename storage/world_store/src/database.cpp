#include "database.hpp"

namespace perigee::world_store {

Result<Answer> Database::run(Sql sql, const Values& values) {
  auto answers = run_each(sql, std::span(&values, 1));
  if (!answers) return answers.error();
  return std::move(answers.value().front());
}

Error Database::fault(StoreFault kind, std::string_view name, std::string_view what,
                      std::string_view remedy) {
  faults_.add(kind);
  return sentence(name, what, remedy);
}

Error sentence(std::string_view name, std::string_view what, std::string_view remedy) {
  return Error{"the world store " + std::string(name) + ": " + std::string(what) + "; " +
               std::string(remedy)};
}

Result<Ok> check_version(std::string_view name, std::int64_t version) {
  if (version == schema_version) return Ok{};
  return sentence(name,
                  "has format " + std::to_string(version) + ", this program reads " +
                      std::to_string(schema_version),
                  "start the version of perigee that created it, or restore a backup from before");
}

}  // namespace perigee::world_store
