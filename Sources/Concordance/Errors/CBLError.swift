import DocumentStore
public import Foundation
import JSONText
import LineSearch
import PatternMatching
import QueryCompiler
import QueryModel
import Relevance
public import SQLiteAccess
import TextAnalysis
import TextIndex

/// The error that public calls throw: a code for programs, and a message that says what went wrong, where, and what to
/// do.
///
/// ```swift
/// do {
///   try collection.save(document: hotel)
/// } catch let error as CBLError where error.code == CBLError.busy {
///   print(error.message)
/// }
/// ```
///
/// The codes are those of Couchbase Lite, so that programs that compare numbers continue to work. It is an `NSError`,
/// so `catch let error as NSError` works, too.
///
/// `@unchecked Sendable` without a lock, as `NSError` is: it is immutable.
///
/// ## Topics
///
/// ### Contents
///
/// - ``message``
/// - ``underlyingError``
/// - ``domain``
///
/// ### Arguments and documents
///
/// - ``invalidParameter``
/// - ``badDocID``
/// - ``invalidJSON``
/// - ``decodingError``
/// - ``encodingError``
/// - ``notFound``
/// - ``conflict``
///
/// ### Queries and indexes
///
/// - ``invalidQuery``
/// - ``invalidQueryParam``
/// - ``missingIndex``
/// - ``timeout``
///
/// ### Files and transactions
///
/// - ``notOpen``
/// - ``cantOpenFile``
/// - ``unreadableDatabase``
/// - ``corruptData``
/// - ``databaseTooNew``
/// - ``notWriteable``
/// - ``busy``
/// - ``ioError``
/// - ``transactionNotClosed``
/// - ``unexpectedError``
public final class CBLError: NSError, @unchecked Sendable {
  /// The error domain of this library's errors, that of Couchbase Lite: `CouchbaseLite`.
  public static let domain = "CouchbaseLite"

  /// What went wrong, where, and what to do, in one sentence.
  public var message: String { localizedDescription }

  /// The error that caused this one, such as the error of the block of ``Database/inBatch(using:)``; nil if there is
  /// none.
  public var underlyingError: (any Error)? { userInfo[NSUnderlyingErrorKey] as? any Error }

  /// What repairs the fault, if the library can: for programs that offer it.
  public var recovery: Recovery? { userInfo[CBLError.recoveryKey] as? Recovery }

  private static let recoveryKey = "ConcordanceRecovery"

  /// The message.
  public override var description: String { message }

  init(_ code: Int, _ message: String, recovery: Recovery? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let recovery { userInfo[CBLError.recoveryKey] = recovery }
    super.init(domain: CBLError.domain, code: code, userInfo: userInfo)
  }

  /// An error with another one that caused it, which is kept as `userInfo[NSUnderlyingErrorKey]`.
  init(_ code: Int, _ message: String, underlying: any Error) {
    super.init(
      domain: CBLError.domain, code: code,
      userInfo: [NSLocalizedDescriptionKey: message, NSUnderlyingErrorKey: underlying])
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }
}

extension CBLError {
  /// Puts an error of the layers below into a public one; errors of the caller's own code pass unchanged.
  static func wrapping(_ error: any Error) -> any Error {
    switch error {
    case let error as StoreError: CBLError(code(of: error.kind), error.message, recovery: error.recovery)
    case let error as TextIndexError: CBLError(code(of: error.kind), error.message, recovery: error.recovery)
    case let error as JSONError: CBLError(invalidJSON, error.description)
    case let error as QuerySyntaxError: CBLError(invalidQuery, error.description)
    case let error as JSONQueryError: CBLError(invalidQuery, error.description)
    case let error as QueryCompilationError: CBLError(code(of: error.kind), error.description)
    case let error as AnalyzerError: CBLError(invalidParameter, error.description)
    case let error as PropertyPathError: CBLError(invalidParameter, error.description)
    case let error as PatternError: CBLError(code(of: error.kind), error.description)
    case let error as LineQueryError: CBLError(invalidQuery, error.description)
    case let error as EvaluationFileError: CBLError(invalidParameter, error.description)
    default: error
    }
  }

  /// The error of a batch whose block threw `error`. That of an inner batch gives its cause.
  ///
  /// - Parameter what: what was rolled back.
  static func rolledBack(_ what: String = "the batch was rolled back", by error: any Error) -> CBLError {
    let inner = (error as? CBLError).flatMap { $0.code == unexpectedError ? $0.underlyingError : nil }
    let cause = inner ?? error
    return CBLError(unexpectedError, "\(what): \(message(of: cause))", underlying: cause)
  }

  /// The text for an error of any type.
  static func message(of error: any Error) -> String {
    (error as? CBLError)?.message ?? (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }

  private static func code(of kind: StoreErrorKind) -> Int {
    switch kind {
    case .notFound, .noSuchBlob: notFound
    case .cannotOpen, .alreadyExists: cantOpenFile
    case .notADatabase, .foreignDatabase, .foreignObject: unreadableDatabase
    case .newerVersion: databaseTooNew
    case .corrupt: corruptData
    case .busy, .inUse: busy
    case .diskFull, .io, .contentChanged: ioError
    case .readOnly: notWriteable
    case .closed, .noSuchCollection: notOpen
    case .badDocumentID: badDocID
    case .notJSON: invalidJSON
    case .tooLarge, .badName: invalidParameter
    case .conflict: conflict
    case .timeout: timeout
    case .misuse: transactionNotClosed
    case .database: unexpectedError
    }
  }

  private static func code(of kind: QueryCompilationErrorKind) -> Int {
    switch kind {
    case .invalid: invalidQuery
    case .missingIndex: missingIndex
    case .unsetParameter: invalidQueryParam
    case .unsupported: unsupported
    }
  }

  private static func code(of kind: PatternError.Kind) -> Int {
    switch kind {
    case .syntax, .unsupportedOption: invalidQuery
    default: unexpectedError
    }
  }

  private static func code(of kind: TextIndexErrorKind) -> Int {
    switch kind {
    case .badDefinition, .badWeight, .badRanking: invalidParameter
    case .unknownField, .queryTooLarge: invalidQuery
    case .unsupported: unsupported
    case .outdated, .damaged: corruptData
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
