import QueryModel
import TextAnalysis

/// The version of the rules that filled a value index: the version of the library's rules, and that of ICU if the
/// definition has a Unicode collation.
///
/// | text | rules |
/// |---|---|
/// | `1` | the library's |
/// | `2` | the library's, for a definition whose keys have changed since `1` |
/// | `1;icu=72.1` | the library's and the collation of ICU 72.1 |
/// | `incomplete 1` | the library's, but documents are missing |
/// | `1 3;icu=72.1;unicode=15.0;snowball=29-899aed4b` | format 1, with the full version of the text analysis |
struct ValueIndexVersion: Hashable, Sendable {
  /// The version of the encoding of keys.
  private var rules: Int
  /// The version of ICU; nil if the keys do not depend on it.
  private var icu: String?
  /// Whether documents are missing because no prediction could be made for them.
  var isIncomplete = false

  /// The version of the rules for definitions whose keys have never changed.
  private static let firstRules = 1
  /// The version of the rules for definitions whose keys have changed, incremented when keys of existing definitions
  /// change.
  private static let currentRules = 2

  /// Creates the version of the rules under which this library fills an index.
  ///
  /// - Parameters:
  ///   - isCollated: whether strings are compared by a Unicode collation.
  ///   - hasChangedKeys: whether earlier rules produced other keys for the definition. Other indexes keep the first
  ///     version, so that they are not rebuilt.
  init(isCollated: Bool, hasChangedKeys: Bool) {
    rules = hasChangedKeys ? ValueIndexVersion.currentRules : ValueIndexVersion.firstRules
    icu = isCollated ? Collator.version : nil
  }

  /// Returns whether a stored definition contains one of the words of expressions whose keys have changed. If it does
  /// not, none of its keys have.
  static func mayHaveChangedKeys(_ definition: String) -> Bool {
    ["BETWEEN", "ROUND", "TRUNC", "NULLIF", "MISSINGIF", "ARRAY_"].contains { definition.contains($0) }
  }

  /// Parses a version; nil if the text does not have this form.
  init?(_ text: String) {
    var text = Substring(text)
    if text.hasPrefix(ValueIndexVersion.incompletePrefix) {
      isIncomplete = true
      text = text.dropFirst(ValueIndexVersion.incompletePrefix.count)
    }
    guard let rules = Int(text.prefix { $0 != " " && $0 != ";" }) else { return nil }
    self.rules = rules
    icu = text.split(separator: ";").first { $0.hasPrefix("icu=") }.map { String($0.dropFirst("icu=".count)) }
  }

  /// Returns whether an index of this version can be used in place of one of a required version. An index of format 1
  /// names ICU even if its keys do not depend on it.
  func satisfies(_ required: ValueIndexVersion) -> Bool {
    !isIncomplete && rules == required.rules && (required.icu == nil || icu == required.icu)
  }

  /// This version, not marked as incomplete.
  var completed: ValueIndexVersion {
    var version = self
    version.isIncomplete = false
    return version
  }

  /// This version, marked as incomplete.
  var incomplete: ValueIndexVersion {
    var version = self
    version.isIncomplete = true
    return version
  }

  /// The version as text, as the catalog stores it.
  var text: String {
    (isIncomplete ? ValueIndexVersion.incompletePrefix : "") + String(rules) + (icu.map { ";icu=\($0)" } ?? "")
  }

  private static let incompletePrefix = "incomplete "
}

extension ValueIndexDefinition {
  /// The version of an index that this library fills for this definition.
  var currentVersion: ValueIndexVersion {
    ValueIndexVersion(isCollated: hasUnicodeCollation, hasChangedKeys: parts.contains(where: \.hasChangedKeys))
  }

  private var hasUnicodeCollation: Bool {
    var isCollated = false
    for part in parts {
      part.visit { if case .collated(_, .unicode) = $0 { isCollated = true } }
    }
    return isCollated
  }
}

extension QueryExpression {
  /// Whether version 1 of the rules evaluated the expression differently: bounds of BETWEEN that are null or MISSING,
  /// rounded and summed integers above 2^53, and functions that ignored the collation around them.
  fileprivate var hasChangedKeys: Bool {
    let isCollated = hasCollation
    return contains { part in
      switch part {
      case .between: true
      case .function(let function, _, _):
        switch function {
        case .round, .roundEven, .truncate, .arraySum, .arrayAverage: true
        case .nullIf, .missingIf, .arraySort, .arrayPosition, .arrayMaximum, .arrayMinimum: isCollated
        default: false
        }
      default: false
      }
    }
  }
}
