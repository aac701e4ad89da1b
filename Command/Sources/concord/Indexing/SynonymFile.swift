import Concordance
import Foundation

/// Reads a file of synonyms: one rule per line; empty lines and comments are skipped.
enum SynonymFile {
  static func read(_ path: String) throws -> [SynonymRule] {
    let text = try InputText.read(path)
    var rules: [SynonymRule] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let rule = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
      if rule.isEmpty { continue }
      do {
        rules.append(try SynonymRule(rule))
      } catch let error as AnalyzerError {
        throw CommandFailure("\(path):\(number + 1): \(error.description)")
      }
    }
    return rules
  }
}
