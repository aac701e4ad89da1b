import Foundation
import TextIndex
import Testing

@testable import TrigramIndex

/// Stored definitions, of which the current form is read without `JSONDecoder`.
@Suite struct PatternDefinitionTests {
  @Test(arguments: [
    #"{"patterns":["text","*"],"excluded":{"strings":["text"],"members":["path","modified"]}}"#,
    #"{"patterns":["text"]}"#, #"{"patterns":["a.b","c[]"],"skipsFiles":true}"#,
    #"{"patterns":["text"],"excluded":{"strings":["text"]}}"#, #"{"patterns":["text"],"excluded":null}"#,
    #"{"patterns":["text"],"patterns":["text"]}"#, #"{"other":1,"patterns":["na\u00efve"]}"#,
  ])
  func definitionsAgreeWithJSONDecoder(json: String) throws {
    let decoded = try JSONDecoder().decode(PatternIndexDefinition.self, from: Data(json.utf8))
    #expect(try PatternIndexDefinition(json: json) == decoded)
    #expect(try PatternIndexDefinition(json: decoded.json) == decoded)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"patterns":[]}"#, #"{"patterns":["text",1]}"#, #"{"patterns":["text","text"]}"#,
    #"{"patterns":["text"],"excluded":{"strings":[1]}}"#, #"{"patterns":"text"}"#, #"{"patterns":["text"]"#,
  ])
  func malformedDefinitionsAreRejected(json: String) {
    #expect(throws: (any Error).self) { try PatternIndexDefinition(json: json) }
  }
}
