#include "postgres_link.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace perigee::world_store {
namespace {

using Clock = std::chrono::steady_clock;

int left_ms(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

void ignore_notice(void*, const char*) {}

}  // namespace

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

bool PostgresLink::wait_for(short events, int timeout_ms) {
  pollfd ready{PQsocket(connection_.get()), events, 0};
  int count = 0;
  do {
    count = poll(&ready, 1, timeout_ms);
  } while (count < 0 && errno == EINTR);
  return count > 0;
}

void PostgresLink::lose(bool silent) {
  silent_ = silent;
  error_ = silent ? "no answer for " + std::to_string(timeouts_.silence_ms / 1'000) + " s"
                  : first_line(PQerrorMessage(connection_.get()));
  if (error_.empty()) error_ = "the connection was closed";
  close();
}

bool PostgresLink::connect(const std::string& connection) {
  // Settings in the connection string come later and take precedence.
  const std::array keys{"fallback_application_name", "tcp_user_timeout", "keepalives_idle",
                        "dbname", static_cast<const char*>(nullptr)};
  const std::string silence_ms = std::to_string(timeouts_.silence_ms);
  const std::array values{"perigee", silence_ms.c_str(), "5", connection.c_str(),
                          static_cast<const char*>(nullptr)};
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeouts_.connect_ms);
  connection_.reset(PQconnectStartParams(keys.data(), values.data(), 1));
  if (!connection_) {
    error_ = "out of memory";
    return false;
  }
  PQsetErrorVerbosity(connection_.get(), PQERRORS_VERBOSE);  // for the code in the text
  PQsetNoticeProcessor(connection_.get(), ignore_notice, nullptr);
  auto wants =
      PQstatus(connection_.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (wants == PGRES_POLLING_READING || wants == PGRES_POLLING_WRITING) {
    if (!wait_for(wants == PGRES_POLLING_READING ? POLLIN : POLLOUT, left_ms(deadline)) &&
        left_ms(deadline) == 0) {
      lose(true);
      error_ = "no connection within " + std::to_string(timeouts_.connect_ms / 1'000) + " s";
      return false;
    }
    wants = PQconnectPoll(connection_.get());
  }
  if (wants != PGRES_POLLING_OK) {
    lose(false);
    return false;
  }
  PQsetnonblocking(connection_.get(), 1);
  return true;
}

std::optional<PostgresLink::Answer> PostgresLink::next() {
  for (;;) {
    const int unsent = PQflush(connection_.get());
    if (unsent >= 0 && PQisBusy(connection_.get()) == 0) {
      Answer answer(PQgetResult(connection_.get()));
      if (PQstatus(connection_.get()) == CONNECTION_OK) return answer;
      lose(false);
      return std::nullopt;
    }
    const auto events = static_cast<short>(unsent == 1 ? POLLIN | POLLOUT : POLLIN);
    const bool moved = unsent >= 0 && wait_for(events, timeouts_.silence_ms);
    if (!moved || PQconsumeInput(connection_.get()) == 0) {
      lose(unsent >= 0 && !moved);
      return std::nullopt;
    }
  }
}

std::optional<PostgresLink::Answer> PostgresLink::execute(const char* sql) {
  if (PQsendQuery(connection_.get(), sql) == 0) {
    lose(false);
    return std::nullopt;
  }
  Answer last;
  for (;;) {
    auto answer = next();
    if (!answer) return std::nullopt;
    if (!*answer) return last;
    // The first failure counts; later results only report that nothing was done.
    if (!last || PQresultStatus(last.get()) != PGRES_FATAL_ERROR) last = std::move(*answer);
  }
}

}  // namespace perigee::world_store
