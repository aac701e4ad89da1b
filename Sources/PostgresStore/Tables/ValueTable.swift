import PostgresAccess
import SQLiteAccess

/// The rows of a value index: the row of a document, sort keys `k0`, …, exact values `e0`, … and the output of a model.
///
/// In PostgreSQL, keys are bytes in their order (``SortableValue``); the column `types` has the byte of each key's
/// type. PostgreSQL's b-trees refuse entries of more than 2,704 bytes, so the index contains the beginnings of keys.
final class ValueTable: RemoteTable {
  /// The description of the rows of an index.
  struct Layout: Hashable {
    let id: Int64
    let keyCount: Int
    let isOfDocuments: Bool
    let hasOutput: Bool
    let isOnCitus: Bool

    /// The table in PostgreSQL.
    var remote: String { "cx_vi_\(id)" }

    /// The length in bytes of the indexed beginning of each key.
    var prefixLength: Int { max(16, 2000 / max(1, keyCount)) }

    func prefix(_ key: Int) -> String { "substring(k\(key) from 1 for \(prefixLength))" }

    /// The maximum number of keys. PostgreSQL's b-trees have at most 32 columns, the last of which is the document.
    static let maximumKeyCount = 31

    /// The number of low bits of a row number; the others contain the node, unless the row is that of a document.
    static let rowBits: Int64 = 48

    /// The statements that create the table on a node.
    func creation(node: Int) -> [String] {
      let identity = "GENERATED ALWAYS AS IDENTITY (START WITH \(Int64(node) << Layout.rowBits + 1))"
      let owner = isOfDocuments ? "doc int8 PRIMARY KEY" : "rowid int8 \(identity) PRIMARY KEY, doc int8 NOT NULL"
      let columns =
        (isOnCitus ? columnsOnCitus : [owner]) + ["types bytea NOT NULL"]
        + (0..<keyCount).map { "k\($0) bytea NOT NULL, e\($0) bytea NOT NULL" }
        + (hasOutput ? ["output bytea NOT NULL"] : [])
      var statements = ["CREATE TABLE \(remote) (\(columns.joined(separator: ", ")))"]
      if keyCount > 0 {
        let keys = (0..<keyCount).map { prefix($0) } + ["doc"]
        statements.append("CREATE INDEX \(remote)_keys ON \(remote) (\(keys.joined(separator: ", ")))")
      }
      if !isOfDocuments { statements.append("CREATE INDEX \(remote)_doc ON \(remote) (doc)") }
      if isOnCitus { statements += [Citus.sequentialChanges, Citus.distribution(remote)] }
      return statements
    }

    var shape: TableShape {
      func column(_ name: String, _ kind: ColumnKind) -> TableShape.Column {
        TableShape.Column(name, kind, largestJoined: TableShape.Column.largestKey)
      }
      let keys = (0..<keyCount).map { column("k\($0)", .sortable(prefix: prefixLength, number: $0)) }
      let values = (0..<keyCount).map { column("e\($0)", .any) } + (hasOutput ? [column("output", .any)] : [])
      return TableShape(
        name: "concordance_vi_\(id)", remote: remote, columns: [TableShape.Column("doc", .integer)] + keys + values,
        row: isOfDocuments ? "doc" : "rowid", key: ["doc"], isOnCitus: isOnCitus)
    }
  }

  private let layout: Layout
  /// The statements that insert rows, by whether they replace the row of a document.
  private var insertions: [Bool: String] = [:]

  init(_ session: ConnectionSession, _ layout: Layout) {
    self.layout = layout
    super.init(session, layout.shape)
  }

  override var uniqueColumns: Set<Int> { layout.isOfDocuments ? [0] : [] }
  override var indexedColumns: Set<Int> { [0, 1] }
  override var estimatedRowCount: Double { 100_000 }

  override func rows(_ plan: TablePlan, _ arguments: SQLArguments) throws -> RowIterator? {
    guard let statement = try plan.statement(shape, arguments) else { return nil }
    let (nodes, order) = (nodes(plan, arguments), plan.mergeOrder(shape))
    guard let position = statement.columns.firstIndex(of: 0) else {
      return try RemoteRows.open(session, shape, statement, on: nodes, order: order)
    }
    // The documents of the rows are probably read next.
    return try RemoteRows.open(session, shape, statement, on: nodes, order: order) { [session] batch in
      session.documents.announce(
        (0..<batch.count).map { batch.int64($0, position + 1) }, of: nil, keepingOthers: nodes.count > 1)
    }
  }

  override func nodes(_ plan: TablePlan, _ arguments: SQLArguments) -> Range<Int> {
    if let index = plan.lookup(0) ?? (layout.isOfDocuments ? plan.lookup(-1) : nil), !plan.comparisons[index].isList,
      case .integer(let document) = RemoteValue(arguments[index])
    {
      let node = session.node(ofRow: document)
      return node..<node + 1
    }
    return session.nodes.shardNodes
  }

  override func node(ofRow row: Int64) -> Int {
    layout.isOfDocuments
      ? session.node(ofRow: row) : min(Int(clamping: row >> Layout.rowBits), session.nodes.shardNodes.upperBound - 1)
  }

  override func insert(row: Int64?, _ values: SQLArguments, _ resolution: ConflictResolution) throws -> Int64 {
    let document = values[0].int64
    let keys = (1..<1 + layout.keyCount).map { RemoteValue(values[$0]) }
    let others = (1 + layout.keyCount..<values.count).map { RemoteValue(values[$0]) }
    let (node, own) = (session.node(ofRow: document), try layout.valuesOnCitus(document, session))
    let names = ["doc", "types"] + shape.columns.dropFirst().map(\.name) + own.map(\.column)
    var fields: [PostgresValue] = [.int64(document), .bytes(keys.map { SortableValue.type(of: $0) })]
    fields += keys.map { PostgresValue.bytes(SortableValue.encode($0)) }
    fields += others.map { PostgresValue.bytes(TaggedValue.encode($0)) }
    fields += own.map(\.value)
    let isReplacing = resolution == .replace && layout.isOfDocuments
    let insertion =
      insertions[isReplacing]
      ?? layout.insertion(zip(names, fields).map { (name: $0, value: $1) }, isReplacing: isReplacing)
    insertions[isReplacing] = insertion
    let row = NewIndexRow(
      insertion: insertion, replacedDocument: isReplacing ? document : nil, shard: session.filter(node).value ?? 0,
      values: fields)
    try session.enqueue(NewRow.valueIndex(row), on: node)
    return document
  }

  override func update(row: Int64, _ values: SQLArguments, _ resolution: ConflictResolution) throws {
    throw PostgresError(.statement, "\(shape.name): rows of value indexes are replaced, not updated")
  }
}

extension ValueTable.Layout {
  /// Returns the statement that inserts rows, whose parameters are arrays.
  ///
  /// - Parameters:
  ///   - columns: the columns, and values with the types of the columns.
  ///   - isReplacing: whether the row of a document is replaced, if there is one.
  fileprivate func insertion(_ columns: [(name: String, value: PostgresValue)], isReplacing: Bool) -> String {
    let names = columns.map(\.name).joined(separator: ", ")
    let arrays = columns.enumerated().map { number, column -> String in
      switch column.value {
      case .int64: return "$\(number + 1)::int8[]"
      case .int32: return "$\(number + 1)::int4[]"
      default: return "$\(number + 1)::bytea[]"
      }
    }
    let text =
      "INSERT INTO \(remote) (\(names)) SELECT \(names) "
      + "FROM unnest(\(arrays.joined(separator: ", "))) AS t (\(names))"
    guard isReplacing else { return text }
    let assignments = columns.map(\.name).filter { !["doc", "shard"].contains($0) }.map { "\($0) = excluded.\($0)" }
    return "\(text) ON CONFLICT (\(key)) DO UPDATE SET \(assignments.joined(separator: ", "))"
  }
}
