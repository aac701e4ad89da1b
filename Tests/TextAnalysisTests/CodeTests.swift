import Testing

@testable import TextAnalysis

@Suite struct CodeTests {
  private static let identifiers = [
    ("spin_lock_irqsave", "spin+spin_lock_irqsave|lock|irqsave"),
    ("getHTTPResponse2xx", "get+gethttpresponse2xx|http|response|2xx"),
    ("__init__", "init+__init__"), ("__", "__"), ("utf8", "utf+utf8|8"), ("0xFF 2xx", "0xff|2xx"),
    ("camelCase", "camel+camelcase|case"), ("HTTP Word word", "http|word|word"),
    ("a/b/c.txt", "a|b|c|txt"), ("std::vector<int>", "std|vector|int"),
    ("größeÄndern", "grosse+grosseandern|andern"),
  ]

  @Test(arguments: identifiers) func identifiersHaveParts(_ text: String, _ expected: String) throws {
    #expect(try Analysis(AnalyzerConfiguration(code: true)).stream(text) == expected)
  }

  @Test(arguments: identifiers)
  func identifiersNextToOtherCharactersHaveTheSameParts(_ text: String, _ expected: String) throws {
    let analysis = try Analysis(AnalyzerConfiguration(code: true))
    for mark in ["”", "\u{A0}", "…"] {
      #expect(analysis.stream(mark + text + mark) == expected, "\(mark)")
      #expect(analysis.stream(text + mark) == expected, "\(mark)")
    }
    #expect(analysis.stream("🎉" + text + "🎉") == "🎉|\(expected)|🎉")
  }

  @Test(arguments: [
    "spin_lock_irqsave", "spin lock", "lock irqsave", "irqsave", "x = spin_lock_irqsave flags",
  ])
  func queriesFindIdentifiers(_ query: String) throws {
    let analysis = try Analysis(AnalyzerConfiguration(code: true))
    #expect(analysis.finds(query, in: "x = spin_lock_irqsave(flags);"))
  }

  @Test func wholeIdentifierIsOneTerm() throws {
    let analysis = try Analysis(AnalyzerConfiguration(code: true))
    #expect(analysis.query("spin_lock") == ["spin_lock"])
    #expect(!analysis.finds("spin_lock", in: "spin lock"))
    #expect(analysis.query("spin_lock", prefix: true) == ["spin_lock*"])
    #expect(analysis.query("spin_lock x") == ["spin_lock", "lock", "x"])
    #expect(analysis.query("_x") == ["_x"])
  }

  /// A tatweel folds to nothing.
  @Test func identifierHasItsOwnPositionIfTheFirstPartFoldsToNothing() throws {
    let analysis = try Analysis(AnalyzerConfiguration(code: true))
    #expect(analysis.stream("\u{640}_foo") == "_foo|foo")
    #expect(analysis.buffer.positionCount == 2)
    #expect(analysis.stream("a \u{640}_foo b") == "a|_foo|foo|b")
    #expect(analysis.query("\u{640}_foo") == ["_foo"])
    #expect(analysis.query("\u{640}_foo b") == ["_foo", "foo", "b"])
    #expect(analysis.finds("a \u{640}_foo b", in: "x a \u{640}_foo b"))
  }

  @Test func firstTermOfABufferHasItsOwnPosition() {
    let buffer = TokenBuffer()
    for _ in 0..<2 {
      buffer.removeAll()
      let term: [UInt8] = [0x61, 0x62]
      term.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress else { return }
        buffer.append(bytes, length: 2, start: 0, end: 2, kind: [.colocated, .identifier])
        buffer.append(bytes, length: 1, start: 0, end: 1, kind: [.colocated, .stem])
      }
      #expect(buffer.tokens.map(\.isColocated) == [false, true])
      #expect(buffer.positionCount == 1)
    }
  }

  @Test func rangesCoverPartsAndWholeIdentifier() throws {
    let analysis = try Analysis(AnalyzerConfiguration(code: true))
    _ = analysis.stream("a spin_lock")
    #expect(analysis.buffer.tokens.map { [$0.start, $0.end] } == [[0, 1], [2, 6], [2, 11], [7, 11]])
    let query = analysis.tokenizer.queryTerms("a spin_lock", prefix: false)
    #expect(query.map { [$0.start, $0.end] } == [[0, 1], [2, 11]])
  }

  @Test func partsAreStemmedButIdentifiersAreNot() throws {
    let analysis = try Analysis(AnalyzerConfiguration(language: "en", code: true))
    #expect(analysis.stream("readLines") == "read+readlines|lines+line")
  }
}
