import Testing

@testable import JSONText

@Suite struct JSONDepthTests {
  private func exceeds(_ limit: Int, _ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { JSONDepth.exceeds(limit, in: $0) }
  }

  @Test func arraysAndObjectsAreLevels() {
    #expect(!exceeds(2, #"{"a":[1,2],"b":{},"c":[]}"#))
    #expect(exceeds(2, #"{"a":[1,{}],"b":1}"#))
    #expect(!exceeds(3, #"{"a":[1,{}],"b":1}"#))
    #expect(exceeds(1, "[[]]"))
    #expect(!exceeds(1, "[]    "))
  }

  /// The end of a string is found despite escaped quotation marks and reverse solidi before it.
  @Test func bracketsInStringsAreNotLevels() {
    #expect(!exceeds(1, #"["[[[[{{{{"]"#))
    #expect(!exceeds(1, #"["\"[[[[","\\","[[\\\"[["]"#))
    #expect(!exceeds(1, #"["","\\\\[[[["]"#))
    #expect(exceeds(1, #"["\\",[2]]"#))
    #expect(exceeds(1, #"["\\\\\"",[2]]"#))
  }
}
