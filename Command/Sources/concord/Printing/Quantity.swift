import Foundation

/// Numbers as people read them.
enum Quantity {
  /// A count with its thousands set apart: `1,234,567`.
  static func count(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
      position -= 3
    }
    return value < 0 ? "-" + digits : digits
  }

  /// A count with its noun: `1 file`, `2 files`.
  static func count(_ value: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? noun : plural ?? noun + "s")"
  }

  /// Bytes in the largest decimal unit that leaves a whole number: `12 B`, `3.4 kB`, `120 MB`.
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

  /// A duration: `310 ms`, `2.4 s`, `3 min 5 s`.
  static func seconds(_ value: Double) -> String {
    switch value {
    case ..<0.9995: "\(decimal(value * 1000, places: value < 0.01 ? 1 : 0)) ms"
    case ..<60: "\(decimal(value, places: 1)) s"
    default: "\(Int(value) / 60) min \(Int(value) % 60) s"
    }
  }

  /// A number with some places behind the point.
  static func decimal(_ value: Double, places: Int) -> String { String(format: "%.\(places)f", value) }

  /// A score with some places behind the point; one that would be printed as 0 and is not, with what it begins with: `5e-07`.
  static func score(_ value: Double, places: Int) -> String {
    let text = decimal(value, places: places)
    return value != 0 && Double(text) == 0 ? String(format: "%.2g", value) : text
  }
}
