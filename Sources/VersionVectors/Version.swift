/// A version of a document, identified by its author and the author's time.
///
/// The textual form is `1772d7a9c6a20000@AAAAAAAAAAAAAAAAAAAAAA`: the time in hexadecimal and the author in Base64. If
/// the author is the database that stores the version, `*` replaces it; this form is never written outside the file.
public struct Version: Hashable, Sendable {
  /// The time from a ``HybridClock``, in nanoseconds since 1970, from 1 to ``maximumTime``.
  public let time: UInt64
  /// The author; nil for the database that stores the version.
  public let author: SourceID?

  /// The maximum time, in the year 2116. It is limited to 62 bits because the binary form doubles time differences.
  public static let maximumTime: UInt64 = 1 << 62 - 1

  /// Creates a version. Returns nil if the time is 0 or later than ``maximumTime``.
  public init?(time: UInt64, author: SourceID?) {
    guard (1...Version.maximumTime).contains(time) else { return nil }
    self.time = time
    self.author = author
  }

  private init(first author: SourceID?) {
    time = 1
    self.author = author
  }

  /// Returns the version with the earliest time.
  public static func first(author: SourceID?) -> Version { Version(first: author) }

  /// Parses the textual form.
  ///
  /// - Throws: ``VersionError/malformed(_:)``.
  public init(text: some StringProtocol) throws(VersionError) {
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { throw .malformed(String(text)) }
    let digits = text[..<sign]
    let name = text[text.utf8.index(after: sign)...]
    let author = name == "*" ? nil : SourceID(text: name)
    guard (1...16).contains(digits.utf8.count), digits.utf8.allSatisfy(Version.isDigit),
      let time = UInt64(digits, radix: 16), (1...Version.maximumTime).contains(time),
      name == "*" || author != nil
    else { throw .malformed(String(text)) }
    self.time = time
    self.author = author
  }

  /// Returns the textual form.
  ///
  /// - Parameter localSource: the id to write if ``author`` is nil; nil to write `*`.
  public func text(localSource: SourceID? = nil) -> String {
    String(time, radix: 16) + "@" + ((author ?? localSource).map(\.description) ?? "*")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}

extension Version {
  /// Converts a revision id from Couchbase Lite 3 or earlier, such as `3-a1b2…`, to a version. The time is composed of
  /// the generation and the first 40 bits of the digest.
  ///
  /// - Throws: ``VersionError/malformed(_:)``.
  public init(revisionID: some StringProtocol) throws(VersionError) {
    let parts = revisionID.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let generation = UInt64(parts[0]), (1..<(1 << 22)).contains(generation),
      parts[1].utf8.allSatisfy(Version.isDigit), !parts[1].isEmpty
    else { throw .malformed(String(revisionID)) }
    let digits = parts[1].prefix(10)
    let digest = (UInt64(digits, radix: 16) ?? 0) << UInt64(4 * (10 - digits.count))
    time = generation << 40 | digest
    author = .revisionTree
  }
}

/// An error in a version or a vector.
public enum VersionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a version, a vector or a revision id.
  case malformed(String)
  /// The bytes are not a vector.
  case malformedBytes
  /// The vector has more entries than ``VersionVector/maximumCount``.
  case tooLong
  /// An author occurs twice in a vector.
  case repeatedAuthor
  /// The time is further in the future than ``HybridClock/maximumLead``.
  case timeInFuture(UInt64)

  /// A description of the error.
  public var description: String {
    switch self {
    case .malformed(let text): "\"\(text.prefix(80))\" is not a version"
    case .malformedBytes: "a stored version vector is malformed"
    case .tooLong: "a version vector has more than \(VersionVector.maximumCount) entries"
    case .repeatedAuthor: "an author occurs twice in a version vector"
    case .timeInFuture(let time):
      "the time of a version, \(time), is more than two minutes in the future; check the clocks of both machines"
    }
  }
}
