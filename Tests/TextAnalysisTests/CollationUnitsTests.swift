import Testing

@testable import TextAnalysis

@Suite struct CollationUnitsTests {
  private let units: CollationUnits

  init() throws {
    units = CollationUnits(try Collator(CollationOptions(isUnicode: true, ignoresCase: true, ignoresAccents: true)))
  }

  private func numbers(_ text: String) -> [Int32] {
    Array(text.utf8).withUnsafeBytes { units.units(of: $0) }
  }

  private func numbers(ofLiteral text: String) -> [Int32] {
    Array(text.utf8).withUnsafeBytes { units.units(ofLiteral: $0) }
  }

  @Test func charactersOfLiteralsHaveTheNumbersOfEqualCharacters() {
    let first = numbers(ofLiteral: "ab")
    let second = numbers(ofLiteral: "Ñb")
    #expect(Set(first + second).count == 3)
    #expect(first[1] == second[1])
    #expect(numbers("ÁB") == first)
    #expect(numbers("nb") == second)
  }

  /// The texts of a scan contain any number of characters, so they must not need memory each.
  @Test func charactersThatAreInNoLiteralHaveTheSameNumber() {
    // Numbers that were returned before are not those of later literals.
    #expect(Set(numbers("abxy漢")).count == 1)
    let literal = numbers(ofLiteral: "ab")
    #expect(literal.count == 2)
    #expect(Set(numbers("xy漢é")).count == 1)
    #expect(Set(numbers("xy漢é")).isDisjoint(with: literal))
    #expect(numbers("xab").suffix(2) == literal[...])
  }
}
