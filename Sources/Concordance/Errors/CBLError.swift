import DocumentStore
public import Foundation
import JSONText
import QueryModel
import TextAnalysis
import TextIndex

/// The error of every public call: a documented code for programs, and a message that says what went wrong, where, and
/// what to do.
///
/// ```swift
/// do {
///   try collection.save(document: hotel)
/// } catch let error as CBLError where error.code == CBLError.busy {
///   print(error.message)
/// }
/// ```
///
/// The codes are those of Couchbase Lite, so that programs that tell errors apart by number go on working.
///
/// It is an `NSError`, so `catch let error as NSError` works, too.
///
/// `@unchecked Sendable`, as `NSError` is: it never changes, so it needs no lock.
public final class CBLError: NSError, @unchecked Sendable {
  /// ``NSError/domain`` of every error of this library.
  public static let domain = "Concordance"

  /// What went wrong, where, and what to do.
  public var message: String { localizedDescription }

  /// The message.
  public override var description: String { message }

  init(_ code: Int, _ message: String) {
    super.init(domain: CBLError.domain, code: code, userInfo: [NSLocalizedDescriptionKey: message])
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }
}

extension CBLError {
  /// Something that this version does not do.
  public static let unsupported = 19
  /// The database or collection is not open, or was deleted.
  public static let notOpen = 6
  /// There is no such document, database or collection.
  public static let notFound = 7
  /// The document was changed since it was read.
  public static let conflict = 8
  /// A parameter has a value that is not allowed.
  public static let invalidParameter = 9
  /// Something that should not happen.
  public static let unexpectedError = 10
  /// The file cannot be opened.
  public static let cantOpenFile = 11
  /// Reading or writing the disk failed, or it is full.
  public static let ioError = 12
  /// The database is open for reading only, or its file may not be written.
  public static let notWriteable = 14
  /// The file is damaged.
  public static let corruptData = 15
  /// Another process was writing for longer than the timeout.
  public static let busy = 16
  /// A call that cannot be made inside a batch or while documents are being read.
  public static let transactionNotClosed = 18
  /// The file is no database of this library.
  public static let unreadableDatabase = 20
  /// The file has another format.
  public static let wrongFormat = 21
  /// The query cannot be understood.
  public static let invalidQuery = 23
  /// There is no such index.
  public static let missingIndex = 24
  /// The file was written by a newer version.
  public static let databaseTooNew = 28
  /// The document id is not allowed.
  public static let badDocID = 29
  /// The text is not JSON, or not an object.
  public static let invalidJSON = 17001
  /// A document cannot be read as the type that was asked for.
  public static let decodingError = 18001
  /// A value cannot be saved as a document.
  public static let encodingError = 18002
}

extension CBLError {
  /// Puts an error of the layers below into a public one; errors of the caller's own code pass unchanged.
  static func wrapping(_ error: any Error) -> any Error {
    switch error {
    case let error as StoreError: CBLError(code(of: error.kind), error.message)
    case let error as TextIndexError: CBLError(code(of: error.kind), error.message)
    case let error as JSONError: CBLError(invalidJSON, error.description)
    case let error as QuerySyntaxError: CBLError(invalidQuery, error.description)
    case let error as AnalyzerError: CBLError(invalidParameter, error.description)
    case let error as PropertyPathError: CBLError(invalidParameter, error.description)
    default: error
    }
  }

  private static func code(of kind: StoreError.Kind) -> Int {
    switch kind {
    case .notFound, .noSuchBlob: notFound
    case .cannotOpen: cantOpenFile
    case .notADatabase, .foreignDatabase: unreadableDatabase
    case .newerVersion: databaseTooNew
    case .corrupt: corruptData
    case .busy: busy
    case .diskFull, .io, .contentChanged: ioError
    case .readOnly: notWriteable
    case .closed, .noSuchCollection: notOpen
    case .badDocumentID: badDocID
    case .notJSON: invalidJSON
    case .tooLarge, .badName: invalidParameter
    case .conflict: conflict
    case .misuse: transactionNotClosed
    case .database: unexpectedError
    }
  }

  private static func code(of kind: TextIndexError.Kind) -> Int {
    switch kind {
    case .badDefinition, .badWeight: invalidParameter
    case .unknownField, .queryTooLarge: invalidQuery
    case .unsupported: unsupported
    case .outdated: corruptData
    }
  }
}

/// Runs `body` and turns what the layers below throw into ``CBLError``.
func withPublicErrors<T>(_ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch {
    throw CBLError.wrapping(error)
  }
}
