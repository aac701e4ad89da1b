import Concordance
import Foundation
import Testing

/// English texts to search: their documents, and the words in them.
struct EnglishTexts: CustomTestStringConvertible {
  let name: String
  /// A document each.
  private let texts: [String]
  var testDescription: String { name }

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paragraphs of the handbook.
  static let handbook = EnglishTexts(
    name: "handbook",
    texts: files(in: repository.appendingPathComponent("Corpora/handbook"))
      .flatMap { $0.components(separatedBy: "\n\n") })

  /// The abstracts of the Cranfield collection: in the folder that `CONCORDANCE_CRANFIELD` names, else in
  /// `../shared/data/cranfield`; nil where it is not there.
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

  static let absence = "the Cranfield collection is not there; name its folder in CONCORDANCE_CRANFIELD"

  /// Every word of the texts that is made of small letters alone, as often as it occurs, in the order of the texts.
  var words: [String] {
    texts.flatMap { text in
      text.split { !$0.isLetter && !$0.isNumber && !"_'.-/".contains($0) }
        .filter { $0.allSatisfy { $0.isASCII && $0.isLowercase } }.map(String.init)
    }
  }

  /// A database with a document a text, searched with English stems.
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
