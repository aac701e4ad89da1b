import Concordance
import Foundation
import Testing

/// English texts to search: their documents, and the words in them.
struct EnglishTexts: CustomTestStringConvertible {
  let name: String
  /// The texts, one per document.
  private let texts: [String]
  var testDescription: String { name }

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paragraphs of the handbook.
  static let handbook = EnglishTexts(
    name: "handbook",
    texts: files(in: repository.appendingPathComponent("Corpora/handbook"))
      .flatMap { $0.components(separatedBy: "\n\n") })

  /// The abstracts of the Cranfield collection: in the folder given by `CONCORDANCE_CRANFIELD`, or by default in
  /// `../shared/data/cranfield`; nil if it does not exist.
  static let cranfield: EnglishTexts? = {
    let path = ProcessInfo.processInfo.environment["CONCORDANCE_CRANFIELD"]
    let folder =
      path.map { URL(fileURLWithPath: $0) }
      ?? repository.deletingLastPathComponent()
      .appendingPathComponent("shared/data/cranfield")
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("documents.jsonl")) else { return nil }
    let texts = data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])?["text"] as? String
    }
    return EnglishTexts(name: "cranfield", texts: texts)
  }()

  static let absence = "the Cranfield collection was not found; set CONCORDANCE_CRANFIELD to its folder"

  /// All words of the texts that consist only of lowercase letters, with repetitions, in the order of the texts.
  var words: [String] {
    texts.flatMap { text in
      text.split { !$0.isLetter && !$0.isNumber && !"_'.-/".contains($0) }
        .filter { $0.allSatisfy { $0.isASCII && $0.isLowercase } }.map(String.init)
    }
  }

  /// Creates a database with one document per text and an English full-text index.
  func database() throws -> TemporaryDatabase {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(["text"], ignoreAccents: true, language: "en"))
    try files.database.inBatch {
      for (number, text) in texts.enumerated() {
        try files.collection.save(document: MutableDocument(id: "d\(number)").setString(text, forKey: "text"))
      }
    }
    return files
  }

  private static func files(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
  }
}
