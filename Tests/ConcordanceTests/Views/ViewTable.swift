import Concordance
import Foundation

/// Five documents whose keys are numbers in words, in the order in which they are saved.
struct NumberDocuments {
  let temporary: TemporaryDatabase
  let view: View

  static let ids = ["22222": "two", "44444": "four", "11111": "one", "33333": "three", "55555": "five"]

  init(_ name: String = "numbers") throws {
    temporary = try TemporaryDatabase()
    for id in ["22222", "44444", "11111", "33333", "55555"] {
      try temporary.save(id, "{\"key\":\"\(NumberDocuments.ids[id] ?? "")\"}")
    }
    view = temporary.collection.view(named: name)
    try view.setMap(version: "1") { document, emit in emit(document.string(forKey: "key"), nil) }
  }
}

extension ViewQuery {
  /// The keys of the rows.
  func keyTexts() throws -> [String] { try run().map { ($0.key as? String) ?? $0.keyJSON } }
  /// The ids of the rows.
  func ids() throws -> [String] { try run().map { $0.sourceDocumentID ?? "" } }
}
