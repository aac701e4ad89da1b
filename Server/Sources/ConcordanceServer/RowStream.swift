@_spi(Command) import Concordance
import JSONText
import NIOCore

/// Writes rows in parts of at least 16 KiB. Rows may be large, so threads of the database format them.
struct RowStream: Sendable {
  /// The number of rows that are formatted at a time, which is the number that a query reads at a time.
  private static let batchCount = 64
  /// The size in bytes of the rows after which fewer rows are formatted.
  private static let batchSize = 256 << 10

  let database: Database
  let iterator: ResultRows.Iterator
  let first: Concordance.Result?
  let columns: [String]
  let format: RowFormat
  /// Returns messages about properties that are probably misspelt. Only JSON has a place for them.
  let warnings: @Sendable () async throws -> [String]

  func write(to sink: StreamSink) async throws {
    var buffer = head
    var iterator = iterator
    var batch = first.map { [$0] } ?? []
    var isAtEnd = batch.isEmpty
    var isFirst = true
    while !isAtEnd {
      var size = batch.reduce(0) { $0 + $1.size }
      while batch.count < RowStream.batchCount, size < RowStream.batchSize, !isAtEnd {
        guard let row = try await iterator.next() else {
          isAtEnd = true
          break
        }
        batch.append(row)
        size += row.size
      }
      var part = try await lines(of: batch, isFirst: isFirst)
      buffer.writeBuffer(&part)
      isFirst = false
      batch = []
      if buffer.readableBytes >= StreamSink.partSize {
        try await sink.send(buffer)
        buffer.clear()
      }
    }
    if format == .json {
      let warnings = try await warnings()
      var list = JSONWriter()
      list.array { list in warnings.forEach { list.write($0) } }
      buffer.writeString(warnings.isEmpty ? "]}" : "],\"warnings\":\(list.text)}")
    }
    if buffer.readableBytes > 0 { try await sink.send(buffer) }
  }

  /// The text before the first row.
  private var head: ByteBuffer {
    switch format {
    case .json:
      // Rows do not contain missing values, so the first row may lack a column.
      var names = JSONWriter()
      names.array { names in columns.forEach { names.write($0) } }
      return ByteBuffer(string: "{\"columns\":\(names.text),\"rows\":[")
    case .csv: return ByteBuffer(string: String(decoding: CSVLine.bytes(of: columns), as: UTF8.self) + "\r\n")
    case .ndjson: return ByteBuffer()
    }
  }

  private func lines(of rows: [Concordance.Result], isFirst: Bool) async throws -> ByteBuffer {
    guard !rows.isEmpty else { return ByteBuffer() }
    let (format, columns) = (format, columns)
    return try await database.async.perform { _ in
      var text = ByteBuffer()
      for (index, row) in rows.enumerated() {
        if format == .json, !isFirst || index > 0 { text.writeString(",") }
        text.writeString(format.line(of: row, columns: columns))
        switch format {
        case .json: break
        case .csv: text.writeString("\r\n")
        case .ndjson: text.writeString("\n")
        }
      }
      return text
    }
  }
}
