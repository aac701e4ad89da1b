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

  /// Parses a version or an old revision id.
  init(anyUTF8 text: ArraySlice<UInt8>) throws(VersionError) {
    if text.contains(UInt8(ascii: "@")) {
      try self.init(utf8: text)
    } else {
      try self.init(revisionID: String(decoding: text, as: UTF8.self))
    }
  }

  /// Returns whether this version is later than another one; versions with the same time are ordered by author.
  public func isLater(than other: Version) -> Bool {
    guard time == other.time else { return time > other.time }
    guard let author else { return false }
    return other.author.map { author > $0 } ?? true
  }

  private init(utf8 text: ArraySlice<UInt8>) throws(VersionError) {
    var time: UInt64 = 0
    var position = text.startIndex
    while position < text.endIndex, let digit = Version.value(ofDigit: text[position]) {
      // More than 16 digits are refused below.
      time = time << 4 | digit
      position += 1
    }
    let count = position - text.startIndex
    guard (1...16).contains(count), position < text.endIndex, text[position] == UInt8(ascii: "@"),
      (1...Version.maximumTime).contains(time)
    else { throw .malformed(String(decoding: text, as: UTF8.self)) }
    let name = text[(position + 1)...]
    let isLocal = name.count == 1 && name.first == UInt8(ascii: "*")
    author = isLocal ? nil : SourceID(utf8: name)
    guard isLocal || author != nil else { throw .malformed(String(decoding: text, as: UTF8.self)) }
    self.time = time
  }

  /// Returns the textual form.
  ///
  /// - Parameter localSource: the id to write if ``author`` is nil; nil to write `*`.
  public func text(localSource: SourceID? = nil) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(17 + SourceID.textLength)
    var shift = (63 - time.leadingZeroBitCount) / 4 * 4
    while shift >= 0 {
      let digit = UInt8(truncatingIfNeeded: time >> UInt64(shift)) & 0xF
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      shift -= 4
    }
    text.append(UInt8(ascii: "@"))
    if let author = author ?? localSource { author.appendText(to: &text) } else { text.append(UInt8(ascii: "*")) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func value(ofDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}

extension Version {
  /// The number of bits of a converted revision id's time that contain the digest.
  private static let digestBits: UInt64 = 40

  /// Whether both versions were converted from revision ids of the same generation but are different. Neither is an
  /// ancestor of the other, although one has the greater time.
  func isBranch(of other: Version) -> Bool {
    author == .revisionTree && other.author == .revisionTree && time != other.time
      && generation == other.generation
  }

  /// The generation of a converted revision id.
  var generation: UInt64 { time >> Version.digestBits }

  /// A version that includes all versions that were converted from revision ids of this generation: the first of the
  /// next generation. The last generation has none, and the version itself is returned.
  var nextGeneration: Version {
    Version(time: (generation + 1) << Version.digestBits, author: author) ?? self
  }

  /// Converts a revision id from Couchbase Lite 3 or earlier, such as `3-a1b2…`, to a version. The time is composed of
  /// the generation and the first 40 bits of the digest.
  ///
  /// - Throws: ``VersionError/malformed(_:)``.
  public init(revisionID: some StringProtocol) throws(VersionError) {
    let parts = revisionID.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    // `UInt64` also accepts a sign.
    guard parts.count == 2, parts[0].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let generation = UInt64(parts[0]), (1..<(1 << 22)).contains(generation),
      parts[1].utf8.allSatisfy({ Version.value(ofDigit: $0) != nil }), !parts[1].isEmpty
    else { throw .malformed(String(revisionID)) }
    let digits = parts[1].prefix(10)
    let digest = (UInt64(digits, radix: 16) ?? 0) << UInt64(4 * (10 - digits.count))
    time = generation << Version.digestBits | digest
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
  /// The current version is a converted revision id with this generation, whose time is in the future.
  case generationTooLarge(UInt64)

  /// A description of the error.
  public var description: String {
    switch self {
    case .malformed(let text): "\"\(text.prefix(80))\" is not a version"
    case .malformedBytes: "a stored version vector is malformed"
    case .tooLong: "a version vector has more than \(VersionVector.maximumCount) entries"
    case .repeatedAuthor: "an author occurs twice in a version vector"
    case .timeInFuture(let time):
      "the time of a version, \(time), is more than two minutes in the future; check the clocks of both machines"
    case .generationTooLarge(let generation):
      "the generation of the revision id, \(generation), is too large, because it would be a time in the future; "
        + "save the document under another id"
    }
  }
}
