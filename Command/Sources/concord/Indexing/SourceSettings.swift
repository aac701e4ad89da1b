import CorpusReader

/// How a file was read, as the database keeps it with the file.
struct SourceSettings {
  /// Goes up when the reader makes other documents of the same file.
  private static let version = "1"

  let format: CorpusFormat
  /// The property that holds the ids of records.
  let idField: String?

  init(format: CorpusFormat, idField: String?) {
    self.format = format
    self.idField = idField
  }

  /// Reads ``text``; nil for that of another version.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] == SourceSettings.version, let format = CorpusFormat(rawValue: String(parts[1]))
    else {
      return nil
    }
    self.format = format
    idField = parts.count == 3 && parts[2].hasPrefix("id=") ? String(parts[2].dropFirst(3)) : nil
  }

  /// The settings as text.
  var text: String {
    "\(SourceSettings.version) \(format.rawValue)" + (idField.map { " id=\($0)" } ?? "")
  }
}
