import JSONText
import Testing

@testable import QueryCompiler

/// Many readings of the properties of one document.
struct RepeatedReadingTests {
  private func read(_ reading: inout RepeatedReading, _ text: String, _ reader: RepeatedReader) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes in
      reading.value(in: bytes, reader).map { String(decoding: $0.text, as: UTF8.self) }
    }
  }

  @Test func propertyIsSearchedOncePerDocument() throws {
    var reading = RepeatedReading()
    let reader = RepeatedReader(PropertyReader(try PropertyPath("b")))
    let text = #"{"a": [1, 2], "b": "found"}"#
    for _ in 0..<2000 { #expect(read(&reading, text, reader) == "found") }
    #expect(reading.searchCount == RepeatedReading.threshold + 1)
    let other = RepeatedReader(PropertyReader(try PropertyPath("c")))
    for _ in 0..<2000 { #expect(read(&reading, text, other) == nil) }
    #expect(reading.searchCount == RepeatedReading.threshold + 2)
  }

  @Test func documentsOfTheSameLengthAreToldApart() throws {
    var reading = RepeatedReading()
    let readers = try ["a", "b"].map { RepeatedReader(PropertyReader(try PropertyPath($0))) }
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
    var reading = RepeatedReading()
    let reader = RepeatedReader(PropertyReader(try PropertyPath("a")))
    for length in [1, 30, 2, 29, 0] {
      let value = String(repeating: "x", count: length)
      for _ in 0..<40 { #expect(read(&reading, #"{"a": "\#(value)"}"#, reader) == value) }
    }
  }
}
