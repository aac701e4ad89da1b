import JSONText
import SQLiteAccess
import Testing

@testable import DocumentStore

/// The documented limit of 1,000 nested arrays and objects.
@Suite struct DocumentDepthTests {
  /// Texts of documents with nested arrays and objects. The innermost one is empty or contains a value.
  private func texts(_ depth: Int) -> [String] {
    let count = depth - 1
    return [
      String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth),
      #"{"a":"# + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}",
      #"{"\"[[":"\\","a":"# + String(repeating: "[", count: count) + "[[".quoted + String(repeating: "]", count: count)
        + "}",
    ]
  }

  @Test func thousandLevelsAreSavedAndMoreAreAnError() throws {
    let parser = try JSONParser()
    for text in texts(1000) {
      _ = try DocumentBody(checking: Array(text.utf8), parser: parser)
      _ = try DocumentBody(object: Array(text.utf8))
    }
    for text in texts(1001) + texts(1024) + texts(1030) {
      for check in [
        { _ = try DocumentBody(checking: Array(text.utf8), parser: parser) },
        { _ = try DocumentBody(object: Array(text.utf8)) },
      ] {
        let error = #expect(throws: StoreError.self) { try check() }
        #expect(error?.message == "arrays and objects are nested deeper than 1,000 levels")
      }
    }
  }

  @Test func siblingArraysDoNotCountAsNested() throws {
    let text = #"{"a":["# + Array(repeating: "[[]]", count: 3000).joined(separator: ",") + "]}"
    _ = try DocumentBody(object: Array(text.utf8))
  }
}

extension String {
  fileprivate var quoted: String { "\"\(self)\"" }
}
