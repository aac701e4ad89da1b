/// The values of types of at most one byte, such as enums without associated values.
///
/// `Codable` does not list the cases of an enum. The Swift ABI numbers the values of such a type from 0, and represents
/// nil in its optional with the first unused number. So the number of values can be read from the optional, and every
/// value can be created from its byte.
enum ByteSizedType {
  /// Returns the first or the second value of a type; nil if the type is larger than a byte.
  ///
  /// - Parameter isOther: whether to return the second value. If there is only one value, it is returned.
  static func value<T>(of type: T.Type, isOther: Bool) -> T? {
    guard let count = count(of: type) else { return nil }
    let byte: UInt8 = isOther && count > 1 ? 1 : 0
    return value(byte, of: type)
  }

  /// Returns all values of a type; nil if the type is larger than a byte.
  static func values<T>(of type: T.Type) -> [T]? {
    count(of: type).map { count in (0..<count).map { value(UInt8($0), of: type) } }
  }

  private static func count<T>(of type: T.Type) -> Int? {
    // A type of size 0 has one value or none. An enum with raw values has at least one case.
    if MemoryLayout<T>.size == 0 { return type is any RawRepresentable.Type ? 1 : nil }
    guard MemoryLayout<T>.size == 1 else { return nil }
    guard MemoryLayout<T?>.size == 1 else { return 256 }
    let none: T? = nil
    return withUnsafeBytes(of: none) { Int($0[0]) }
  }

  private static func value<T>(_ byte: UInt8, of type: T.Type) -> T {
    withUnsafeBytes(of: byte) { $0.load(as: type) }
  }
}
