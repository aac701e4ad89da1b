import DocumentStore
import PatternMatching
import TextAnalysis

/// CONTAINS: whether a text holds another one, equal by bytes or by a collation.
final class ContainsTest: TextTest {
  private let wanted: [UInt8]

  private init(_ wanted: [UInt8]) { self.wanted = wanted }

  /// - Parameter arguments: what is looked for, and the name of a collation.
  static func make(_ arguments: [QueryValue]) throws -> any TextTest {
    let wanted = arguments[0].string ?? ""
    guard let collator = try Collations.collator(arguments, at: 1) else { return ContainsTest(Array(wanted.utf8)) }
    let units = CollationUnits(collator)
    let numbers = wanted.withBytes { units.units(of: $0) }
    return CollatedTest(units, [.anyRun, .units(numbers), .anyRun])
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) -> Bool { ByteSearch.first(wanted, in: text) != nil }
}

/// LIKE by bytes.
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
      case .literal(let bytes): .units(bytes.withUnsafeBytes { units.units(of: $0) })
      }
    }
    return CollatedTest(units, parts)
  }

  func isSatisfied(by text: UnsafeRawBufferPointer) throws -> Bool {
    if pattern.matches(text, shouldEnd: LongCall.shouldEnd) { return true }
    // It may have been told to end. Of a short text nobody asks.
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

/// LIKE and CONTAINS by a collation, over the numbers that it gives to characters.
///
/// - Complexity: O(n · m) at worst: the last run before a mismatch takes in one unit more, those before it stay.
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
  /// The expression with the options that flags stand for.
  ///
  /// - Throws: `PatternError` for text that is no expression, and for letters that are no flags.
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
