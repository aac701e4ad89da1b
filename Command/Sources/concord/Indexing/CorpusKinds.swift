import CorpusReader

/// What a corpus is made of, which decides the fields of its index.
struct CorpusKinds: OptionSet {
  let rawValue: UInt8

  /// Files that are a document each: text, code, Markdown, HTML.
  static let files = CorpusKinds(rawValue: 1)
  /// Records that are a document each: JSON, JSONL, CSV, mail.
  static let records = CorpusKinds(rawValue: 2)
}

extension CorpusKinds {
  init(_ format: CorpusFormat) { self = format.holdsRecords ? .records : .files }

  /// The fields of an index for such a corpus. Of files it is known what they hold; a record may hold anything.
  var fields: [String] {
    (contains(.files) ? CorpusKinds.fileFields : []) + (contains(.records) ? [CorpusKinds.everyString] : [])
  }

  /// What an index with these fields was made for, by this version or an earlier one; nil when the user chose them.
  init?(fields: [String]) {
    let withPath =
      fields.starts(with: CorpusKinds.fieldsWithoutPath)
      ? CorpusKinds.fileFields + fields.dropFirst(CorpusKinds.fieldsWithoutPath.count) : fields
    guard
      let kinds = [CorpusKinds.files, .records, [.files, .records]].first(where: { $0.fields == withPath })
    else {
      return nil
    }
    self = kinds
  }

  /// The properties of a pattern index for such a corpus.
  var patterns: [String] {
    // Of files it would be the same without the rest; but records may follow.
    contains(.files)
      ? [CorpusKinds.text, CorpusKinds.everyString] : contains(.records) ? [CorpusKinds.everyString] : []
  }

  /// What a pattern index over these properties was made for; nil when the user chose them.
  init?(patterns: [String]) {
    guard
      let kinds = [CorpusKinds.files, .records].first(where: { $0.patterns == patterns })
    else {
      return nil
    }
    self = kinds
  }

  private static let text = "text"
  private static let fileFields = ["title", "name", path, text]
  /// What the fields were before paths were searched.
  private static let fieldsWithoutPath = ["title", "name", text]
  /// The field that the paths of files are searched in.
  static let path = "path"
  private static let everyString = "*"
}
