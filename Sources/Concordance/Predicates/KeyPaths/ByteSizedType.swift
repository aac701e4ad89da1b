/// Values of types of at most one byte: an enum without payloads above all, of which `Codable` gives no list of cases.
///
/// The bytes of such a type are numbered from 0, and nil of its optional is the first number that is not a value. So its values
/// are known without knowing the type.
enum ByteSizedType {
  /// A value of such a type, the first or another one; nil for other types.
  ///
  /// - Parameter isOther: whether to take the second value, where there is one.
  static func value<T>(of type: T.Type, isOther: Bool) -> T? {
    guard let count = count(of: type) else { return nil }
    let byte: UInt8 = isOther && count > 1 ? 1 : 0
    return value(byte, of: type)
  }

  /// All values; nil for other types.
  static func values<T>(of type: T.Type) -> [T]? {
    count(of: type).map { count in (0..<count).map { value(UInt8($0), of: type) } }
  }

  private static func count<T>(of type: T.Type) -> Int? {
    // A type without size has one value or none. Swift lets an enum have raw values only if it has cases.
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
