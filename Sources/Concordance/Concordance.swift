// Analyzers are public: full-text indexes are configured with them, and programs can use them directly.
@_exported public import TextAnalysis
// These modules do not need a database. Their public types are public types of this library. They are re-exported
// because a type alias would not make their members visible to programs that enable `MemberImportVisibility`.
@_exported public import LineSearch
@_exported public import Relevance
// Types of the protocols between replication and its transports.
@_exported public import protocol Replication.ReplicationTransport
@_exported public import protocol Replication.ReplicationTransportHandler
@_exported public import enum Replication.TransportClosure
@_exported public import enum Replication.ReplicationFrames
@_exported public import struct Replication.ReplicationTransportError
// Types of public properties of errors, query plans, index definitions and score explanations.
@_exported public import enum SQLiteAccess.Recovery
@_exported public import struct QueryCompiler.QueryPlan
@_exported public import struct TextIndex.DocumentShape
@_exported public import struct TextIndex.PostingsCacheStatistics
@_exported public import enum TextIndex.RankingModel
@_exported public import struct TextIndex.ScoreExplanation
@_exported public import struct TextIndex.SequentialDependence
@_exported public import struct TextIndex.TermScore
