@_spi(Command) import Concordance
import CorpusReader
import DocumentFormats
import JSONText
import Testing

/// The result of reading a file.
struct Reading {
  var documents: [CorpusDocument] = []
  var problems: [CorpusProblem] = []

  var ids: [String] { documents.map(\.id) }
  var kinds: [CorpusProblem.Kind] { problems.map(\.kind) }
  var lines: [Int?] { problems.map(\.line) }
  var texts: [String] { documents.map(\.text) }

  /// Adds a document; fails if its parsed form differs from its text.
  mutating func add(_ document: CorpusDocument, _ root: JSONElement) throws {
    let parser = try JSONParser()
    let parsed = try document.json.withUnsafeBytes { JSONValue(try parser.parse($0)) }
    if JSONValue(root) != parsed { Issue.record("the parsed form differs from \(document.text)") }
    documents.append(document)
  }

  /// A member of the first document.
  subscript(key: String) -> JSONValue? {
    get throws {
      let document = try #require(documents.first)
      return try document.members()[key]
    }
  }
}

extension CorpusFileReader {
  /// Creates a reader that accepts the ids that a database accepts.
  convenience init(options: CorpusOptions = CorpusOptions()) throws {
    try self.init(options: options, checkID: DocumentImporter.checkID, extractor: InProcessExtractor())
  }
}

extension CorpusDocument {
  var text: String { String(decoding: json, as: UTF8.self) }

  /// The members; fails if the text is not a JSON object or a key occurs twice.
  func members() throws -> [String: JSONValue] {
    let parser = try JSONParser()
    let value = try json.withUnsafeBytes { JSONValue(try parser.parse($0)) }
    guard case .object(let members) = value else {
      Issue.record("not an object: \(text)")
      return [:]
    }
    let result = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    #expect(result.count == members.count, "a key occurs twice")
    return result
  }
}
