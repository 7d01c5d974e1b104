/// Names of fields in records that a directory older than 0.1.0 has stored.
#pragma once

#include <string>

#include "perigee/directory_leadership/records.hpp"

namespace perigee::directory {

/// True for records with the former names. One directory has stored all records, so it is enough to
/// look at one of them.
bool have_former_names(const Records& records);
/// The text of such a record with the present names. Quoted strings stay as they are.
std::string with_present_names(const std::string& text);

}  // namespace perigee::directory
