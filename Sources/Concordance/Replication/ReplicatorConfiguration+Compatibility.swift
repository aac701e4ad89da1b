/// The initializers, methods and properties of Couchbase Lite 2.x and 3.x.
extension ReplicatorConfiguration {
  /// Creates a configuration without collections, which are added with ``addCollection(_:config:)``.
  @available(*, deprecated, message: "use init(collections:target:)")
  public init(target: any Endpoint) { self.init(collections: [], target: target) }

  /// Adds a collection. If it was added before, its options are replaced.
  ///
  /// - Parameters:
  ///   - collection: the collection.
  ///   - config: its options; nil for the default.
  @available(*, deprecated, message: "use init(collections:target:)")
  public mutating func addCollection(_ collection: Collection, config: CollectionConfiguration? = nil) {
    collections.removeAll { $0.collection == collection }
    collections.append(CollectionConfiguration(collection, options: config ?? CollectionConfiguration()))
  }

  /// Adds collections with the same options.
  @available(*, deprecated, message: "use init(collections:target:)")
  public mutating func addCollections(_ collections: [Collection], config: CollectionConfiguration? = nil) {
    for collection in collections { addCollection(collection, config: config) }
  }

  /// Creates the configuration for the default collection of a database, as in Couchbase Lite 2.x and 3.0.
  ///
  /// ```swift
  /// var config = ReplicatorConfiguration(database: hotels, target: DatabaseEndpoint(database: backup))
  /// config.pushFilter = { document, flags in document.boolean(forKey: "published") }
  /// ```
  ///
  /// If the default collection cannot be read, for example because the database is closed, the configuration has no
  /// collection, and creating a ``Replicator`` throws an error.
  @available(*, deprecated, message: "use init(collections:target:)")
  public init(database: Database, target: any Endpoint) {
    let collection = try? database.defaultCollection()
    self.init(collections: collection.map { [CollectionConfiguration(collection: $0)] } ?? [], target: target)
  }

  /// The options of the default collection, which are part of the configuration itself in Couchbase Lite 2.x.
  private var defaultOptions: CollectionConfiguration? {
    get { defaultIndex.map { collections[$0] } }
    set {
      if let defaultIndex, let newValue { collections[defaultIndex] = newValue }
    }
  }

  private var defaultIndex: Int? {
    collections.firstIndex {
      $0.collection?.fullName == "\(Database.defaultScopeName).\(Database.defaultCollectionName)"
    }
  }

  /// The ids of the documents of the default collection to replicate; nil for all.
  @available(*, deprecated, message: "use CollectionConfiguration")
  public var documentIDs: [String]? {
    get { defaultOptions?.documentIDs }
    set { defaultOptions?.documentIDs = newValue }
  }

  /// The channels of Sync Gateway to pull into the default collection; nil for all.
  @available(*, deprecated, message: "use CollectionConfiguration")
  public var channels: [String]? {
    get { defaultOptions?.channels }
    set { defaultOptions?.channels = newValue }
  }

  /// Decides which documents of the default collection are sent; nil for all.
  @available(*, deprecated, message: "use CollectionConfiguration")
  public var pushFilter: ReplicationFilter? {
    get { defaultOptions?.pushFilter }
    set { defaultOptions?.pushFilter = newValue }
  }

  /// Decides which received documents of the default collection are stored; nil for all.
  @available(*, deprecated, message: "use CollectionConfiguration")
  public var pullFilter: ReplicationFilter? {
    get { defaultOptions?.pullFilter }
    set { defaultOptions?.pullFilter = newValue }
  }

  /// Resolves conflicts of the default collection; nil for the default resolver.
  @available(*, deprecated, message: "use CollectionConfiguration")
  public var conflictResolver: (any ConflictResolverProtocol)? {
    get { defaultOptions?.conflictResolver }
    set { defaultOptions?.conflictResolver = newValue }
  }
}
