import DocumentStore
import PatternMatching
import TextAnalysis

/// CONTAINS: tests whether a string contains another one, compared by bytes or by a collation.
final class ContainsTest: TextTest {
  private let needle: [UInt8]

  private init(_ needle: [UInt8]) { self.needle = needle }

  /// - Parameter arguments: the text to find, and the name of a collation.
  static func make(_ arguments: [QueryValue]) throws -> any TextTest {
    let needle = arguments[0].string ?? ""
    guard let collator = try Collations.collator(arguments, at: 1) else { return ContainsTest(Array(needle.utf8)) }
    let units = CollationUnits(collator)
    let numbers = needle.withBytes { units.units(ofLiteral: $0) }
    return CollatedTest(units, [.anyRun, .units(numbers), .anyRun])
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) -> Bool { ByteSearch.first(needle, in: text) != nil }
}

/// LIKE, compared by bytes.
final class LikeTest: TextTest {
  private let pattern: LikePattern

  private init(_ pattern: LikePattern) { self.pattern = pattern }

  /// - Parameter arguments: the pattern, and the name of a collation.
  static func make(_ arguments: [QueryValue]) throws -> any TextTest {
    let pattern = LikePattern(arguments[0].string ?? "")
    guard let collator = try Collations.collator(arguments, at: 1) else { return LikeTest(pattern) }
    let units = CollationUnits(collator)
    let parts = pattern.tokens.map { token -> CollatedTest.Part in
      switch token {
      case .anyRun: .anyRun
      case .anyCharacter: .anyUnit
      case .literal(let bytes): .units(bytes.withUnsafeBytes { units.units(ofLiteral: $0) })
      }
    }
    return CollatedTest(units, parts)
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool {
    if pattern.matches(text, shouldEnd: LongCall.shouldEnd) { return true }
    // The match may have stopped because the query was cancelled. `shouldEnd` is not called for short texts.
    if text.count >= LongCall.interval { try LongCall.check() }
    return false
  }
}

/// ILIKE.
final class CaselessLikeTest: TextTest {
  private let matcher: CaselessLikeMatcher

  /// - Parameter arguments: the pattern.
  init(_ arguments: [QueryValue]) throws {
    matcher = try CaselessLikeMatcher(LikePattern(arguments[0].string ?? ""), shouldEnd: LongCall.shouldEnd)
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool { try matcher.matches(text) }
}

/// LIKE and CONTAINS with a collation. They compare the units that the collation assigns to characters.
///
/// - Complexity: O(n · m) in the worst case: after a mismatch, only the last run is extended by one unit.
final class CollatedTest: TextTest {
  enum Part {
    case units([Int32])
    case anyUnit
    case anyRun
  }

  private static let any: Int32 = -1
  private static let run: Int32 = -2

  private let units: CollationUnits
  private let pattern: [Int32]

  init(_ units: CollationUnits, _ parts: [Part]) {
    self.units = units
    pattern = parts.flatMap { part -> [Int32] in
      switch part {
      case .units(let numbers): numbers
      case .anyUnit: [CollatedTest.any]
      case .anyRun: [CollatedTest.run]
      }
    }
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool {
    let text = units.units(of: text)
    var call = LongCall()
    var (offset, index) = (0, 0)
    var retry: (offset: Int, index: Int)?
    while offset < text.count {
      try call.step()
      if index < pattern.count, pattern[index] == CollatedTest.run {
        index += 1
        retry = (offset, index)
      } else if index < pattern.count, pattern[index] == CollatedTest.any || pattern[index] == text[offset] {
        offset += 1
        index += 1
      } else if let last = retry {
        offset = last.offset + 1
        index = last.index
        retry = (offset, index)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == CollatedTest.run }
  }
}

/// REGEXP_CONTAINS and REGEXP_LIKE.
final class PatternTest: TextTest {
  private let matcher: PatternMatcher
  private let matchesWhole: Bool

  /// - Parameter arguments: the regular expression, and its flags.
  init(_ arguments: [QueryValue], matchesWhole: Bool) throws {
    let flags = arguments.count > 1 ? arguments[1].string : nil
    let pattern = try PatternCache.shared.pattern(arguments[0].string ?? "", flags: flags)
    matcher = try PatternMatcher(pattern, shouldEnd: LongCall.shouldEnd)
    self.matchesWhole = matchesWhole
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool {
    try matchesWhole ? matcher.matchesWhole(text) : matcher.matches(text)
  }
}

extension PatternCache {
  /// Returns the compiled regular expression with the options that the flags name.
  ///
  /// - Throws: `PatternError` for an invalid regular expression or unknown flags.
  func pattern(_ text: String, flags: String?) throws(PatternError) -> Pattern {
    try pattern(text, options: PatternOptions(flags: flags ?? ""))
  }
}

extension String {
  /// Calls `body` with the UTF-8 of this string.
  func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    var string = self
    return try string.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}
