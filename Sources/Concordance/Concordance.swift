// Analyzers are a part of the public library: a full-text index is configured with them, and they can be used alone.
@_exported public import TextAnalysis
