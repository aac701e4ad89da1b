import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// An error response in the format `application/problem+json` (RFC 9457).
struct Problem: HTTPResponseError {
  var status: HTTPResponse.Status
  /// The error code for programs, such as `invalid_query`.
  var code: String
  /// A message that says what happened, to what, and what to do.
  var detail: String
  /// The invalid parameter or property of the request.
  var parameter: String?
  /// The position of an error in a query, in UTF-8 bytes.
  var range: Range<Int>?
  var headers: HTTPFields = [:]

  init(
    _ status: HTTPResponse.Status, _ code: String, _ detail: String, parameter: String? = nil,
    range: Range<Int>? = nil
  ) {
    (self.status, self.code, self.detail, self.parameter, self.range) = (status, code, detail, parameter, range)
  }

  static func invalidParameter(_ name: String, _ detail: String) -> Problem {
    Problem(.badRequest, "invalid_parameter", "\(name): \(detail)", parameter: name)
  }

  /// Returns the problem to report if a limit on concurrent work is reached.
  static func queueFull(_ detail: String) -> Problem {
    var problem = Problem(.serviceUnavailable, "queue_full", "\(detail); try again in a second")
    problem.headers[.retryAfter] = "1"
    return problem
  }

  static func notFound(_ detail: String) -> Problem { Problem(.notFound, "not_found", detail) }

  /// Returns the problem to report if a database file is no longer the file that the server opened. The server does not
  /// open the new file: the old file's write-ahead log has the same name, and SQLite would apply it to the new file.
  static func replaced(_ database: Database) -> Problem {
    guard !database.isOnPostgreSQL else { return createdAgain }
    return Problem(
      .serviceUnavailable, Problem.replacedCode,
      "the file for the database \"\(database.name)\" was deleted or replaced while it was open; stop the server, "
        + "delete the -wal and -shm files of the old file, and start the server again")
  }

  /// The problem to report if an operation finds that the database is not the one that was opened.
  private static let createdAgain = Problem(
    .serviceUnavailable, Problem.replacedCode,
    "the database was deleted, replaced or created again while it was open; start the server again")

  /// Returns the problem to report if the PostgreSQL server of a database is not available, without its address.
  ///
  /// - Parameter isRepeatable: whether the request has certainly changed nothing.
  static func serverUnavailable(isRepeatable: Bool) -> Problem {
    var problem = Problem(
      .serviceUnavailable, Problem.unavailableCode,
      isRepeatable
        ? "the PostgreSQL server of the database is not available, and nothing was changed; repeat the request later"
        : "the connection to the PostgreSQL server of the database was lost; repeat the request later, but if it "
          + "changes data, first read whether the change was saved")
    if isRepeatable { problem.headers[.retryAfter] = "5" }
    return problem
  }

  func response(from request: Request, context: some RequestContext) throws -> Response { response }

  /// The problem as JSON.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "about:blank")
      writer.member("title", status.reasonPhrase)
      writer.member("status", status.code)
      writer.member("code", code)
      writer.member("detail", detail)
      if let parameter { writer.member("parameter", parameter) }
      if let range {
        writer.object("position") { writer in
          writer.member("start", range.lowerBound)
          writer.member("end", range.upperBound)
        }
      }
    }
    return writer.bytes
  }

  /// The response.
  var response: Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}

extension Problem {
  /// Converts an error thrown by the library. Errors that the client cannot cause get status 500 and no details because
  /// their messages may contain paths; the caller logs them.
  init(_ error: any Error) {
    switch error {
    case let error as Problem: self = error
    case let error as CBLError: self.init(error)
    case let error as HTTPError:
      self.init(error.status, "http_error", error.body ?? error.status.reasonPhrase)
    case is CancellationError: self.init(.serviceUnavailable, "cancelled", "the request was cancelled")
    default: self.init(.internalServerError, "internal_error", Problem.internalDetail)
    }
  }

  /// Converts an error thrown by the library. If a time limit was exceeded, the message names the server's limit, which
  /// the client cannot change.
  init(_ error: any Error, limits: ServerLimits) {
    self.init(error)
    guard code == Problem.timeCode, let error = error as? CBLError else { return }
    let subject = error.message.firstRange(of: " took longer").map { error.message[..<$0.lowerBound] } ?? "the request"
    let limit = "\(limits.queryTimeout / .seconds(1))".replacing(/\.0$/, with: "")
    detail = "\(subject) took longer than \(limit) s, the limit of this server; narrow it down"
  }

  /// Whether the administrator of the server must be told, because the client is not the cause.
  var concernsServer: Bool {
    status == .internalServerError || status == Problem.insufficientStorage || code == Problem.unavailableCode
  }

  static let replacedCode = "database_replaced"
  private static let unavailableCode = "database_unavailable"
  private static let timeCode = "query_time_exceeded"

  private init(_ error: CBLError) {
    let cause = error.underlyingError as? CBLError ?? error
    if cause.isServerUnavailable {
      self = .serverUnavailable(isRepeatable: cause.code == CBLError.cantOpenFile)
      return
    }
    if cause.isDatabaseReplaced {
      self = .createdAgain
      return
    }
    let (status, code): (HTTPResponse.Status, String) =
      switch error.code {
      case CBLError.notFound: (.notFound, "not_found")
      case CBLError.conflict: (.preconditionFailed, "conflict")
      case CBLError.invalidParameter: (.badRequest, "invalid_parameter")
      case CBLError.invalidQuery: (.badRequest, "invalid_query")
      case CBLError.invalidQueryParam: (.badRequest, "unset_parameter")
      case CBLError.unsupported: (.badRequest, "unsupported")
      case CBLError.missingIndex: (.badRequest, "missing_index")
      case CBLError.badDocID: (.badRequest, "invalid_document_id")
      case CBLError.invalidJSON: (.badRequest, "invalid_json")
      case CBLError.timeout: (.serviceUnavailable, Problem.timeCode)
      case CBLError.busy: (.serviceUnavailable, "busy")
      case CBLError.notWriteable: (.forbidden, "read_only")
      case CBLError.ioError where error.recovery == .freeSpace: (Problem.insufficientStorage, "disk_full")
      default: (.internalServerError, "internal_error")
      }
    // These messages of the library contain the path of the database.
    let detail =
      switch error.code {
      case CBLError.busy: "another process has been writing to the database for too long; try again when it is done"
      case CBLError.notWriteable: "the database cannot be written"
      case _ where status == .internalServerError: Problem.internalDetail
      case _ where status == Problem.insufficientStorage: Problem.fullDetail
      default: error.message
      }
    self.init(status, code, detail, range: error.sourceRange)
    if error.code == CBLError.busy { headers[.retryAfter] = "1" }
  }

  /// RFC 4918, section 11.5.
  private static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
  /// Without the path of the database.
  private static let fullDetail = "the server's disk is full; nothing was written"
  private static let internalDetail = "the server could not process the request; its log contains the reason"
}
