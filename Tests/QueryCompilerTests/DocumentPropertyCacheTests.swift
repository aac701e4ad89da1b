import JSONText
import Testing

@testable import QueryCompiler

/// Tests of repeated reads of properties of one document.
struct DocumentPropertyCacheTests {
  private func read(_ cache: inout DocumentPropertyCache, _ text: String, _ reader: CachedPropertyReader) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes in
      cache.value(in: bytes, reader).map { String(decoding: $0.text, as: UTF8.self) }
    }
  }

  @Test func propertyIsSearchedOncePerDocument() throws {
    var cache = DocumentPropertyCache()
    let reader = CachedPropertyReader(PropertyReader(try PropertyPath("b")))
    let text = #"{"a": [1, 2], "b": "found"}"#
    for _ in 0..<2000 { #expect(read(&cache, text, reader) == "found") }
    #expect(cache.searchCount == DocumentPropertyCache.threshold + 1)
    let other = CachedPropertyReader(PropertyReader(try PropertyPath("c")))
    for _ in 0..<2000 { #expect(read(&cache, text, other) == nil) }
    #expect(cache.searchCount == DocumentPropertyCache.threshold + 2)
  }

  @Test func documentsOfSameLengthAreDistinguished() throws {
    var cache = DocumentPropertyCache()
    let readers = try ["a", "b"].map { CachedPropertyReader(PropertyReader(try PropertyPath($0))) }
    for row in 100..<400 {
      // Between one read of a row and more reads than the threshold.
      for turn in 0...(row % 23) {
        #expect(
          read(&cache, #"{"a": "\#(row)", "b": "x\#(row)"}"#, readers[turn % 2])
            == (turn % 2 == 0 ? "\(row)" : "x\(row)"))
      }
    }
  }

  @Test func documentsOfDifferentLengthsAreDistinguished() throws {
    var cache = DocumentPropertyCache()
    let reader = CachedPropertyReader(PropertyReader(try PropertyPath("a")))
    for length in [1, 30, 2, 29, 0] {
      let value = String(repeating: "x", count: length)
      for _ in 0..<40 { #expect(read(&cache, #"{"a": "\#(value)"}"#, reader) == value) }
    }
  }
}
