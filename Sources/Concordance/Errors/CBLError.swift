import CouchbaseLiteFile
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

/// The error that the public API throws: a code for programs, and a message that describes the problem and its
/// solution.
///
/// ```swift
/// do {
///   try collection.save(document: hotel)
/// } catch let error as CBLError where error.code == CBLError.busy {
///   print(error.message)
/// }
/// ```
///
/// ``domain`` and the codes are the same as in Couchbase Lite. `CBLError` is a subclass of `NSError`, so it can also be
/// caught with `catch let error as NSError`. Errors thrown by closures that the program passes, such as conflict
/// handlers, are rethrown unchanged, except by ``Database/inBatch(using:)`` and ``Database/migrate(_:)``.
///
/// `@unchecked Sendable`: it is immutable, as `NSError` is, so it needs no lock.
///
/// ## Topics
///
/// ### Contents
///
/// - ``message``
/// - ``underlyingError``
/// - ``isServerUnavailable``
/// - ``isDatabaseReplaced``
/// - ``isRowLimitExceeded``
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
  /// The error domain: `CouchbaseLite`, as in Couchbase Lite.
  public static let domain = "CouchbaseLite"

  /// A description of the problem, its location and its solution, in one sentence.
  public var message: String { localizedDescription }

  /// The error that caused this one, for example the error that the block of ``Database/inBatch(using:)`` threw; nil if
  /// there is none.
  public var underlyingError: (any Error)? { userInfo[NSUnderlyingErrorKey] as? any Error }

  /// The action that repairs the problem, if the library has one. A program can offer it to the user.
  public var recovery: Recovery? { userInfo[CBLError.recoveryKey] as? Recovery }

  /// The range of the error in the text of a query or in JSON text, in bytes of UTF-8; nil if the error has no
  /// position. It is empty for a position between two bytes, such as the end of the text.
  ///
  /// ```swift
  /// if let range = error.sourceRange { editor.underline(utf8: range) }
  /// ```
  public var sourceRange: Range<Int>? { userInfo[CBLError.sourceRangeKey] as? Range<Int> }

  /// Whether a PostgreSQL server is the cause: it cannot be reached (``cantOpenFile``), or the connection to it was
  /// lost (``ioError``). In the first case, the operation has changed nothing and can be repeated later.
  public var isServerUnavailable: Bool { userInfo[CBLError.serverKey] as? ServerFault == .unavailable }

  /// Whether the database is no longer the one that was opened: its file was deleted or replaced, or its tables on
  /// PostgreSQL were deleted or created again (``ioError``). It must be closed and opened again.
  public var isDatabaseReplaced: Bool { userInfo[CBLError.serverKey] as? ServerFault == .replaced }

  /// Whether a live query has more rows than its maximum (``invalidQuery``); see
  /// ``Query/differences(identifiedBy:minimumInterval:maximumRowCount:)``.
  public var isRowLimitExceeded: Bool { userInfo[CBLError.rowLimitKey] as? Bool == true }

  /// Whether the rows of a live query exceed the maximum size (``invalidQuery``).
  @_spi(Command) public var isSizeLimitExceeded: Bool { userInfo[CBLError.sizeLimitKey] as? Bool == true }

  /// The index of the invalid pattern among those of a search for lines (``invalidQuery``); nil if it is unknown.
  @_spi(Command) public var patternIndex: Int? { userInfo[CBLError.patternIndexKey] as? Int }

  /// What happened to the server or the database of an error.
  enum ServerFault {
    case unavailable, replaced

    init?(_ kind: StoreErrorKind) {
      switch kind {
      case .serverUnreachable, .connectionLost: self = .unavailable
      case .replaced: self = .replaced
      default: return nil
      }
    }
  }

  private static let serverKey = "ConcordanceServerFault"
  private static let rowLimitKey = "ConcordanceRowLimitExceeded"
  private static let sizeLimitKey = "ConcordanceSizeLimitExceeded"
  private static let patternIndexKey = "ConcordancePatternIndex"
  private static let recoveryKey = "ConcordanceRecovery"
  private static let sourceRangeKey = "ConcordanceSourceRange"

  /// The message.
  public override var description: String { message }

  /// Creates an error, for example in a program's own ``Endpoint``.
  ///
  /// - Parameters:
  ///   - code: one of the codes of this class.
  ///   - message: a message that says what happened to what, and what to do.
  public convenience init(code: Int, message: String) { self.init(code, message) }

  // Not inlined, because Swift 6.3.1 crashes when it optimizes `wrapping` with all copies.
  @inline(never)
  init(
    _ code: Int, _ message: String, recovery: Recovery? = nil, sourceRange: Range<Int>? = nil,
    serverFault: ServerFault? = nil, isRowLimitExceeded: Bool = false, isSizeLimitExceeded: Bool = false,
    patternIndex: Int? = nil
  ) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let recovery { userInfo[CBLError.recoveryKey] = recovery }
    if let sourceRange { userInfo[CBLError.sourceRangeKey] = sourceRange }
    if let serverFault { userInfo[CBLError.serverKey] = serverFault }
    if isRowLimitExceeded { userInfo[CBLError.rowLimitKey] = true }
    if let patternIndex { userInfo[CBLError.patternIndexKey] = patternIndex }
    if isSizeLimitExceeded { userInfo[CBLError.sizeLimitKey] = true }
    super.init(domain: CBLError.domain, code: code, userInfo: userInfo)
  }

  /// Creates an error with an underlying error, which is stored as `userInfo[NSUnderlyingErrorKey]`.
  init(_ code: Int, _ message: String, underlying: any Error) {
    super.init(
      domain: CBLError.domain, code: code,
      userInfo: [NSLocalizedDescriptionKey: message, NSUnderlyingErrorKey: underlying])
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }
}

extension CBLError {
  /// Converts an error of an internal module to a ``CBLError``. Other errors, for example those thrown by closures that
  /// the program passed, are returned unchanged.
  static func wrapping(_ error: any Error) -> any Error {
    switch error {
    case let error as StoreError:
      CBLError(
        code(of: error.kind), error.message, recovery: error.recovery, serverFault: ServerFault(error.kind))
    case let error as CouchbaseLiteFileError: CBLError(code(of: error.kind), error.message)
    case let error as TextIndexError: CBLError(code(of: error.kind), error.message, recovery: error.recovery)
    case let error as JSONError:
      CBLError(invalidJSON, error.description, sourceRange: error.offset.map { $0..<$0 })
    case let error as QuerySyntaxError:
      CBLError(invalidQuery, error.description, sourceRange: error.span.start..<error.span.end)
    case let error as QueryRuntimeError: CBLError(invalidQuery, error.description)
    case let error as JSONQueryError: CBLError(invalidQuery, error.description)
    case let error as QueryCompilationError: CBLError(code(of: error.kind), error.description)
    case let error as AnalyzerError: CBLError(invalidParameter, error.description)
    case let error as PropertyPathError: CBLError(invalidParameter, error.description)
    case let error as PatternError:
      CBLError(
        code(of: error.kind), error.description, recovery: recovery(of: error.kind), patternIndex: error.patternIndex)
    case let error as LineQueryError: CBLError(invalidQuery, error.description)
    case let error as EvaluationFileError: CBLError(invalidParameter, error.description)
    case let error as MeasureError: CBLError(invalidParameter, error.description)
    default: error
    }
  }

  /// Returns the error for a batch whose block has thrown an error.
  ///
  /// - Parameters:
  ///   - summary: the first part of the message.
  ///   - error: the error of the block. If it is the error of an inner batch, its underlying error is used.
  static func rolledBack(_ summary: String = "the batch was rolled back", by error: any Error) -> CBLError {
    let inner = (error as? CBLError).flatMap { $0.code == unexpectedError ? $0.underlyingError : nil }
    let cause = inner ?? error
    return CBLError(unexpectedError, "\(summary): \(message(of: cause))", underlying: cause)
  }

  /// Returns the message of an error of any type.
  static func message(of error: any Error) -> String {
    (error as? CBLError)?.message ?? (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }

  private static func code(of kind: StoreErrorKind) -> Int {
    switch kind {
    case .notFound, .noSuchBlob: notFound
    case .cannotOpen, .alreadyExists, .serverUnreachable: cantOpenFile
    case .notADatabase, .foreignDatabase, .foreignObject: unreadableDatabase
    case .newerVersion: databaseTooNew
    case .corrupt: corruptData
    case .busy, .inUse: busy
    case .diskFull, .io, .contentChanged, .connectionLost, .replaced: ioError
    case .readOnly: notWriteable
    case .closed, .noSuchCollection: notOpen
    case .badDocumentID: badDocID
    case .notJSON: invalidJSON
    case .tooLarge, .badName: invalidParameter
    case .conflict: conflict
    case .timeout: timeout
    case .unavailable: unsupported
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

  private static func code(of kind: CouchbaseLiteFileErrorKind) -> Int {
    switch kind {
    case .notFound: notFound
    case .notCouchbaseLite, .encrypted: unreadableDatabase
    case .unsupported: unsupported
    case .newerVersion: databaseTooNew
    case .damaged: corruptData
    case .changed: busy
    case .unreadable: cantOpenFile
    }
  }

  private static func recovery(of kind: PatternError.Kind) -> Recovery? {
    if case .timeLimit = kind { .raiseTimeLimit } else { nil }
  }

  private static func code(of kind: PatternError.Kind) -> Int {
    switch kind {
    case .syntax, .unsupportedOption: invalidQuery
    case .timeLimit, .matchLimit: timeout
    default: unexpectedError
    }
  }

  private static func code(of kind: TextIndexErrorKind) -> Int {
    switch kind {
    case .badDefinition, .badWeight, .badRanking: invalidParameter
    case .unknownField, .queryTooLarge: invalidQuery
    case .unsupported: unsupported
    case .outdated, .damaged, .segmentMissing: corruptData
    }
  }
}

/// Runs `body`, and converts errors of internal modules to ``CBLError``.
func withPublicErrors<T>(_ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch {
    throw CBLError.wrapping(error)
  }
}
