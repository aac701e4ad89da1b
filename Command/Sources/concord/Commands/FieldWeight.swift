import ArgumentParser

/// A factor for a field as an argument: `title=3`.
struct FieldWeight: ExpressibleByArgument {
  let field: String
  let factor: Double

  init?(argument: String) {
    guard let (field, value) = FieldValue.split(argument), let factor = Double(value) else { return nil }
    (self.field, self.factor) = (field, factor)
  }
}

extension [FieldWeight] {
  /// The factors by field; of a field that is named again the last counts.
  var factors: [String: Double] { Dictionary(map { ($0.field, $0.factor) }) { _, last in last } }
}

/// What an argument says of a field: `field=value`.
enum FieldValue {
  /// The field and the value; nil for another text. The name of a field may hold `=`.
  static func split(_ argument: String) -> (field: String, value: String)? {
    guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex else { return nil }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}
