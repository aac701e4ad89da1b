import Foundation

/// Compares values of any type by reflection.
///
/// `==` is unsuitable, because not every type is `Equatable` and `==` may ignore parts of a value. The standard
/// library's `dump` is unsuitable, because it writes addresses, which differ between equal values.
enum ValueShape {
  /// Returns whether two values have the same type and contents. An optional equals its wrapped value.
  static func isSame(_ first: Any, _ second: Any) -> Bool { text(of: first, 0) == text(of: second, 0) }

  /// The maximum depth of the comparison, because references between objects can form cycles. Deeper parts are ignored.
  private static let maximumDepth = 8

  /// Returns a description of a value that is the same for equal values.
  private static func text(of value: Any, _ depth: Int) -> String {
    if let optional = value as? any OptionalValue {
      return optional.wrappedValue.map { text(of: $0, depth) } ?? "nil"
    }
    // The decoded value is the wrapper object, and the value at the key path is the wrapped id.
    if let id = value as? DocumentID { return text(of: id.wrappedValue as Any, depth) }
    if let plain = plainText(of: value) { return "\(type(of: value)) \(plain)" }
    var mirror: Mirror? = Mirror(reflecting: value)
    var children: [Mirror.Child] = []
    let isObject = mirror?.displayStyle == .class
    while let current = mirror {
      children += current.children
      mirror = current.superclassMirror
    }
    if children.isEmpty { return isObject || isAddress(value) ? "\(type(of: value))" : "\(type(of: value)) \(value)" }
    guard depth < maximumDepth else { return "…" }
    let inner = children.map { "\($0.label ?? ""): \(text(of: $0.value, depth + 1))" }
    return "\(type(of: value)) {\(inner.joined(separator: ", "))}"
  }

  /// Returns the description of a value of a type that reflection does not describe completely; nil for other types.
  private static func plainText(of value: Any) -> String? {
    switch value {
    case let value as String: value.debugDescription
    case let value as any BinaryInteger: "\(value)"
    case let value as any BinaryFloatingPoint: "\(value)"
    case let value as Bool: "\(value)"
    case let value as Date: "\(value.timeIntervalSinceReferenceDate)"
    case let value as Data: value.base64EncodedString()
    case let value as Decimal: "\(value)"
    case let value as URL: value.absoluteString
    case let value as UUID: value.uuidString
    case let value as Blob: value.content?.base64EncodedString() ?? ""
    default: isAddress(value) ? "" : nil
    }
  }

  /// Whether a value is an address, which the comparison ignores.
  private static func isAddress(_ value: Any) -> Bool {
    let name = "\(type(of: value))"
    return name.hasPrefix("Unsafe") && name.contains("Pointer") || value is OpaquePointer || value is ObjectIdentifier
  }
}
