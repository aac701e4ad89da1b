import JSONText
import Testing

@testable import QueryCompiler

/// Many readings of the properties of one document.
struct RepeatedReadingTests {
  private func read(_ reading: inout DocumentPropertyCache, _ text: String, _ reader: CachedPropertyReader) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes in
      reading.value(in: bytes, reader).map { String(decoding: $0.text, as: UTF8.self) }
    }
  }

  @Test func propertyIsSearchedOncePerDocument() throws {
    var reading = DocumentPropertyCache()
    let reader = CachedPropertyReader(PropertyReader(try PropertyPath("b")))
    let text = #"{"a": [1, 2], "b": "found"}"#
    for _ in 0..<2000 { #expect(read(&reading, text, reader) == "found") }
    #expect(reading.searchCount == DocumentPropertyCache.threshold + 1)
    let other = CachedPropertyReader(PropertyReader(try PropertyPath("c")))
    for _ in 0..<2000 { #expect(read(&reading, text, other) == nil) }
    #expect(reading.searchCount == DocumentPropertyCache.threshold + 2)
  }

  @Test func documentsOfTheSameLengthAreToldApart() throws {
    var reading = DocumentPropertyCache()
    let readers = try ["a", "b"].map { CachedPropertyReader(PropertyReader(try PropertyPath($0))) }
    for row in 100..<400 {
      // From one reading of a row to more than the threshold.
      for turn in 0...(row % 23) {
        #expect(
          read(&reading, #"{"a": "\#(row)", "b": "x\#(row)"}"#, readers[turn % 2])
            == (turn % 2 == 0 ? "\(row)" : "x\(row)"))
      }
    }
  }

  @Test func documentsOfDifferentLengthsAreToldApart() throws {
    var reading = DocumentPropertyCache()
    let reader = CachedPropertyReader(PropertyReader(try PropertyPath("a")))
    for length in [1, 30, 2, 29, 0] {
      let value = String(repeating: "x", count: length)
      for _ in 0..<40 { #expect(read(&reading, #"{"a": "\#(value)"}"#, reader) == value) }
    }
  }
}
