// Analyzers are a part of the public library: a full-text index is configured with them, and they can be used alone.
@_exported public import TextAnalysis
// Searches for lines and the measures of relevance are modules without a database. Their public types are public types of this
// library; a type alias would name them, but not make their members visible to programs with `MemberImportVisibility`.
@_exported public import LineSearch
@_exported public import Relevance
// What errors, configurations of indexes, plans and explanations of scores consist of.
@_exported public import enum SQLiteAccess.Recovery
@_exported public import struct QueryCompiler.QueryPlan
@_exported public import struct TextIndex.DocumentShape
@_exported public import struct TextIndex.ScoreExplanation
@_exported public import struct TextIndex.TermScore
