import Concordance
import Testing

/// Explanations of conditions with patterns.
@Suite struct PatternExplanationTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    let files = test
    try files.database.inBatch {
      for number in 0..<400 {
        try files.save(
          "d\(number)",
          #"{"n": \#(number), "text": "word\#(number) lock", "tags": [{"t": "tag\#(number % 50)x"}]}"#
        )
      }
    }
    try files.collection.createIndex(
      withName: "patterns", config: PatternIndexConfiguration(["text", "tags"]))
  }

  private func explanation(_ condition: String, _ parameters: Parameters? = nil) throws
    -> QueryExplanation
  {
    let query = try test.database.createQuery("SELECT META().id FROM _ WHERE \(condition)")
    query.parameters = parameters
    return try query.explanation()
  }

  @Test func trigramsCandidatesAndMatchesAreReported() throws {
    let step = try #require(try explanation("text LIKE '%word17%lock'").steps.first)
    #expect(step.candidateCount == 11)
    #expect(step.documentCount == 400)
    let pattern = try #require(step.patterns.first)
    #expect(pattern.condition == "text LIKE '%word17%lock'")
    #expect(pattern.index == "patterns")
    #expect(pattern.trigrams == #"("word17" AND "lock")"#)
    #expect(pattern.candidateCount == 11)
    #expect(pattern.verifiedCount == 11)
    #expect(pattern.unusedReason == nil)
  }

  /// An index on every string finds that all documents may match nearly any word.
  @Test func narrowestIndexIsUsed() throws {
    try test.collection.createIndex(withName: "everything", config: PatternIndexConfiguration(["*"]))
    try test.collection.createIndex(withName: "a", config: PatternIndexConfiguration(["*", "n"]))
    let step = try #require(try explanation("text LIKE '%word17%lock'").steps.first)
    #expect(step.patterns.map(\.index) == ["patterns"])
    #expect(
      step.unusedIndexes.map(\.reason) == [
        "\"patterns\" answers at least as many conditions", "\"patterns\" answers at least as many conditions",
      ])
  }

  @Test func candidatesThatDoNotMatchAreCounted() throws {
    let pattern = try #require(
      try explanation("REGEXP_CONTAINS(text, 'word17$|word8 ')").steps.first?.patterns.first)
    #expect(pattern.candidateCount == 12)
    #expect(pattern.verifiedCount == 1)
  }

  @Test func conditionInsideAnyCountsDocuments() throws {
    let pattern = try #require(
      try explanation("ANY t IN tags SATISFIES t.t LIKE '%tag17%' END").steps.first?.patterns.first)
    #expect(pattern.condition == "t.t LIKE '%tag17%'")
    #expect(pattern.verifiedCount == 8)
  }

  /// ANY also tests the members of an object, which an index on elements does not contain.
  @Test func conditionInsideAnyDoesNotUseAnIndexOnElements() throws {
    try test.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["text", "tags[].t"]))
    let step = try #require(try explanation("ANY t IN tags SATISFIES t.t LIKE '%tag17%' END").steps.first)
    #expect(step.patterns.isEmpty)
    #expect(step.unusedIndexes.first?.reason.hasSuffix("index the array itself: tags instead of tags[]") == true)
  }

  @Test(arguments: [
    ("text LIKE '%lock%'", "more than a quarter of the documents may match"),
    ("text LIKE '%ck%'", "the pattern requires no trigram"),
    ("text LIKE $like", "its pattern is a parameter without a string value"),
  ])
  func unusedIndexHasReason(condition: String, reason: String) throws {
    let explanation = try explanation(condition)
    #expect(explanation.steps.first?.patterns.map(\.unusedReason) == [reason])
    #expect(explanation.steps.first?.candidateCount == nil)
    #expect(explanation.description.contains("every document of _default._default is read"))
    #expect(explanation.description.contains("is not used for \(condition): \(reason)"))
  }

  @Test func parameterValuesAreUsed() throws {
    let text = try explanation(
      "text ILIKE $like", Parameters().setString("WORD399%", forName: "like")
    ).description
    #expect(text.contains("_: 1 of 400 documents of _default._default are read"), "\(text)")
    #expect(
      text.contains(#"index "patterns" for text ILIKE $like: candidates 1, verified 1"#), "\(text)")
    #expect(text.contains(#"trigrams: "word399""#), "\(text)")
  }

  @Test func jsonContainsTheSameValues() throws {
    let json = try explanation("text LIKE '%word17 %'").json
    #expect(json.contains(#""verifiedCount" : 1"#))
    #expect(json.contains(#""usesSeveralThreads" : false"#))
  }
}
