/// A document made from a file or from a record in one.
public struct CorpusDocument: Sendable, Hashable {
  /// The id: a file's path as shown, or what the record says.
  public let id: String
  /// The document, a JSON object as UTF-8 text.
  public let json: [UInt8]
  /// The line that the record begins on, counted from 1; nil for a file that is one document.
  public let line: Int?

  /// Makes a document.
  public init(id: String, json: [UInt8], line: Int? = nil) {
    self.id = id
    self.json = json
    self.line = line
  }
}

typealias DocumentSink = (CorpusDocument) throws -> Void
typealias ProblemSink = (CorpusProblem) -> Void
