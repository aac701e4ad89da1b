import Testing

@testable import TextAnalysis

@Suite struct IdeographTests {
  @Test(arguments: [
    ("東京都", "東京|京都|都"), ("京", "京"), ("東京タワー", "東京|京タ|タワ|ワー|ー"), ("今日は、元気", "今日|日は|は|元気|気"),
    ("SwiftでLinux", "swift|で|linux"), ("㌔", "キロ|ロ"), ("ｶﾞｷﾞ", "ガギ|ギ"), ("時々", "時々|々"),
    ("𠮷野家", "𠮷野|野家|家"), ("か\u{309A}な", "か\u{309A}な|な"), ("ジョン・スミス", "ジョ|ョン|ン|スミ|ミス|ス"),
  ])
  func ideographsGiveOverlappingBigrams(_ text: String, _ expected: String) throws {
    #expect(try Analysis().stream(text) == expected)
  }

  @Test(arguments: [
    ("東京", ["東京"]), ("東京都", ["東京", "京都"]), ("京", ["京*"]), ("東京 abc", ["東京", "京", "abc"]),
    ("gen-itgc后50", ["gen", "itgc", "后", "50"]), ("abc京", ["abc", "京*"]),
  ])
  func queriesGiveBigrams(_ text: String, _ expected: [String]) throws {
    #expect(try Analysis().query(text) == expected)
  }

  @Test func everySubstringOfRunIsFound() throws {
    let analysis = try Analysis()
    let run = Array("東京都庁舎")
    for start in run.indices {
      for end in start..<run.count {
        #expect(analysis.finds(String(run[start...end]), in: "これは東京都庁舎。"))
      }
    }
    #expect(!analysis.finds("京東", in: "東京都"))
    #expect(analysis.finds("東京abc", in: "大東京abc"))
  }

  /// Folding may lengthen a character with many marks to hundreds of bytes.
  @Test func longTermsEndAtCharacterBoundaries() throws {
    let analysis = try Analysis()
    let character = "漢\u{344}" + String(repeating: "\u{F77}", count: 19)
    _ = analysis.stream(character + character)
    let terms = analysis.buffer.tokens.map { Array(analysis.buffer.term($0)) }
    #expect(terms.contains { $0.count > 250 })
    for term in terms {
      #expect(term.count <= TokenBuffer.maximumTermLength)
      #expect(Array(String(decoding: term, as: UTF8.self).utf8) == term)
    }
  }

  @Test func longFoldedRunsKeepTheirBigrams() throws {
    let analysis = try Analysis()
    let count = 3 * IdeographRun.maximumCount + 7
    _ = analysis.stream(String(repeating: "ｶ", count: count))
    #expect(analysis.buffer.tokens.count == count)
    #expect(analysis.buffer.tokens.dropLast().allSatisfy { $0.kind == .bigram && $0.end - $0.start == 6 })
  }
}
