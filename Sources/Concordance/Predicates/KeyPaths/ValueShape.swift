import Foundation

/// Compares values of any type by reflection.
///
/// Not every type can be compared with `==`, and `==` may pass over parts. `dump` of the standard library shows addresses,
/// which differ between equal values.
enum ValueShape {
  /// Whether two values are equal, optional or not.
  static func isSame(_ first: Any, _ second: Any) -> Bool { text(of: first, 0) == text(of: second, 0) }

  /// Limits the depth, because values can reference each other.
  private static let maximumDepth = 8

  private static func text(of value: Any, _ depth: Int) -> String {
    if let optional = value as? any OptionalValue {
      return optional.wrappedValue.map { text(of: $0, depth) } ?? "nil"
    }
    // The property is the id, and what is decoded the object around it.
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

  /// The text of a value without children.
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

  private static func isAddress(_ value: Any) -> Bool {
    let name = "\(type(of: value))"
    return name.hasPrefix("Unsafe") && name.contains("Pointer") || value is OpaquePointer || value is ObjectIdentifier
  }
}
