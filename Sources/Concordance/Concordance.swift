// Analyzers are a part of the public library: a full-text index is configured with them, and they can be used alone.
@_exported public import TextAnalysis
// How scores come about is told by the module that computes them.
@_exported public import struct TextIndex.ScoreExplanation
@_exported public import struct TextIndex.TermScore
