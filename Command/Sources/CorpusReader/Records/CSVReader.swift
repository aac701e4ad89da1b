import JSONText

/// Reads a file with a header row. Each following row becomes a document whose properties are named by the header.
///
/// Cells are strings, unless their text is a number in canonical form (``CanonicalNumber``). Empty cells are omitted. A
/// row with more or fewer cells than the header is reported as a problem.
struct CSVReader {
  let identity: RecordIdentity
  let path: String
  let generatedID: GeneratedID
  let limit: Int
  /// Whether tabs separate cells (TSV); otherwise the header determines the separator.
  let isTabSeparated: Bool

  func read(_ source: ByteSource, buffer: ByteBuffer, body: DocumentSink, problem: ProblemSink) throws {
    let separator = isTabSeparated ? CSVSeparator(byte: UInt8(ascii: "\t")) : CSVSeparator(of: source.ahead)
    var rows = CSVRowReader(source, buffer: buffer, limit: limit, separator: separator.byte)
    if separator.isDeclared { _ = try rows.next() }
    let decoder = TextDecoder()
    var names: [String]?
    while let outcome = try rows.next() {
      do {
        switch outcome {
        case .tooLarge(let size):
          problem(.tooLarge(path, line: rows.line, what: "the row", size: size, limit: Int64(limit)))
        case .malformed(let reason):
          throw InvalidRecord(reason)
        case .unclosed:
          problem(CorpusProblem(path: path, line: rows.line, kind: .incomplete, reason: "a quote is not closed"))
        case .row:
          if rows.hasNUL { throw InvalidRecord.nulByte }
          if let names {
            let (record, id) = try document(rows, names: names, decoder: decoder)
            try record.withObject { json, root in
              try body(
                CorpusDocument(
                  id: id ?? generatedID.id(of: json, path: path, line: rows.line), json: json, line: rows.line,
                  hasContentID: id == nil && generatedID == .content), root)
            }
          } else {
            names = try header(rows, decoder: decoder)
          }
        }
      } catch let fault as InvalidRecord {
        problem(CorpusProblem(path: path, line: rows.line, kind: .invalidRecord, reason: fault.reason))
      }
      // Without a header, the properties of the rows have no names.
      if names == nil { return }
    }
  }

  /// Returns the names of the columns: `column3` for an empty name, `name_2` for a duplicate.
  private func header(_ row: CSVRowReader, decoder: TextDecoder) throws(InvalidRecord) -> [String] {
    let limit = CSVRowReader.maximumColumnCount
    guard row.count <= limit else {
      throw InvalidRecord("the header has \(row.count) columns, more than the limit of \(limit)")
    }
    var names: [String] = []
    var taken: Set<[UInt8]> = []
    // The last suffix of each name, so that a header with many equal names does not take quadratic time.
    var numbers: [[UInt8]: Int] = [:]
    for position in 0..<row.count {
      let name = try text(row.cell(position), decoder)
      let wanted = name.isEmpty ? "column\(position + 1)" : name
      var unique = wanted
      var number = numbers[Array(wanted.utf8)] ?? 1
      while !taken.insert(Array(unique.utf8)).inserted {
        number += 1
        unique = "\(wanted)_\(number)"
      }
      numbers[Array(wanted.utf8)] = number
      names.append(unique)
    }
    return names
  }

  private func document(
    _ row: CSVRowReader, names: [String], decoder: TextDecoder
  ) throws(InvalidRecord) -> (record: JSONObjectBuilder, id: String?) {
    guard row.count == names.count else {
      throw InvalidRecord("the row has \(row.count) \(row.count == 1 ? "cell" : "cells"), the header \(names.count)")
    }
    var record = JSONObjectBuilder()
    var ids: [String: String] = [:]
    for (position, name) in names.enumerated() {
      let cell = row.cell(position)
      if cell.isEmpty { continue }
      if name == "_id" || name == "id" || name == identity.idField { ids[name] = try text(cell, decoder) }
      if name == "_id" { continue }
      switch CanonicalNumber(cell) {
      case .integer(let number): record.add(name, number)
      case .double(let number): record.add(name, number)
      case nil where cell.withUnsafeBytes({ $0.isUTF8 }): cell.withUnsafeBytes { record.add(name, utf8: $0) }
      case nil: record.add(name, try text(cell, decoder))
      }
    }
    for name in [identity.idField, "_id", "id"] {
      guard let name, let value = ids[name] else { continue }
      return (record, try identity.validated(value, name))
    }
    return (record, nil)
  }

  private func text(_ cell: ArraySlice<UInt8>, _ decoder: TextDecoder) throws(InvalidRecord) -> String {
    let decoded: Result<String, UndecodableText> = cell.withUnsafeBytes { bytes in
      if bytes.isUTF8 { return .success(String(decoding: bytes, as: UTF8.self)) }
      return decoder.decode(bytes).map { String(decoding: $0, as: UTF8.self) }
    }
    switch decoded {
    case .success(let text): return text
    case .failure(let fault): throw InvalidRecord(fault.reason)
    }
  }
}
