import PostgresAccess

/// The columns of a virtual table and of the table in PostgreSQL that has its rows.
struct TableShape {
  struct Column {
    let name: String
    let kind: ColumnKind
    /// The value of a new row for which the statement has none.
    let defaultValue: PostgresValue
    /// The size in bytes of the largest value that is read together with those of other rows, if values may have many
    /// megabytes. A result of several rows has an empty value instead of a larger one, which is read on its own; no
    /// value of the column is empty.
    let largestJoined: Int?

    /// The limits for the texts of documents and for the values of value indexes, of which more are read together.
    static let largestBody = 128 << 10
    static let largestKey = 8 << 10

    init(
      _ name: String, _ kind: ColumnKind, default defaultValue: PostgresValue = .null, largestJoined: Int? = nil
    ) {
      (self.name, self.kind, self.defaultValue, self.largestJoined) = (name, kind, defaultValue, largestJoined)
    }

    /// The expression that returns the value in a result of several rows.
    var selected: String {
      guard let largestJoined else { return complete }
      // The length of a value that is stored outside of its row is in the row.
      return "CASE WHEN octet_length(\(name)) > \(largestJoined) THEN '' ELSE \(complete) END"
    }

    /// The expression that returns the value, however large it is.
    var complete: String {
      if case .sortable(_, let number) = kind { return "\(name) || substring(types from \(number + 1) for 1)" }
      return name
    }

    /// The expression that is compared.
    var compared: String {
      if case .sortable(let length, _) = kind { "substring(\(name) from 1 for \(length))" } else { name }
    }

    /// The terms of ORDER BY.
    var ordered: [String] { compared == name ? [name] : [compared, name] }
  }

  /// The name for SQLite.
  let name: String
  /// The table in PostgreSQL.
  let remote: String
  let columns: [Column]
  /// The column in PostgreSQL that contains the number of the row.
  let row: String
  /// The columns of the key that OR REPLACE and OR IGNORE resolve.
  let key: [String]
  /// The sequence in PostgreSQL that numbers new rows; the number is also the first column. Nil if the server numbers
  /// them.
  var sequence: (name: String, step: Int64)?
  /// A condition that all rows of the table satisfy, such as `collection = 3`.
  var condition: String?
  /// Whether statements about rows also name the shard, as their last parameter; see ``Citus``.
  var isOnCitus = false

  /// The declaration of the columns for SQLite.
  var declaration: String { columns.map { "\($0.name) \($0.kind.declaration)" }.joined(separator: ", ") }

  /// The condition that selects a row by its number, as the last parameter, before that of the ``ShardFilter``.
  func rowCondition(_ parameter: Int) -> String {
    [condition, "\(row) = $\(parameter)", isOnCitus ? "shard = $\(parameter + 1)" : nil].compactMap(\.self)
      .joined(separator: " AND ")
  }
}

extension TableShape {
  /// The documents of a collection.
  static func documents(table: String, collection: Int64, isOnCitus: Bool) -> TableShape {
    TableShape(
      name: table, remote: "cx_doc",
      columns: [
        Column("id", .text), Column("sequence", .integer), Column("revision", .integer), Column("deleted", .integer),
        Column("source", .integer), Column("expiration", .integer),
        Column("body", .text, largestJoined: Column.largestBody),
      ], row: "row", key: ["collection", "id"], condition: "collection = \(collection)",
      isOnCitus: isOnCitus)
  }

  /// The tables whose rows are all read when a transaction begins.
  static let small = [
    TableShape(
      name: "concordance_meta", remote: "cx_meta", columns: [Column("key", .text), Column("value", .any)], row: "",
      key: ["key"]),
    TableShape(
      name: "concordance_collection", remote: "cx_collection",
      columns: [
        Column("id", .integer), Column("scope", .text), Column("name", .text), Column("table_name", .text),
        Column("last_sequence", .integer), Column("document_count", .integer),
      ], row: "id", key: ["id"], sequence: ("cx_collection_id", 1)),
    TableShape(
      name: "concordance_index", remote: "cx_index",
      columns: [
        Column("id", .integer), Column("collection", .integer), Column("name", .text), Column("kind", .text),
        Column("definition", .text), Column("analyzer_version", .text),
      ], row: "id", key: ["id"], sequence: ("cx_index_id", 1)),
  ]

  /// The other tables of the catalog.
  static let large = [
    TableShape(
      name: "concordance_source", remote: "cx_source",
      columns: [
        Column("id", .integer), Column("collection", .integer), Column("path", .text), Column("size", .integer),
        Column("modified", .integer), Column("settings", .text), Column("is_complete", .integer, default: .int64(0)),
      ], row: "id", key: ["id"], sequence: ("cx_source_id", 32)),
    TableShape(
      name: "concordance_replacement", remote: "cx_replacement",
      columns: [Column("winner", .integer), Column("loser", .integer)], row: "rowid", key: ["winner", "loser"]),
    TableShape(
      name: "concordance_blob", remote: "cx_blob",
      columns: [Column("id", .integer), Column("digest", .text), Column("length", .integer)], row: "id", key: ["id"],
      sequence: ("cx_blob_id", 1)),
    TableShape(
      name: "concordance_blob_chunk", remote: "cx_blob_chunk",
      columns: [Column("blob", .integer), Column("number", .integer), Column("content", .bytes)], row: "rowid",
      key: ["blob", "number"]),
    TableShape(
      name: "concordance_purge", remote: "cx_purge",
      columns: [Column("collection", .integer), Column("sequence", .integer), Column("id", .text)], row: "rowid",
      key: ["collection", "sequence"]),
    TableShape(
      name: "concordance_version", remote: "cx_version",
      columns: [Column("collection", .integer), Column("document", .integer), Column("vector", .bytes)], row: "rowid",
      key: ["collection", "document"]),
    TableShape(
      name: "concordance_conflict", remote: "cx_conflict",
      columns: [
        Column("collection", .integer), Column("document", .integer), Column("remote", .text),
        Column("vector", .bytes), Column("body", .text),
      ], row: "rowid", key: ["collection", "document", "remote"]),
    TableShape(
      name: "concordance_checkpoint", remote: "cx_checkpoint",
      columns: [
        Column("id", .text), Column("is_peer", .integer), Column("revision", .integer), Column("body", .text),
      ], row: "rowid", key: ["is_peer", "id"]),
  ]
}
