/// The modules that the files of each target import, besides the modules that ship with Swift.
///
/// `ARCHITECTURE.md` has the rows and the contents of the Swift targets. Each C target is in row 0 and is imported by
/// one Swift target, except `CArchive` and `CLibXML2`, which two targets import.
enum TargetImports {
  /// The targets in C: module maps and small interfaces, without logic.
  static let cTargets = [
    "CICU", "CPCRE2", "CSnowball", "CSimdJSON", "CLibXML2", "CArchive", "CSandbox", "CZlib", "CCrypto", "CDeflate",
    "CRawDeflate", "CGzip", "CSHA256", "CCrypt", "CX509", "CStack", "CSQLite",
    "CPostgres",
  ]

  /// The modules that the files of a Swift target import.
  static let swiftTargets: [String: Set<String>] = [
    "JSONText": ["CSimdJSON"],
    "VersionVectors": [],
    "BLIP": ["CRawDeflate"],
    "TextAnalysis": ["CICU", "CSnowball"],
    "PatternMatching": ["CPCRE2"],
    "SQLiteAccess": ["CSQLite", "GRDB", "GRDBSQLite"],
    "PostgresAccess": ["CPostgres"],
    "QueryModel": ["JSONText", "CStack"],
    "DocumentStore": ["SQLiteAccess", "JSONText", "VersionVectors", "PatternMatching", "CCrypto", "GRDB"],
    "Replication": ["JSONText", "VersionVectors", "BLIP"],
    "Fleece": ["JSONText"],
    "DocumentFormats": ["SQLiteAccess", "CArchive", "CLibXML2", "CSandbox"],
    "CouchbaseLiteFile": ["CGzip", "SQLiteAccess", "JSONText", "Fleece", "GRDB"],
    "CorpusReader": ["JSONText", "DocumentFormats", "CArchive", "CLibXML2", "CZlib", "CYaml", "Yams"],
    "LineSearch": ["PatternMatching"],
    "Relevance": ["JSONText"],
    "TextIndex": ["SQLiteAccess", "JSONText", "TextAnalysis", "QueryModel", "DocumentStore", "GRDB"],
    "MapReduce": ["SQLiteAccess", "JSONText", "TextAnalysis", "DocumentStore", "GRDB"],
    "TrigramIndex": ["SQLiteAccess", "JSONText", "PatternMatching", "TextIndex", "GRDB"],
    "PostgresStore": ["PostgresAccess", "SQLiteAccess", "DocumentStore", "TextIndex", "TrigramIndex", "GRDB"],
    "QueryCompiler": [
      "SQLiteAccess", "JSONText", "TextAnalysis", "PatternMatching", "QueryModel", "DocumentStore", "TextIndex",
      "TrigramIndex", "GRDB",
    ],
    "Concordance": [
      "SQLiteAccess", "JSONText", "TextAnalysis", "PatternMatching", "LineSearch", "Relevance", "QueryModel",
      "DocumentStore", "TextIndex", "MapReduce", "TrigramIndex", "QueryCompiler", "CouchbaseLiteFile", "Replication",
      "VersionVectors", "BLIP", "PostgresStore", "GRDB", "Logging",
    ],
    "ConcordanceServer": [
      "Concordance", "ConcordanceNetwork", "JSONText", "PatternMatching", "CDeflate", "CSHA256", "AsyncAlgorithms",
      "HTTPTypes",
      "Hummingbird", "HummingbirdCore", "HummingbirdHTTP2", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes",
      "NIOHTTPTypesHTTP1", "NIOSSL", "NIOTLS", "ServiceLifecycle",
    ],
    "ConcordanceNetwork": [
      "Concordance", "Replication", "CCrypt", "CX509", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "NIOTLS",
      "NIOWebSocket",
    ],
    "concord": [
      "Concordance", "JSONText", "QueryModel", "CorpusReader", "DocumentFormats", "ConcordanceServer",
      "ConcordanceNetwork", "ArgumentParser", "Logging", "ServiceLifecycle", "UnixSignals",
    ],
  ]
}
