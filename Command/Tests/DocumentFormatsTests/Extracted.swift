import DocumentBuilders
import DocumentFormats
import Foundation

/// The result of extracting a file.
struct Extracted {
  var parts: [ExtractedPart] = []
  var failures: [ExtractionFailure] = []
  /// The failure of the whole file.
  var fault: ExtractionFailure?

  init(
    _ bytes: [UInt8], named name: String, limits: ExtractionLimits = ExtractionLimits(),
    extractor: any DocumentExtracting = InProcessExtractor()
  ) throws {
    let path = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString + "-" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var (parts, failures): ([ExtractedPart], [ExtractionFailure]) = ([], [])
    do {
      try extractor.extract(path: path, name: name, limits: limits) {
        parts.append($0)
      } failure: {
        failures.append($0)
      }
    } catch let failure as ExtractionFailure {
      fault = failure
    }
    (self.parts, self.failures) = (parts, failures)
  }

  /// Extracts a ZIP archive with members of text, such as an office file.
  init(_ members: [(String, String)], named name: String) throws {
    try self.init(try ArchiveBuilder.archive(.zip, texts: members.map { (name: $0.0, text: $0.1) }), named: name)
  }

  var texts: [String] { parts.map { String(decoding: $0.content, as: UTF8.self) } }
}
