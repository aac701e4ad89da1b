import CPostgres

extension PostgresConnection {
  /// The oldest supported version: pipeline mode and the statements of the schema need nothing newer.
  private static let minimumVersion: Int32 = 13_00_00

  /// Checks the version and the encoding of the database.
  func requireSupport() throws {
    guard serverVersion >= PostgresConnection.minimumVersion else {
      throw PostgresError(
        .notConnected, "\(name): PostgreSQL \(serverVersion / 10_000) is too old; version 13 or later is needed")
    }
  }

  /// Returns the error of a result.
  func error(_ result: OpaquePointer, in text: String? = nil) -> PostgresError {
    guard let state = field(result, ResultField.state) else {
      return isConnected
        ? PostgresError(.statement, "\(name): \(PostgresConnection.trimmed(functions.resultErrorMessage(result)))")
        : lostConnection()
    }
    if state == PostgresError.notInPrerequisiteState, text?.hasPrefix("PREPARE TRANSACTION") == true {
      return PostgresError(
        .statement, state: state,
        "\(name): prepared transactions are disabled; set max_prepared_transactions = 20 in postgresql.conf and restart "
          + "the server")
    }
    var message = field(result, ResultField.message) ?? "error \(state)"
    if let detail = field(result, ResultField.detail) { message += " (\(detail))" }
    if let hint = field(result, ResultField.hint) { message += "; " + PostgresConnection.withoutPeriod(hint) }
    let kind = PostgresError.kind(state: state)
    // Errors of statements are errors of this library or of the schema, so the statement is needed to find them.
    if kind == .statement, let text { message += ", in the statement: \(text.prefix(400))" }
    return PostgresError(kind, state: state, "\(name): \(message)")
  }

  /// Returns the error for a connection that can no longer be used.
  func lostConnection() -> PostgresError {
    let reason =
      isAbandoned ? "the server does not answer" : PostgresConnection.trimmed(functions.errorMessage(connection))
    return PostgresError(
      .connectionLost, "\(name): the connection to PostgreSQL was lost\(reason.isEmpty ? "" : ": " + reason)")
  }

  /// The characters that identify a field of an error (`PG_DIAG_…`).
  private enum ResultField {
    static let state = Int32(UInt8(ascii: "C"))
    static let message = Int32(UInt8(ascii: "M"))
    static let detail = Int32(UInt8(ascii: "D"))
    static let hint = Int32(UInt8(ascii: "H"))
  }

  private func field(_ result: OpaquePointer, _ field: Int32) -> String? {
    functions.resultErrorField(result, field).map { String(cString: $0) }
  }

  /// Returns a message of libpq on one line, without the lines that begin with a tab: they continue a sentence or guess
  /// at the cause.
  static func trimmed(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "" }
    let lines = String(cString: message).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }
    return withoutPeriod(lines.map { $0.drop { $0.isWhitespace } }.joined(separator: "; "))
  }

  /// Returns a message that can be continued.
  private static func withoutPeriod(_ message: String) -> String {
    message.hasSuffix(".") ? String(message.dropLast()) : message
  }

  /// Calls `body` with a null-terminated array of C strings.
  static func withCStrings<T>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
  ) -> T {
    var bytes: [CChar] = []
    let offsets = strings.map { string in
      defer { bytes.append(contentsOf: string.utf8CString) }
      return bytes.count
    }
    return bytes.withUnsafeBufferPointer { bytes in
      let pointers = offsets.map { offset in bytes.baseAddress.map { $0 + offset } } + [nil]
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}
