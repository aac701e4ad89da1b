import Concordance
import CorpusReader

/// The kinds of documents in a corpus, which determine the fields of its index.
struct CorpusKinds: OptionSet {
  let rawValue: UInt8

  /// Files that each become a document: text, code, Markdown, HTML.
  static let files = CorpusKinds(rawValue: 1)
  /// Records that each become a document: JSON, JSONL, CSV, mail.
  static let records = CorpusKinds(rawValue: 2)
}

extension CorpusKinds {
  init(_ format: CorpusFormat) {
    // Attachments are documents from files.
    self = format.isMail ? [.files, .records] : format.holdsRecords ? .records : .files
  }

  /// The fields of an index for such a corpus. The properties of files are known; a record may have any property.
  var fields: [String] {
    (contains(.files) ? CorpusKinds.fileFields : []) + (contains(.records) ? [CorpusKinds.everyString] : [])
  }

  /// Returns the kinds that an index with these fields was created for, by this version or an earlier one; nil if the
  /// user chose the fields.
  init?(fields: [String]) {
    let earlier = CorpusKinds.earlierFileFields.first { fields.starts(with: $0) }
    let current = earlier.map { CorpusKinds.fileFields + fields.dropFirst($0.count) } ?? fields
    guard
      let kinds = [CorpusKinds.files, .records, [.files, .records]].first(where: { $0.fields == current })
    else {
      return nil
    }
    self = kinds
  }

  /// The properties of a pattern index for such a corpus.
  var patterns: [String] {
    // For files, the other strings are not needed, but records may be added later.
    contains(.files)
      ? [CorpusKinds.text, CorpusKinds.everyString] : contains(.records) ? [CorpusKinds.everyString] : []
  }

  /// Returns the kinds that a pattern index over these properties was created for; nil if the user chose the
  /// properties.
  init?(patterns: [String]) {
    guard
      let kinds = [CorpusKinds.files, .records].first(where: { $0.patterns == patterns })
    else {
      return nil
    }
    self = kinds
  }

  private static let text = "text"
  private static let fileFields = ["title", "name", path, symbols, text]
  /// The fields of earlier versions: without `symbols`, and before that, also without `path`.
  private static let earlierFileFields = [["title", "name", path, text], ["title", "name", text]]
  /// The field with the names that source code defines.
  static let symbols = "symbols"
  /// The field with the paths of files.
  static let path = "path"
  private static let everyString = "*"

  /// The shape of documents that are created from files. If `text` is not a string, the document is a record with these
  /// properties, and all its strings are searched.
  static let fileShape = DocumentShape(
    strings: [text], members: ["path", "modified", "size", "type", "name"])
}
