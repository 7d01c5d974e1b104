/// Rounding of numbers for reports.
#pragma once

namespace perigee {

/// The number that printf's "%.6g" shows for digits = 6: JSON then needs no more digits. Infinities
/// and NaN stay as they are.
double to_significant(double value, int digits);
/// The number that printf's "%.4f" shows for digits = 4.
double to_decimals(double value, int digits);

}  // namespace perigee
