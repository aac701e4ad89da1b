import Concordance
import Foundation
import JSONText
import QueryModel
import Synchronization

/// A condition in SQL++ on a single document, which need not be stored in a database.
///
/// ```swift
/// let condition = try DocumentCondition("type = 'hotel' AND stars > 3", database)
/// try condition.isSatisfied(by: document)
/// ```
///
/// To evaluate the condition without a collection, the document is passed as a parameter, and properties in the
/// condition become paths into this parameter: `type = 'hotel'` becomes `SELECT $document.type = 'hotel'`.
final class DocumentCondition: Sendable {
  /// Locked because a query can be executed with only one set of parameters at a time.
  private let query: Mutex<Query>

  private static let document = "document"
  private static let id = "id"

  /// - Parameters:
  ///   - text: the condition.
  ///   - database: any open database; the condition does not use its documents.
  /// - Throws: ``CBLError/invalidQuery`` if the condition is malformed; ``CommandFailure`` if it cannot be evaluated
  ///   for a single document.
  init(_ text: String, _ database: Database) throws {
    // Reports mistakes with their positions.
    _ = try database.createQuery("SELECT META().id FROM _ WHERE \(text)")
    let condition = try SQLParser().parseExpression(text)
    var fault: String?
    condition.visit { part in
      switch part {
      case .match, .rank: fault = "a full-text search"
      case .metadata(let field, _) where field != .id: fault = "META() other than META().id"
      case .parameter(let name): fault = "the parameter $\(name)"
      default: break
      }
    }
    if let fault { throw CommandFailure("--filter \"\(text)\" contains \(fault), which is not allowed in a filter") }
    let evaluated = condition.map { part in
      switch part {
      case .property(let path, _): .parameter(DocumentCondition.document).member(at: path.components)
      case .everything: .parameter(DocumentCondition.document)
      case .metadata: .parameter(DocumentCondition.id)
      default: part
      }
    }
    query = Mutex(try database.createQuery("SELECT (\(SQLPrinter().text(of: evaluated))) IS TRUE"))
  }

  /// Returns whether the condition is true for a document; false if it is false, null or missing.
  ///
  /// - Throws: ``CBLError`` if the condition cannot be evaluated, for example because the database was closed.
  func isSatisfied(by document: Document) throws -> Bool {
    try query.withLock { query in
      query.parameters = Parameters()
        .setValue(document.toDictionary(), forName: DocumentCondition.document)
        .setString(document.id, forName: DocumentCondition.id)
      return try query.execute().next()?.boolean(at: 0) ?? false
    }
  }
}
