import ArgumentParser

/// A weight for a field as an argument: `title=3`.
struct FieldWeight {
  let field: String
  let factor: Double

  init(parsing argument: String) throws {
    guard let (field, value) = FieldValue.split(argument), let factor = Double(value) else {
      throw ValidationError("--weight takes a field and a number, such as title=2")
    }
    (self.field, self.factor) = (field, factor)
  }
}

extension [FieldWeight] {
  /// The weights by field; if a field is repeated, the last one counts.
  var factors: [String: Double] { Dictionary(map { ($0.field, $0.factor) }) { _, last in last } }
}

/// Parses arguments of the form `field=value`.
enum FieldValue {
  /// Returns the field and the value; nil for any other text. The name of a field may contain `=`.
  static func split(_ argument: String) -> (field: String, value: String)? {
    guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex else { return nil }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

/// A list of field names as one argument: `title,text`.
struct FieldList: ExpressibleByArgument {
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
    guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty }) else { return nil }
  }
}
