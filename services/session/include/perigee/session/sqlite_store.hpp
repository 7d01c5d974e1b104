/// The session store in one SQLite file.
#pragma once

#include <filesystem>
#include <memory>

#include "perigee/session/store.hpp"

namespace perigee::session {

/// Write-ahead log, synchronous=FULL: if a power cut could undo a claim, its token could open a
/// second session with the same keys. One thread at a time.
class SqliteStore final : public SessionStore {
 public:
  /// Waits this long for another process's lock, then the call fails and is counted.
  static constexpr int busy_ms_max = 100;

  /// Creates the file (mode 0600) and its schema when missing. ":memory:" is not durable.
  static Result<std::unique_ptr<SqliteStore>> open(const std::filesystem::path& path);
  ~SqliteStore() override;

  Result<Ok> together(std::span<const std::function<void()>> changes) override;
  Result<bool> add(const Session& session) override;
  Result<std::optional<Session>> find(std::uint64_t client_id) override;
  Result<bool> update(const Session& session) override;
  Result<ClaimOutcome> claim(const Claim& claim, std::uint64_t now_s) override;
  Result<std::vector<Session>> list(const ListQuery& query) override;
  Result<std::vector<Session>> of_player(std::uint64_t player_id) override;
  Result<Ok> ban(const Ban& ban) override;
  Result<bool> unban(const BanName& whom) override;
  Result<std::optional<Ban>> find_ban(std::uint64_t player_id, std::string_view player_name,
                                      std::uint64_t unix_s) override;
  Result<std::vector<Ban>> bans(const std::optional<BanName>& after, std::uint64_t unix_s,
                                std::uint32_t rows_max) override;
  Result<std::vector<std::uint64_t>> kicked_since(std::uint64_t unix_s) override;
  Result<std::uint32_t> forget(const StoreTime& now, const Retention& retention) override;
  Result<Counts<SessionState>> totals() override;
  Result<Ok> probe() override;
  const Counts<StoreFault>& faults() const override;
  /// Limits the size of the file, as a full disk would; for tests.
  void set_pages_max(std::uint64_t pages);

 private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::session
