@testable import TextAnalysis

/// An analyzer with its tokenizer, and results in a form that tests can compare.
struct Analysis {
  let analyzer: Analyzer
  let tokenizer: Tokenizer
  let buffer = TokenBuffer()

  init(_ configuration: AnalyzerConfiguration = AnalyzerConfiguration()) throws {
    analyzer = try Analyzer(configuration)
    tokenizer = analyzer.makeTokenizer()
  }

  /// Returns the stream with `|` for a separator and `+` for a colocation.
  func stream(_ text: String) -> String { stream(Array(text.utf8)) }

  func stream(_ bytes: [UInt8]) -> String {
    buffer.removeAll()
    bytes.withUnsafeBytes { tokenizer.tokenize($0, into: buffer) }
    let shown = buffer.stream.map {
      $0 == TokenBuffer.separator ? 0x7C : $0 == TokenBuffer.colocation ? 0x2B : $0
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the byte ranges of the tokens that begin a position.
  func ranges(_ bytes: [UInt8]) -> [Range<Int>] {
    _ = stream(bytes)
    return buffer.tokens.filter { !$0.isColocated }.map { Int($0.start)..<Int($0.end) }
  }

  func terms(_ bytes: [UInt8]) -> [String] {
    _ = stream(bytes)
    return buffer.tokens.map { String(decoding: buffer.term($0), as: UTF8.self) }
  }

  /// Returns the forms of each query term, joined by `/`, with `*` after a prefix.
  func query(_ text: String, prefix: Bool = false) -> [String] {
    tokenizer.queryTerms(text, prefix: prefix).map {
      $0.forms.joined(separator: "/") + ($0.isPrefix ? "*" : "")
    }
  }

  /// Returns whether a document contains the query as a phrase, computed from stream and terms like an index.
  func finds(_ text: String, in document: String) -> Bool {
    let query = tokenizer.queryTerms(text, prefix: false)
    let positions = stream(document).split(separator: "|").map { $0.split(separator: "+").map(String.init) }
    guard !query.isEmpty, positions.count >= query.count else { return false }
    return (0...(positions.count - query.count)).contains { start in
      zip(query, positions[start...]).allSatisfy { term, forms in
        forms.contains { form in
          term.forms.contains {
            term.isPrefix ? form.utf8.starts(with: $0.utf8) : form.utf8.elementsEqual($0.utf8)
          }
        }
      }
    }
  }
}

/// SplitMix64: the same texts in every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
