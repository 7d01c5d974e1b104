/// A file of cells, one a line, that grows as they are measured: what is there is not measured
/// again. Comma separated, with a head line, for whoever likes spreadsheets.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perigee/lab/cell.hpp"
#include "report.hpp"

namespace perigee::lab {

class Ledger {
 public:
  /// Opens or makes it. An Error if it cannot be written, is no such file, or holds figures of
  /// another yardstick or commit: these do not belong into one table.
  static Result<Ledger> open(const std::string& path, const std::string& commit);

  /// A file to look at: figures of one commit and one yardstick, whichever these are.
  struct Table {
    Provenance of;
    std::vector<Cell> cells;
    /// Figures of today's that the file does not have; they read 0.
    std::vector<std::string> missing;
  };
  static Result<Table> load(const std::string& path);

  /// As it was measured before, if it was.
  std::optional<Cell> find(const CellOptions& order) const;
  /// False: the disk is full, or the like.
  bool add(const CellOptions& order, const Cell& cell);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Line {
    Cell cell;
    std::uint32_t players = 0, seconds = 0;
  };
  using Fields = std::vector<std::string>;
  static std::optional<Line> read(const Fields& columns, const std::string& text);
  static Result<std::vector<Line>> read_all(const std::string& path, const std::string& stamp);

  std::string stamp_;  ///< protocol, yardstick, commit: how each line begins
  std::vector<Line> lines_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace perigee::lab
