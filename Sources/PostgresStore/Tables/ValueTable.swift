import PostgresAccess
import SQLiteAccess

/// The rows of a value index: the row of a document, sort keys `k0`, …, exact values `e0`, … and the output of a model.
///
/// In PostgreSQL, keys are bytes in their order (``SortableValue``); the column `types` has the byte of each key's type.
/// PostgreSQL's b-trees refuse entries of more than 2,704 bytes, so the index contains the beginnings of keys.
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
      let keys = (0..<keyCount).map { key in
        TableShape.Column("k\(key)", .sortable(prefix: prefixLength, number: key))
      }
      return TableShape(
        name: "concordance_vi_\(id)", remote: remote,
        columns: [TableShape.Column("doc", .integer)] + keys + (0..<keyCount).map { TableShape.Column("e\($0)", .any) }
          + (hasOutput ? [TableShape.Column("output", .any)] : []),
        row: isOfDocuments ? "doc" : "rowid", key: ["doc"], isOnCitus: isOnCitus)
    }
  }

  private let layout: Layout

  init(_ session: FrontSession, _ layout: Layout) {
    self.layout = layout
    super.init(session, layout.shape)
  }

  override var uniqueColumns: Set<Int> { layout.isOfDocuments ? [0] : [] }
  override var indexedColumns: Set<Int> { [0, 1] }
  override var estimatedRowCount: Double { 100_000 }

  override func rows(_ plan: TablePlan, _ arguments: SQLArguments) throws -> RowIterator? {
    guard let statement = plan.statement(shape, arguments) else { return nil }
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
    return session.nodes.all
  }

  override func node(ofRow row: Int64) -> Int {
    layout.isOfDocuments
      ? session.node(ofRow: row) : min(Int(clamping: row >> Layout.rowBits), session.nodes.all.upperBound - 1)
  }

  override func insert(row: Int64?, _ values: SQLArguments, _ resolution: ConflictResolution) throws -> Int64 {
    let document = values[0].int64
    let keys = (1..<1 + layout.keyCount).map { RemoteValue(values[$0]) }
    let others = (1 + layout.keyCount..<values.count).map { RemoteValue(values[$0]) }
    let (node, own) = (session.node(ofRow: document), try layout.valuesOnCitus(document, session))
    let names = ["doc", "types"] + shape.columns.dropFirst().map(\.name) + own.map(\.column)
    var text =
      "INSERT INTO \(layout.remote) (\(names.joined(separator: ", "))) VALUES "
      + "(\(names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))"
    if resolution == .replace, layout.isOfDocuments {
      let assignments = names.dropFirst().dropLast(own.count).map { "\($0) = excluded.\($0)" }
      text += " ON CONFLICT (\(layout.key)) DO UPDATE SET \(assignments.joined(separator: ", "))"
    }
    try session.enqueue(
      PostgresStatement(
        text,
        [.int64(document), .bytes(keys.map { SortableValue.type(of: $0) })]
          + keys.map { .bytes(SortableValue.encode($0)) } + others.map { .bytes(TaggedValue.encode($0)) }
          + own.map(\.value)),
      on: node)
    return document
  }

  override func update(row: Int64, _ values: SQLArguments, _ resolution: ConflictResolution) throws {
    throw PostgresError(.statement, "\(shape.name): rows of value indexes are replaced, not updated")
  }
}
