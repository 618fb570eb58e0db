// Comparison of a model with a device on very many inputs, where the device can do so by itself.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "device/failure.h"
#include "model/unit_model.h"

namespace mmaprint {

/// An input on which a device and a model differ.
struct Mismatch {
  Observation seen;
  Pattern predicted = 0;
};

/// What was found on some tiles.
struct BulkFound {
  std::uint64_t vectors = 0;
  std::uint64_t mismatches = 0;
  std::vector<Mismatch> examples;  ///< the first that were met
};

/// The same input at every place of many tiles, again and again.
struct PositionsFound {
  std::uint64_t inputs = 0;
  std::uint64_t results = 0;
  std::uint64_t differing = 0;     ///< results unlike the first for the same input
  std::vector<DotInput> examples;  ///< inputs with such results
};

/// Compares one model with one instruction of one device, on tiles of TileInputs as large as suit the device.
class BulkRunner {
 public:
  BulkRunner() = default;
  BulkRunner(const BulkRunner&) = delete;
  BulkRunner& operator=(const BulkRunner&) = delete;
  virtual ~BulkRunner() = default;

  /// Dot products of one tile.
  [[nodiscard]] virtual std::uint64_t tile_size() const = 0;
  /// Tiles first .. first+count-1 of a seed.
  [[nodiscard]] virtual std::variant<BulkFound, DeviceFailure> compare(std::uint64_t seed,
                                                                       std::uint64_t first,
                                                                       std::uint64_t count) = 0;
  /// Does a result depend on the row, column, warp or multiprocessor, or on chance?
  [[nodiscard]] virtual std::variant<PositionsFound, DeviceFailure> compare_positions(std::uint64_t seed) = 0;
};

}  // namespace mmaprint
