import JSONText

/// A document made from a file or from one record of a file.
public struct CorpusDocument: Sendable, Hashable {
  /// The id: the displayed path of the file, or the id of the record.
  public let id: String
  /// The id to use if another document already has ``id``, such as the position of a message in its mailbox. Nil if two
  /// documents with the same id are an error.
  public let alternateID: String?
  /// The document, a JSON object as UTF-8 text.
  public let json: [UInt8]
  /// The line that the record begins on, counted from 1; nil for a file that is one document.
  public let line: Int?
  /// Whether ``alternateID``, or ``id`` if there is no alternate id, is derived from the content, because the document
  /// was read from a stream and has no id of its own. Copies of such a document have the same id.
  public let hasContentID: Bool
  /// The position of the record among those that begin on the same line, counted from 1.
  public let ordinal: Int

  /// Creates a document.
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

  /// Returns the path, line and ordinal, as in the id of a record without an id: `a.jsonl:12`; `a.json:1:2` for the
  /// second record that begins on the line; the path alone for a file that is one document.
  public func location(in path: String) -> String {
    line.map { RecordIdentity.location(path, line: $0, ordinal: ordinal) } ?? path
  }
}

typealias DocumentSink = (CorpusDocument, JSONElement) throws -> Void
typealias ProblemSink = (CorpusProblem) -> Void
