import Foundation

/// The conversions of typed getters: a value of any type is converted to the requested type.
enum TypedValue {
  static func string(_ value: Any?) -> String? { value as? String }

  static func number(_ value: Any?) -> NSNumber? {
    switch value {
    case let value as Bool: NSNumber(value: value)
    case let value as Int: NSNumber(value: value)
    case let value as Double: NSNumber(value: value)
    case let value as UInt64: NSNumber(value: value)
    default: nil
    }
  }

  static func int64(_ value: Any?) -> Int64 {
    switch value {
    case let value as Int: Int64(value)
    case let value as Bool: value ? 1 : 0
    case is UInt64: .max
    case let value as Double:
      // Clamped to the range of the type. NaN becomes 0.
      Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
    default: 0
    }
  }

  static func double(_ value: Any?) -> Double {
    switch value {
    case let value as Double: value
    case let value as Int: Double(value)
    case let value as Bool: value ? 1 : 0
    case let value as UInt64: Double(value)
    default: 0
    }
  }

  static func boolean(_ value: Any?) -> Bool {
    switch value {
    case nil, is NSNull: false
    case let value as Bool: value
    case is Int, is UInt64, is Double: double(value) != 0
    default: true
    }
  }

  static func date(_ value: Any?) -> Date? { string(value).flatMap { DocumentDate.date(from: $0) } }
}
