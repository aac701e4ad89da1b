import JSONText
import TextAnalysis
import Testing

@testable import TextIndex

/// Matches and snippets of ASCII texts, of which only parts are tokenized, compared with those of the same texts with a
/// character at the end because of which they are tokenized as a whole.
@Suite struct HighlightPartsTests {
  private static let queries = [
    "lock", "lock*", "un*", "\"spin lock\"", "\"spin lock irq\"", "spin OR lock", "lock AND flags",
    "\"lock irq\" OR spin",
    "text: lock", "title: spin OR text: irq", "\"spin lo\" *", "NEAR(spin irq, 2)", "^spin OR lock", "lock NOT spin",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    let words = [
      "spin", "lock", "Lock", "unlock", "spin_lock", "spinLock", "irq", "IRQ", "flags", "don't", "x", "the", "of",
      "1.5",
      "lock's", "a.lock", "(lock)", "--", "lock,irq", "\\n", "memory", "barrier", "kernel", "state",
    ]
    let filler = ["memory", "barrier", "kernel", "state", "return", "value", "device", "struct", ";", "{", "}", "0x1f"]
    let count = Int.random(in: 0...120, using: &random)
    return (0..<count).map { _ in
      (Int.random(in: 0..<8, using: &random) == 0 ? words : filler).randomElement(using: &random) ?? ""
    }.joined(separator: " ")
  }

  @Test(arguments: [AnalyzerConfiguration(), AnalyzerConfiguration(code: true), AnalyzerConfiguration(language: "en")])
  func partsHaveTheMatchesOfTheWholeText(configuration: AnalyzerConfiguration) throws {
    let index = try TestIndex(["title", "text"], configuration)
    var random = SeededGenerator(seed: 148)
    var matchCount = 0
    for round in 0..<150 {
      let (title, text) = (Self.text(&random), Self.text(&random))
      for query in Self.queries {
        // Both ends have the same number of bytes.
        func result(_ end: String) throws -> String {
          let (matches, snippets) = try index.highlight(
            query, "{\"title\":\"\(title)\(end)\",\"text\":\"\(text)\(end)\"}")
          matchCount += matches.count
          return "\(matches) \(snippets)".replacing(" é", with: " zz")
        }
        #expect(try result(" zz") == result(" é"), "round \(round), \(query): \(title) / \(text)")
      }
    }
    #expect(matchCount > 1000)
  }
}
