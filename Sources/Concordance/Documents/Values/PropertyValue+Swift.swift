import Foundation
import JSONText

extension PropertyValue {
  /// Converts a Swift value. The result is `unusable(_:)` for a value that JSON cannot represent.
  ///
  /// Mutable containers are referenced, so that later edits are visible; immutable ones are copied. A date becomes an
  /// ISO 8601 string. A dictionary with the properties of a blob becomes that blob.
  init(_ value: Any?) {
    var conversion = ContainerConversion()
    let converted = PropertyValue(value, &conversion)
    self = conversion.finish() ? converted : .tooDeep
  }

  /// Converts a value, but not yet the items of arrays and dictionaries, which `ContainerConversion/finish()` converts.
  init(_ value: Any?, _ conversion: inout ContainerConversion) {
    guard let value else {
      self = .scalar(.null)
      return
    }
    // `NSNumber`s are checked first, by class, because an `NSNumber` with the value 1 can also be cast to `Bool`.
    if type(of: value) is NSDecimalNumber.Type, let number = value as? NSDecimalNumber {
      self.init(decimal: number.decimalValue)
      return
    }
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      self.init(number: number)
      return
    }
    // Value types are checked before classes, because casting a Swift dictionary or array to a class bridges all of it
    // to an `NSDictionary` or `NSArray`.
    switch value {
    case let value as String: self = .scalar(.string(value))
    case let value as Bool: self = .scalar(.boolean(value))
    case let value as any BinaryInteger: self.init(integer: value)
    case let value as Double: self.init(number: value)
    case let value as Float: self.init(number: Double(value))
    case let value as Date: self.init(date: value)
    case let value as CGFloat: self.init(number: Double(value))
    case let value as Decimal: self.init(decimal: value)
    case let value as [String: Any]: self.init(dictionary: value, &conversion)
    case let value as [Any]: self = .array(conversion.array(value))
    case is NSNull: self = .scalar(.null)
    case let value as MutableDictionaryObject: self = .dictionary(value)
    case let value as DictionaryObject: self = .dictionary(value.toMutable())
    case let value as MutableArrayObject: self = .array(value)
    case let value as ArrayObject: self = .array(value.toMutable())
    case let value as Blob: self = .blob(value, nil)
    case let value as Fragment: self.init(value.value, &conversion)
    default: self.init(unwrapping: value, &conversion)
    }
  }

  private init(date: Date) {
    self =
      DocumentDate.isWritable(date)
      ? .scalar(.string(DocumentDate.string(from: date))) : .unusable("a date outside the years 0 to 9999")
  }

  private init(integer value: any BinaryInteger) {
    if let value = Int64(exactly: value) {
      self = .scalar(.int64(value))
    } else if let value = UInt64(exactly: value) {
      self = .scalar(.uint64(value))
    } else {
      self = .unusable("the integer \(value), which does not fit in 64 bits")
    }
  }

  private init(number value: Double) {
    self = value.isFinite ? .scalar(.double(value)) : .unusable("the number \(value)")
  }

  /// Stores the number as text, because a `Double` cannot represent all of its digits.
  private init(decimal value: Decimal) {
    self = value.isFinite ? .number("\(value)") : .unusable("the number \(value)")
  }

  private init(number value: NSNumber) {
    switch String(cString: value.objCType) {
    case "c" where isBoolean(value): self = .scalar(.boolean(value.boolValue))
    case "f", "d": self.init(number: value.doubleValue)
    case "Q": self.init(integer: value.uint64Value)
    default: self = .scalar(.int64(value.int64Value))
    }
  }

  private init(dictionary: [String: Any], _ conversion: inout ContainerConversion) {
    if Blob.isBlob(properties: dictionary), let blob = Blob.stored(dictionary, in: nil) {
      self = .blob(blob, nil)
    } else {
      self = .dictionary(conversion.dictionary(dictionary))
    }
  }

  /// Unwraps an optional inside an `Any`. Values of other types are unusable.
  private init(unwrapping value: Any, _ conversion: inout ContainerConversion) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else {
      self = .unusable("a value of type \(type(of: value))")
      return
    }
    self.init(mirror.children.first?.value, &conversion)
  }
}

/// Returns whether a number is a boolean. On Linux, a boolean `NSNumber` differs from an 8-bit integer only in its
/// identity.
private func isBoolean(_ number: NSNumber) -> Bool {
  number === NSNumber(value: true) || number === NSNumber(value: false)
}
