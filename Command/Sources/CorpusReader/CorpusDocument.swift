/// A document made from a file or from a record in one.
public struct CorpusDocument: Sendable, Hashable {
  /// The id: a file's path as shown, or what the record says.
  public let id: String
  /// The id to use where another document has ``id``: that of a mail by its place in the mailbox. Nil where two documents with one
  /// id are a mistake.
  public let alternateID: String?
  /// The document, a JSON object as UTF-8 text.
  public let json: [UInt8]
  /// The line that the record begins on, counted from 1; nil for a file that is one document.
  public let line: Int?
  /// Whether the last of the ids is made of the content, since the document has none of its own and is not of a file. Copies of it have
  /// the same id.
  public let hasContentID: Bool
  /// Which of the records that begin on the line it is, counted from 1.
  public let ordinal: Int

  /// Makes a document.
  public init(
    id: String, alternateID: String? = nil, json: [UInt8], line: Int? = nil, ordinal: Int = 1,
    hasContentID: Bool = false
  ) {
    self.id = id
    self.alternateID = alternateID
    self.json = json
    self.line = line
    self.ordinal = ordinal
    self.hasContentID = hasContentID
  }

  /// The path, line and ordinal, as in the id of a record that has none of its own: `a.jsonl:12`; `a.json:1:2` for the second
  /// record that begins on the line; the path alone for a file that is one document.
  public func location(in path: String) -> String {
    line.map { RecordIdentity.location(path, line: $0, ordinal: ordinal) } ?? path
  }
}

typealias DocumentSink = (CorpusDocument) throws -> Void
typealias ProblemSink = (CorpusProblem) -> Void
