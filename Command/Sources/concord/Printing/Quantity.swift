import Foundation

/// Formats numbers for display.
enum Quantity {
  /// Returns a count with thousands separators: `1,234,567`.
  static func count(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
      position -= 3
    }
    return value < 0 ? "-" + digits : digits
  }

  /// Returns a count with its noun: `1 file`, `2 files`.
  static func count(_ value: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns a number of bytes in a decimal unit: `12 B`, `3.4 kB`, `120 MB`.
  static func bytes(_ value: Int) -> String {
    var amount = Double(value)
    for unit in ["B", "kB", "MB", "GB"] {
      if amount < 999.5 {
        return unit == "B" ? "\(value) B" : "\(decimal(amount, places: amount < 99.95 ? 1 : 0)) \(unit)"
      }
      amount /= 1000
    }
    return "\(decimal(amount, places: 1)) TB"
  }

  /// Returns a number of bytes per second: `6.1 MB/s`.
  static func speed(_ byteCount: Int64, seconds: Double) -> String {
    "\(bytes(Int(min(Double(byteCount) / max(seconds, 0.001), maximum))))/s"
  }

  /// The maximum of numbers that are calculated from the sizes of sparse files, so that they are in the range of `Int`.
  private static let maximum = 1e18

  /// Returns a duration: `310 ms`, `2.4 s`, `3 min 5 s`.
  static func seconds(_ value: Double) -> String {
    let value = min(value, maximum)
    return switch value {
    case ..<0.9995: "\(decimal(value * 1000, places: value < 0.01 ? 1 : 0)) ms"
    case ..<60: "\(decimal(value, places: 1)) s"
    default: "\(Int(value) / 60) min \(Int(value) % 60) s"
    }
  }

  /// Returns a number with a fixed number of decimal places. A number that is rounded to zero has no sign.
  static func decimal(_ value: Double, places: Int) -> String {
    let text = String(format: "%.\(places)f", value)
    return text.hasPrefix("-") && Double(text) == 0 ? String(text.dropFirst()) : text
  }

  /// Returns a score with a fixed number of decimal places, or in scientific notation if these would all be zero:
  /// `5e-07`.
  static func score(_ value: Double, places: Int) -> String {
    let text = decimal(value, places: places)
    return value != 0 && Double(text) == 0 ? String(format: "%.2g", value) : text
  }
}
