import CorpusReader

/// How a file was read, as the database keeps it with the file: `2 jsonl`, `2 csv id=sku`, and `2 json:text` for a file that does not
/// parse as JSON and was read as text.
struct SourceSettings {
  /// Goes up when the reader makes other documents of the same file.
  private static let version = "2"

  /// The format that the name stands for, or the user.
  let format: CorpusFormat
  /// The property that holds the ids of records.
  let idField: String?
  /// Whether a file of records was read as one document.
  let isReadAsText: Bool

  init(format: CorpusFormat, idField: String?, isReadAsText: Bool = false) {
    self.format = format
    self.idField = idField
    self.isReadAsText = isReadAsText
  }

  /// Reads ``text``; nil for that of another version.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] == SourceSettings.version else { return nil }
    let name = parts[1].split(separator: ":", maxSplits: 1)
    guard let format = name.first.flatMap({ CorpusFormat(rawValue: String($0)) }) else { return nil }
    self.format = format
    isReadAsText = name.count == 2
    idField = parts.count == 3 && parts[2].hasPrefix("id=") ? String(parts[2].dropFirst(3)) : nil
  }

  /// The settings as text.
  var text: String {
    "\(SourceSettings.version) \(format.rawValue)" + (isReadAsText ? ":text" : "") + (idField.map { " id=\($0)" } ?? "")
  }
}
