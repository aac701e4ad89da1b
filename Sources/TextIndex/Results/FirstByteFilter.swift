/// A set of the first bytes of a query's forms, which quickly rejects most terms. It may contain other bytes.
struct FirstByteFilter {
  /// Bit b of this number is set if a form begins with the byte b or b + 64 and so on.
  private let bits: UInt64

  /// - Parameter bytes: the first byte of each form.
  init(_ bytes: [UInt8]) { bits = bytes.reduce(0) { $0 | 1 << UInt64($1 & 63) } }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool { bits >> UInt64(byte & 63) & 1 == 1 }
}
