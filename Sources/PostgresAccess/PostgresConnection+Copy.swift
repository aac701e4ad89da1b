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
    try begin("COPY \(target) FROM STDIN (FORMAT binary)", expecting: CPOSTGRES_COPY_IN)
    var waiting = ResultWait(self)
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
    try finish(&waiting)
  }

  private var copyPartLength: Int { 1 << 20 }

  private func begin(_ statement: String, expecting expected: Int32) throws {
    try finishRollback()
    roundTripCount += 1
    guard let result = functions.exec(connection, statement) else { throw lostConnection() }
    defer { functions.clear(result) }
    guard functions.resultStatus(result) == expected else { throw error(result, in: statement) }
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

  private func finish(_ waiting: inout ResultWait) throws {
    var failure: (any Error)?
    while let result = try waiting.next() {
      if functions.resultStatus(result) != CPOSTGRES_COMMAND_OK, failure == nil { failure = error(result) }
      functions.clear(result)
    }
    if let interruption = waiting.interruption { throw interruption }
    if let failure { throw failure }
  }
}
