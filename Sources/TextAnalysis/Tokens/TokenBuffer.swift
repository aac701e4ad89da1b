/// The terms of one or more texts, in flat memory that can be reused for other texts.
///
/// ```swift
/// let buffer = TokenBuffer()
/// let tokenizer = analyzer.makeTokenizer()
/// for text in texts {
///   buffer.removeAll()
///   text.utf8.withContiguousStorageIfAvailable { tokenizer.tokenize(UnsafeRawBufferPointer($0), into: buffer) }
///   index(buffer.stream)
/// }
/// ```
///
/// A buffer must contain less than 4 GiB of terms, because offsets of terms have 32 bits. This is not checked, because
/// the terms of one document are shorter: a document has at most 50 MiB, folding makes a text at most 11 times as long
/// (NFKC, UAX #15), and a character is in at most four terms. Call ``removeAll()`` before the next document.
///
/// A buffer belongs to one thread at a time and is not `Sendable`.
public final class TokenBuffer {
  /// The byte between two terms at successive positions.
  public static let separator: UInt8 = 0x20
  /// The byte between a term and the next one at the same position.
  public static let colocation: UInt8 = 0x1F
  /// The maximum length of a term in bytes. Longer words are split into several terms.
  public static let maximumTermLength = 255

  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCapacity: Int
  private(set) var byteCount = 0
  private var records: UnsafeMutablePointer<Token>
  private var recordCapacity: Int
  private(set) var tokenCount = 0
  /// The storage of ``positionCount``. A public stored property would require exclusivity checks, which would be 7 % of
  /// the instructions that indexing executes.
  private var positions = 0

  public init() {
    byteCapacity = 4096
    bytes = .allocate(capacity: byteCapacity)
    recordCapacity = 512
    records = .allocate(capacity: recordCapacity)
  }

  deinit {
    bytes.deallocate()
    records.deallocate()
  }

  /// The encoded terms: one byte 0x20 before each new position, one byte 0x1F before a term at the same position as its
  /// predecessor. Terms contain no bytes from 0x00 to 0x20. Valid until the buffer changes.
  public var stream: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: byteCount) }

  /// The terms in order, colocated ones included. Valid until the buffer changes.
  public var tokens: UnsafeBufferPointer<Token> { UnsafeBufferPointer(start: records, count: tokenCount) }

  /// The number of positions of the terms; colocated terms share the position of their predecessor.
  public var positionCount: Int { positions }

  /// Returns the bytes of one term. Valid until the buffer changes.
  public func term(_ token: Token) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: stream[Int(token.termStart)..<Int(token.termStart) + Int(token.termLength)])
  }

  /// Removes the terms and keeps the memory.
  public func removeAll() {
    byteCount = 0
    tokenCount = 0
    positions = 0
  }
}

@available(*, unavailable)
extension TokenBuffer: Sendable {}

// MARK: - Writing

extension TokenBuffer {
  /// The number of bytes after a term that block copies may overwrite.
  static let padding = 32

  /// Reserves room for a term of up to `length` bytes and writes its separator. The caller must call
  /// ``close(length:start:end:kind:)`` next.
  ///
  /// The first term of a buffer has a position of its own in any case, because readers of the stream assign it one.
  @inline(__always)
  func open(length: Int, kind: Token.Kind) -> UnsafeMutablePointer<UInt8> {
    if byteCount &+ length &+ 1 &+ Self.padding > byteCapacity { growBytes(by: length + 1 + Self.padding) }
    let isColocated = kind.contains(.colocated)
    if byteCount > 0 {
      bytes[byteCount] = isColocated ? Self.colocation : Self.separator
      byteCount &+= 1
    }
    positions &+= isColocated && tokenCount > 0 ? 0 : 1
    return bytes + byteCount
  }

  @inline(__always)
  func close(length: Int, start: Int, end: Int, kind: Token.Kind) {
    if tokenCount == recordCapacity { growRecords() }
    records[tokenCount] = Token(
      termStart: UInt32(truncatingIfNeeded: byteCount), start: UInt32(truncatingIfNeeded: start),
      end: UInt32(truncatingIfNeeded: end), termLength: UInt16(truncatingIfNeeded: length),
      kind: kind.contains(.colocated) && tokenCount == 0 ? kind.subtracting(.colocated) : kind)
    tokenCount &+= 1
    byteCount &+= length
  }

  @inline(__always)
  func append(_ term: UnsafePointer<UInt8>, length: Int, start: Int, end: Int, kind: Token.Kind) {
    open(length: length, kind: kind).update(from: term, count: length)
    close(length: length, start: start, end: end, kind: kind)
  }

  @inline(never)
  private func growBytes(by extra: Int) {
    let capacity = max(byteCapacity * 2, byteCount + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: bytes, count: byteCount)
    bytes.deallocate()
    bytes = larger
    byteCapacity = capacity
  }

  @inline(never)
  private func growRecords() {
    let larger = UnsafeMutablePointer<Token>.allocate(capacity: recordCapacity * 2)
    larger.update(from: records, count: tokenCount)
    records.deallocate()
    records = larger
    recordCapacity *= 2
  }
}
