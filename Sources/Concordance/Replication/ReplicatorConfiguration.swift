public import Foundation
import Replication

/// The directions of a ``Replicator``.
public enum ReplicatorType: UInt8, Sendable {
  /// Local changes are sent, and changes from the peer are received.
  case pushAndPull = 0
  /// Only local changes are sent.
  case push
  /// Only changes from the peer are received.
  case pull
}

/// Properties of a replicated document.
public struct DocumentFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: Int
  /// Creates flags from `rawValue`, the bits of the flags.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The document was deleted.
  public static let deleted = DocumentFlags(rawValue: 1)
  /// The user may no longer read the document on the server.
  public static let accessRemoved = DocumentFlags(rawValue: 2)
}

/// A function that decides whether a document is replicated. It can be called on any thread. The replicator waits for
/// it, so ``Database/close()`` throws ``CBLError/transactionNotClosed`` in it.
public typealias ReplicationFilter = @Sendable (Document, DocumentFlags) -> Bool

/// The options of a replicated collection.
///
/// ```swift
/// var hotels = CollectionConfiguration(collection: try database.createCollection(name: "hotels"))
/// hotels.pushFilter = { document, flags in !flags.contains(.deleted) && document.boolean(forKey: "published") }
/// ```
public struct CollectionConfiguration: Sendable {
  /// The collection. Nil only in options for several collections; see `fromCollections(_:config:)`.
  public let collection: Collection?

  /// Decides which version of a document is kept if both databases have changed it. It can be called on any thread. If
  /// nil, a deletion wins over a change; otherwise, the later revision wins. The replicator waits for it, so
  /// ``Database/close()`` throws ``CBLError/transactionNotClosed`` in it.
  ///
  /// If it returns nil, the document is deleted; if it returns a new document, that document is saved and sent to the
  /// peer.
  public var conflictResolver: (any ConflictResolverProtocol)? {
    get { storedResolver?.resolver }
    set { storedResolver = newValue.map { SendableResolver(resolver: $0) } }
  }
  private var storedResolver: SendableResolver?

  /// Decides which documents are sent; nil for all. It is called with deleted documents, too.
  public var pushFilter: ReplicationFilter?
  /// Decides which received documents are stored; nil for all.
  public var pullFilter: ReplicationFilter?
  /// The channels of Sync Gateway to pull from; nil for all. If it is empty or a name is empty or contains a comma,
  /// ``Replicator/init(config:)`` throws ``CBLError/invalidParameter``.
  public var channels: [String]?
  /// The ids of the documents to replicate; nil for all. With an empty array, no document is replicated.
  public var documentIDs: [String]?
  /// Identifies the filters, for example by the text of a condition. If it changes, the next run compares all documents
  /// again. Without it, a document that a push filter has rejected is not considered again until it changes.
  @_spi(Command) public var filterID: String?

  /// Creates the default options for `collection`.
  public init(collection: Collection) { self.collection = collection }

  /// Creates default options that can be applied to several collections.
  public init() { collection = nil }

  init(_ collection: Collection, options: CollectionConfiguration) {
    self.init(collection: collection)
    storedResolver = options.storedResolver
    pushFilter = options.pushFilter
    pullFilter = options.pullFilter
    channels = options.channels
    documentIDs = options.documentIDs
    filterID = options.filterID
  }
}

extension [CollectionConfiguration] {
  /// Returns configurations with the same options for several collections.
  ///
  /// - Parameters:
  ///   - collections: the collections.
  ///   - config: the options; nil for the default.
  public static func fromCollections(
    _ collections: [Collection], config: CollectionConfiguration? = nil
  ) -> [CollectionConfiguration] {
    collections.map { CollectionConfiguration($0, options: config ?? CollectionConfiguration()) }
  }
}

/// The configuration of a ``Replicator``.
///
/// ```swift
/// var config = ReplicatorConfiguration(
///   collections: .fromCollections([hotels]), target: DatabaseEndpoint(database: backup))
/// config.replicatorType = .push
/// ```
public struct ReplicatorConfiguration: Sendable {
  /// The default of ``replicatorType``.
  public static let defaultType = ReplicatorType.pushAndPull
  /// The default of ``continuous``.
  public static let defaultContinuous = false
  /// The default of ``enableAutoPurge``.
  public static let defaultEnableAutoPurge = true
  /// The default of ``heartbeat``, in seconds.
  public static let defaultHeartbeat: TimeInterval = 300
  /// The default of ``maxAttempts`` for a replication that is not continuous.
  public static let defaultMaxAttemptsSingleShot: UInt = 10
  /// The default of ``maxAttempts`` for a continuous replication.
  public static let defaultMaxAttemptsContinuous = UInt.max
  /// The default of ``maxAttemptWaitTime``, in seconds.
  public static let defaultMaxAttemptsWaitTime: TimeInterval = 300

  /// The collections and their options. They must belong to one `Database` object.
  public var collections: [CollectionConfiguration]
  /// The peer.
  public let target: any Endpoint
  /// The directions of the replication.
  public var replicatorType = ReplicatorConfiguration.defaultType
  /// Whether the replicator waits for further changes instead of stopping when all changes have been exchanged.
  public var continuous = ReplicatorConfiguration.defaultContinuous
  /// Whether documents are purged that the user may no longer read on Sync Gateway. The pull filter is called first,
  /// with ``DocumentFlags/accessRemoved``, and can reject this. It has no effect on collections with
  /// ``CollectionConfiguration/documentIDs``.
  public var enableAutoPurge = ReplicatorConfiguration.defaultEnableAutoPurge
  /// The credentials for the server, or nil.
  public var authenticator: (any Authenticator)?
  /// Additional HTTP headers of the request that opens the connection.
  public var headers: [String: String]?
  /// The certificate of the server or of an issuer in its chain, in PEM or DER form; nil for any trusted certificate.
  /// With that of an issuer, the certificate of the server must be valid for the host.
  public var pinnedServerCertificate: Data?
  /// Whether only self-signed certificates are accepted, whatever host they are for. A pinned certificate takes
  /// precedence.
  public var acceptOnlySelfSignedServerCertificate = false
  /// Whether cookies for a parent domain are accepted.
  public var acceptParentDomainCookie = false
  /// The name of the network interface to use; nil for the interface that the system chooses.
  public var networkInterface: String?
  /// The interval between pings of an idle connection in seconds; 0 for the default.
  public var heartbeat: TimeInterval = ReplicatorConfiguration.defaultHeartbeat
  /// The maximum number of consecutive attempts to connect; 0 for the default, 1 to try only once.
  public var maxAttempts: UInt = 0
  /// The maximum time between two attempts in seconds; 0 for the default. The time starts at 2 seconds and doubles
  /// after each attempt.
  public var maxAttemptWaitTime: TimeInterval = ReplicatorConfiguration.defaultMaxAttemptsWaitTime

  /// Creates a configuration for `collections` and the peer `target`, with default values for all other options.
  public init(collections: [CollectionConfiguration], target: any Endpoint) {
    self.collections = collections
    self.target = target
  }

  /// Returns the options of the connection.
  var connectionOptions: EndpointConnectionOptions {
    var options = EndpointConnectionOptions()
    options.authenticator = authenticator
    options.headers = headers ?? [:]
    options.pinnedServerCertificate = pinnedServerCertificate
    options.acceptOnlySelfSignedServerCertificate = acceptOnlySelfSignedServerCertificate
    options.acceptParentDomainCookie = acceptParentDomainCookie
    options.networkInterface = networkInterface
    options.heartbeat = heartbeat == 0 ? ReplicatorConfiguration.defaultHeartbeat : heartbeat
    return options
  }

  /// Returns the options of the engine.
  var replicationOptions: ReplicationOptions {
    var options = ReplicationOptions()
    options.pushes = replicatorType != .pull
    options.pulls = replicatorType != .push
    options.isContinuous = continuous
    options.purgesRevoked = enableAutoPurge
    let standard =
      continuous
      ? ReplicatorConfiguration.defaultMaxAttemptsContinuous : ReplicatorConfiguration.defaultMaxAttemptsSingleShot
    options.maximumAttempts = UInt64(maxAttempts == 0 ? standard : maxAttempts)
    options.maximumWait =
      maxAttemptWaitTime == 0 ? ReplicatorConfiguration.defaultMaxAttemptsWaitTime : maxAttemptWaitTime
    return options
  }

  /// Returns the collections' database after checking the configuration.
  ///
  /// - Throws: ``CBLError/invalidParameter``.
  func validatedDatabase() throws -> Database {
    guard let database = collections.first?.collection?.database else {
      throw CBLError(
        CBLError.invalidParameter, "the configuration of a replicator has no collection; add at least one")
    }
    for configuration in collections where configuration.collection?.database !== database {
      throw CBLError(
        CBLError.invalidParameter,
        "the collections of a replicator belong to different Database objects; open the database once")
    }
    let names = collections.compactMap { $0.collection?.fullName }
    guard Set(names).count == names.count else {
      throw CBLError(CBLError.invalidParameter, "a collection occurs twice in the configuration of a replicator")
    }
    for configuration in collections {
      guard let channels = configuration.channels else { continue }
      guard !channels.isEmpty, !channels.contains(where: { $0.isEmpty || $0.contains(",") }) else {
        throw CBLError(
          CBLError.invalidParameter,
          "the channels of the collection \(configuration.collection?.fullName ?? "") are an empty list, or a name is "
            + "empty or contains a comma; use nil for all channels")
      }
    }
    guard heartbeat >= 0, maxAttemptWaitTime >= 0 else {
      throw CBLError(
        CBLError.invalidParameter, "the heartbeat or the wait time of a replicator is negative; use 0 for the default")
    }
    return database
  }
}

/// A conflict resolver that the application supplies.
///
/// `@unchecked Sendable`: the protocol is not `Sendable`, so that programs written for Couchbase Lite compile. There is
/// no lock: the documentation requires that the resolver can be called on any thread.
private struct SendableResolver: @unchecked Sendable {
  let resolver: any ConflictResolverProtocol
}
