/// PostgreSQL's error codes and their remedies for operators.
#pragma once

#include <array>
#include <string_view>

#include "perigee/world_store/store.hpp"

namespace perigee::world_store {

struct PostgresFault {
  std::string_view code;  ///< an SQLSTATE, or its class as a prefix
  StoreFault kind;
  std::string_view remedy;
};

inline constexpr std::string_view unreachable_remedy =
    "start the server, or repair the network to it; then the store recovers by itself";

/// The first matching row applies.
inline constexpr std::array postgres_faults = {
    PostgresFault{"53100", StoreFault::DiskFull,
                  "make room on the server's disk; then the store recovers by itself"},
    PostgresFault{"53300", StoreFault::Unreachable,
                  "raise the server's max_connections, or close other clients"},
    PostgresFault{"28P01", StoreFault::Other, "correct user and password in the connection string"},
    PostgresFault{"28", StoreFault::Other,
                  "correct the user in the connection string, or allow it (pg_hba.conf)"},
    PostgresFault{"3D000", StoreFault::Other,
                  "create it (createdb), or name another one in the connection string"},
    PostgresFault{
        "42501", StoreFault::Other,
        "connect as the database's owner, or grant the user CREATE and access to the tables"},
    PostgresFault{"3F000", StoreFault::Other,
                  "create that schema, or set search_path to another one"},
    PostgresFault{"42P07", StoreFault::Other, "use a separate database for this world"},
    PostgresFault{"25006", StoreFault::Other,
                  "connect to the primary (target_session_attrs=read-write)"},
    PostgresFault{"55P03", StoreFault::Locked,
                  "another program holds a lock: look for it in pg_stat_activity and end it"},
    PostgresFault{"57014", StoreFault::Locked,
                  "the server is slow or blocked: see pg_stat_activity"},
    PostgresFault{"40", StoreFault::Locked, "conflict with another transaction: try again"},
    PostgresFault{"57P", StoreFault::Unreachable, unreachable_remedy},
    PostgresFault{"08", StoreFault::Unreachable, unreachable_remedy},
};

}  // namespace perigee::world_store
