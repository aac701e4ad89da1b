import PostgresAccess

/// New rows of a transaction that were not sent. Each table gets one statement with arrays, which is several times
/// faster than one statement for each row. Rows of different tables do not depend on each other.
struct NewRows {
  private var rows: [NewRow] = []
  /// The rows that replace the earlier one of their document.
  private var replacements: Set<Replacement> = []

  private struct Replacement: Hashable {
    let insertion: String
    let document: Int64
  }

  /// The rows that a statement inserts.
  private struct Group: Hashable {
    let insertion: String
    let shard: Int32
  }

  var count: Int { rows.count }
  var isEmpty: Bool { rows.isEmpty }

  /// Returns whether the collected rows must be inserted before another one: a statement cannot replace a row twice.
  func mustPrecede(_ row: NewRow) -> Bool {
    guard let replacement = NewRows.replacement(row) else { return false }
    return replacements.contains(replacement)
  }

  private static func replacement(_ row: NewRow) -> Replacement? {
    guard case .valueIndex(let row) = row, let document = row.replacedDocument else { return nil }
    return Replacement(insertion: row.insertion, document: document)
  }

  mutating func append(_ row: NewRow) {
    if let replacement = NewRows.replacement(row) { replacements.insert(replacement) }
    rows.append(row)
  }

  /// Removes the rows after the first ones.
  mutating func keepFirst(_ count: Int) { rows.removeSubrange(count...) }

  mutating func removeAll() {
    rows = []
    replacements = []
  }

  /// Returns the statements that insert a range of the rows.
  ///
  /// - Parameter dividing: whether the rows of each shard have their own.
  func statements(_ range: Range<Int>, dividing: Bool) -> [PostgresStatement] {
    var documents: [Int32: [NewDocument]] = [:]
    var indexRows: [Group: [NewIndexRow]] = [:]
    for row in rows[range] {
      switch row {
      case .document(let document): documents[dividing ? document.shard : 0, default: []].append(document)
      case .valueIndex(let row):
        indexRows[Group(insertion: row.insertion, shard: dividing ? row.shard : 0), default: []].append(row)
      }
    }
    let insertions = documents.sorted { $0.key < $1.key }.map { NewDocument.statement($0.value) }
    let groups = indexRows.sorted {
      ($0.key.insertion, $0.key.shard) < ($1.key.insertion, $1.key.shard)
    }
    return insertions + groups.map { NewIndexRow.statement($0.key.insertion, $0.value) }
  }
}

/// A new row that is inserted together with others.
enum NewRow {
  case document(NewDocument)
  case valueIndex(NewIndexRow)

  /// The approximate size in bytes.
  var size: Int {
    switch self {
    case .document(let document): document.body.utf8.count + 128
    case .valueIndex(let row): row.values.reduce(64) { $0 + $1.size }
    }
  }
}

/// A new document.
struct NewDocument {
  let collection: Int64
  let row: Int64
  /// The value of the column `shard`.
  let shard: Int32
  let id: String
  let sequence: Int64
  let revision: Int64
  let deleted: Int64
  let source: Int64?
  let expiration: Int64?
  let body: String

  /// Stands for NULL in arrays of numbers. It is neither the id of a source nor a valid time.
  private static let none = Int64.min

  fileprivate static func statement(_ rows: [NewDocument]) -> PostgresStatement {
    PostgresStatement(
      """
      INSERT INTO cx_doc (collection, row, shard, id, sequence, revision, deleted, source, expiration, body)
      SELECT c, r, h, i, s, v, d, nullif(o, \(NewDocument.none)), nullif(e, \(NewDocument.none)), b
      FROM unnest($1::int8[], $2::int8[], $3::int4[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
        $9::int8[], $10::text[]) AS t (c, r, h, i, s, v, d, o, e, b)
      """,
      [
        .int64s(rows.map(\.collection)), .int64s(rows.map(\.row)), .int32s(rows.map(\.shard)), .texts(rows.map(\.id)),
        .int64s(rows.map(\.sequence)), .int64s(rows.map(\.revision)), .int64s(rows.map(\.deleted)),
        .int64s(rows.map { $0.source ?? NewDocument.none }), .int64s(rows.map { $0.expiration ?? NewDocument.none }),
        .texts(rows.map(\.body)),
      ])
  }
}

/// A new row of a value index.
struct NewIndexRow {
  /// The statement that inserts rows. Its parameters are arrays with the values of a column.
  let insertion: String
  /// The document whose row the statement replaces; nil if it replaces none.
  let replacedDocument: Int64?
  /// The value of the column `shard`, if there is one.
  let shard: Int32
  /// The values of the columns: `int8`, `int4` or `bytea`.
  let values: [PostgresValue]

  fileprivate static func statement(_ insertion: String, _ rows: [NewIndexRow]) -> PostgresStatement {
    let first = rows.first?.values ?? []
    return PostgresStatement(
      insertion,
      first.indices.map { column -> PostgresValue in
        switch first[column] {
        case .int64: return .int64s(rows.map { $0.values[column].number })
        case .int32: return .int32s(rows.map { Int32(clamping: $0.values[column].number) })
        default: return .byteArrays(rows.map { $0.values[column].contents })
        }
      })
  }
}

extension PostgresValue {
  fileprivate var number: Int64 {
    switch self {
    case .int64(let number): return number
    case .int32(let number): return Int64(number)
    default: return 0
    }
  }

  fileprivate var contents: [UInt8] {
    guard case .bytes(let bytes) = self else { return [] }
    return bytes
  }
}
