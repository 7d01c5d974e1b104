/// A file of cells, one per line, that grows as they are measured; cells in it are not measured
/// again. Comma separated with a header line, for spreadsheets.
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
  /// Opens or creates it. An Error if it cannot be written, is no such file, or holds figures of
  /// another yardstick or commit, which must not be mixed in one table.
  static Result<Ledger> open(const std::string& path, const std::string& commit);

  /// The content of a file: figures of any single commit and yardstick.
  struct Table {
    Provenance of;
    std::vector<Cell> cells;
    /// Today's figures that the file lacks; they read 0.
    std::vector<std::string> missing;
  };
  static Result<Table> load(const std::string& path);

  /// The cell as measured before, if it was.
  std::optional<Cell> find(const CellOptions& order) const;
  /// False: the write failed, e.g. on a full disk.
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

  std::string stamp_;  ///< protocol, yardstick, commit: the beginning of each line
  std::vector<Line> lines_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace perigee::lab
