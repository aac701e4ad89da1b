import CPostgres

extension PostgresConnection {
  /// Copies rows into a table; the fastest way to write many rows.
  ///
  /// - Parameters:
  ///   - target: the table and its columns, such as `cx_blk (shard, seg, bno, payload)`.
  ///   - rows: the rows, with fields of exactly the types of the columns.
  /// - Throws: ``PostgresError``.
  package func copy(into target: String, _ rows: PostgresCopyRows) throws {
    guard rows.count > 0 else { return }
    try finishRollback()
    var waiting = ResultWait(self)
    try begin("COPY \(target) FROM STDIN (FORMAT binary)", &waiting)
    try rows.buffer.withUnsafeBytes { bytes in
      var position = 0
      while position < bytes.count {
        let part = UnsafeRawBufferPointer(rebasing: bytes[position..<min(bytes.count, position + copyPartLength)])
        try put(part, &waiting)
        position += part.count
      }
    }
    // The trailer: a row of -1 fields.
    try [UInt8.max, .max].withUnsafeBytes { try put($0, &waiting) }
    while true {
      let state = functions.putCopyEnd(connection, nil)
      guard state >= 0 else { throw lostConnection() }
      // PQputCopyEnd returns 1 even if the end is still in the buffer of libpq because the socket was full.
      try waiting.flush()
      if state == 1 { break }
    }
    roundTripCount += 1
    try receiveRest(&waiting)
  }

  private var copyPartLength: Int { 1 << 20 }

  private func begin(_ statement: String, _ waiting: inout ResultWait) throws {
    roundTripCount += 1
    guard isConnected, functions.sendQuery(connection, statement) == 1, let result = try waiting.next() else {
      throw lostConnection()
    }
    defer { functions.clear(result) }
    guard functions.resultStatus(result) != CPOSTGRES_COPY_IN else { return }
    try receiveRest(&waiting, after: error(result, in: statement))
  }

  private func put(_ part: UnsafeRawBufferPointer, _ waiting: inout ResultWait) throws {
    while true {
      let state = functions.putCopyData(
        connection, part.bindMemory(to: CChar.self).baseAddress, Int32(clamping: part.count))
      if state == 1 { return try waiting.flush() }
      guard state == 0 else { throw lostConnection() }
      try waiting.flush()
    }
  }
}
