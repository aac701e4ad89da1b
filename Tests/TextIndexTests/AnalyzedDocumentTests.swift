import JSONText
import Testing

@testable import TextIndex

/// The terms of documents, which share memory with those of other documents.
@Suite struct AnalyzedDocumentTests {
  /// Analyzes documents of all sizes, frees some of them, and compares the others with documents that were analyzed
  /// alone.
  @Test func documentsOfOneAnalysisKeepTheirTerms() throws {
    let index = try TestIndex(["a", "b"])
    let analysis = DocumentAnalysis(index.index)
    let parser = try JSONParser()
    var random = SeededGenerator(seed: 3)
    var documents: [Int: (json: String, terms: AnalyzedDocument)] = [:]
    for number in 0..<1000 {
      let length = number % 200 == 7 ? 20_000 : Int.random(in: 0..<60, using: &random)
      let words = (0..<length).map { _ in "w\(Int.random(in: 0..<2000, using: &random))" }.joined(separator: " ")
      let json = "{\"a\":\"\(words)\",\"b\":[\"x\(number)\",\"y\"]}"
      documents[number] = (json, try analysis.analyze(parser.parse(utf8: json)))
      documents[Int.random(in: 0...number, using: &random)] = nil
    }
    #expect(documents.count > 300)
    for (json, terms) in documents.values {
      let expected = try index.terms(json)
      #expect(terms == expected)
      #expect(terms.hashValue == expected.hashValue)
      #expect(terms.lengths == expected.lengths)
      #expect(terms.size == expected.size)
    }
  }

  @Test(arguments: [#"{"a":"x y","b":""}"#, #"{"a":"x","b":"z"}"#, #"{"a":"x"}"#, #"{"a":["x","y"]}"#])
  func documentsWithOtherTermsDiffer(json: String) throws {
    let index = try TestIndex(["a", "b"])
    #expect(try index.terms(#"{"a":"x","b":"y"}"#) != index.terms(json))
  }
}
