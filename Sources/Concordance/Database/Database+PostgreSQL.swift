import DocumentStore
import PostgresStore
import TextIndex
import TrigramIndex

extension Database {
  /// Opens a database on PostgreSQL, which `concord cluster init` or ``initialize(url:shards:)`` has created.
  ///
  /// ```swift
  /// let database = try Database(url: "postgresql://db.example.com/corpus")
  /// ```
  ///
  /// The server, user, password and TLS are found as by `psql`: from the URL, `PG…` variables, `pg_service.conf` and
  /// `.pgpass`. The package libpq5 must be installed. Documents, queries and indexes behave as in a file, with the
  /// limits that the handbook's page on PostgreSQL lists; an operation that is not available throws
  /// ``CBLError/unsupported``.
  ///
  /// - Parameters:
  ///   - url: the address, `postgresql://…`.
  ///   - config: the options. `directory`, `fullSync` and `pageCacheSize` have no effect.
  /// - Throws: ``CBLError/cantOpenFile`` if the server cannot be reached, ``CBLError/notFound`` if the database was not
  ///   initialized.
  public convenience init(url: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
    try Database.requireURL(url)
    let storage = try withPublicErrors { try PostgresStorage(url, busyTimeout: config.busyTimeout) }
    try self.init(path: storage.name, config: config, indexKinds: .standard, remote: storage)
    storage.merges.reportFailures { [log = engine.log] error in
      log.warning("segments cannot be merged; trying again after the next changes", error)
    }
  }

  /// Returns whether a text is the address of a database on PostgreSQL rather than the path of a file.
  public static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Creates the tables of a database on PostgreSQL, in the schema `concordance` of an existing database, or updates
  /// those that an older version has created.
  ///
  /// ```swift
  /// try Database.initialize(url: "postgresql://db.example.com/corpus", shards: 32)
  /// ```
  ///
  /// - Parameters:
  ///   - url: the address, `postgresql://…`.
  ///   - shards: the number of shards into which documents are divided: a power of two from 1 to 256. It cannot be
  ///     changed later.
  /// - Returns: false if the database was initialized before with the same number of shards.
  /// - Throws: ``CBLError``.
  @discardableResult
  public static func initialize(url: String, shards: Int = 1) throws -> Bool {
    try initialize(urls: [url], shards: shards)
  }

  /// Creates the tables of a database on several PostgreSQL servers, each of which has a part of the shards.
  ///
  /// ```swift
  /// try Database.initialize(
  ///   urls: ["postgresql://db1.example.com/corpus", "postgresql://db2.example.com/corpus"], shards: 32)
  /// let database = try Database(url: "postgresql://db1.example.com/corpus")
  /// ```
  ///
  /// The first server has the catalog and the addresses of the others, as they are given here; clients open the first
  /// address. Each server must allow prepared transactions (`max_prepared_transactions`).
  ///
  /// - Parameters:
  ///   - urls: the addresses, from 1 to 64. Only the first may contain a password, because the others are stored.
  ///   - shards: the number of shards, at least one for each server; by default 1 for one server, and the power of two
  ///     that is at least four for each of several.
  /// - Returns: false if the database was initialized before with the same servers and shards.
  /// - Throws: ``CBLError``.
  @discardableResult
  public static func initialize(urls: [String], shards: Int? = nil) throws -> Bool {
    for url in urls { try requireURL(url) }
    guard (1...maximumNodeCount).contains(urls.count) else {
      throw CBLError(CBLError.invalidParameter, "a database has from 1 to \(maximumNodeCount) servers")
    }
    if let position = urls.indices.first(where: { urls[..<$0].contains(urls[$0]) }) {
      throw CBLError(
        CBLError.invalidParameter,
        "the address number \(position + 1) is the same as an earlier one; each server of a database has its own")
    }
    let count = shards ?? defaultShardCount(nodeCount: urls.count)
    guard let layout = ShardLayout(count: count), count >= urls.count else {
      throw CBLError(
        CBLError.invalidParameter,
        "shards: \(count) is not possible; the number is a power of two from 1 to 256, and at least the number of servers"
      )
    }
    let storesPassword = try withPublicErrors {
      try urls.dropFirst().contains { try StoreAdministration.containsPassword($0) }
    }
    guard !storesPassword else {
      throw CBLError(
        CBLError.invalidParameter,
        "the address of a further server is stored in the database, so it must not contain a password; use .pgpass or a "
          + "service of pg_service.conf")
    }
    return try withPublicErrors { try StoreAdministration.initialize(urls, shards: layout) }
  }

  /// Creates the tables of a database on Citus, or updates those that an older version has created.
  ///
  /// ```swift
  /// try Database.initializeOnCitus(url: "postgresql://coordinator.example.com/corpus", shards: 32)
  /// ```
  ///
  /// Citus distributes the shards among its servers and can move them. Clients open the address of the coordinator. The
  /// extension must have been created in the database. This was tested with a substitute for Citus that enforces its
  /// rules, not with Citus.
  ///
  /// - Parameters:
  ///   - url: the address of the coordinator, `postgresql://…`.
  ///   - shards: the number of shards: a power of two from 1 to 256, at least the number of servers. It cannot be
  ///     changed later.
  /// - Returns: false if the database was initialized before with the same number of shards.
  /// - Throws: ``CBLError``.
  @discardableResult
  public static func initializeOnCitus(url: String, shards: Int = 32) throws -> Bool {
    try requireURL(url)
    guard let layout = ShardLayout(count: shards) else {
      throw CBLError(
        CBLError.invalidParameter, "shards: \(shards) is not possible; the number is a power of two from 1 to 256")
    }
    return try withPublicErrors { try StoreAdministration.initialize([url], shards: layout, onCitus: true) }
  }

  private static let maximumNodeCount = 64

  private static func defaultShardCount(nodeCount: Int) -> Int {
    guard nodeCount > 1 else { return 1 }
    return ShardLayout.counts.first { $0 >= 4 * nodeCount } ?? 256
  }

  /// Merges the segments of the full-text and pattern indexes of a database on PostgreSQL, so that searches read fewer
  /// of them.
  ///
  /// Writers are not blocked while segments are merged. Any number of processes may merge; one at a time works on an
  /// index.
  ///
  /// - Parameter all: whether all segments of each index and shard become one; by default, segments of similar size are
  ///   merged when there are many.
  /// - Returns: the number of segments that were written; nil if another process is merging some of the indexes.
  /// - Throws: ``CBLError``; ``CBLError/unsupported`` for a database in a file, whose indexes
  ///   ``performMaintenance(type:)`` merges.
  public func mergeSegments(all: Bool = false) throws -> Int? {
    try mergeSegments(all: all, retirementAge: FullTextMaintenance.retirementAge)
  }

  /// - Parameter retirementAge: the age in seconds at which rows of replaced segments are deleted.
  func mergeSegments(all: Bool, retirementAge: Double) throws -> Int? {
    try withPublicErrors {
      guard let storage = engine.store.remote as? PostgresStorage else {
        throw CBLError(CBLError.unsupported, "\(name): the database is in a file; optimize it instead")
      }
      let indexes = try engine.store.read { db in
        try CollectionCatalog.all(db).flatMap { collection -> [MergedIndex] in
          let fullText = try engine.schema(of: collection, db).fullTextIndexes.filter { !$0.isOutdated }
          return try fullText.map { .fullText($0) } + engine.patternIndexes(of: collection, db).map { .patterns($0.id) }
        }
      }
      var written: Int? = 0
      for index in indexes {
        let count = try storage.merge(index, all: all, retirementAge: retirementAge)
        written = written.flatMap { sum in count.map { sum + $0 } }
      }
      try storage.deleteRowsOfDroppedIndexes()
      try storage.dropOldValueTables()
      return written
    }
  }

  /// Throws an error if a text is not the address of a database on PostgreSQL.
  static func requireURL(_ text: String) throws {
    guard isURL(text) else {
      throw CBLError(
        CBLError.invalidParameter,
        "\"\(text)\" is not the address of a database on PostgreSQL; it begins with postgresql://")
    }
  }
}
