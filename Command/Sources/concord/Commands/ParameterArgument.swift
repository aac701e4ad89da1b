import ArgumentParser
import Concordance

/// The value of a query's parameter as an argument: `stars=4`.
struct ParameterArgument: ExpressibleByArgument {
  let name: String
  /// The text after the equals sign.
  let text: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    // The name is accepted with or without the $ of the query.
    name = String(argument[..<equals].trimmingPrefix("$"))
    text = String(argument[argument.index(after: equals)...])
    guard !name.isEmpty else { return nil }
  }

  /// The JSON value, or the text itself if it is not JSON.
  var value: Any {
    // JSON text is parsed as an array because only objects and arrays can be parsed alone. Text with a comma may yield
    // several values and is then not JSON.
    guard let array = try? MutableArrayObject(json: "[\(text)]"), array.count == 1, let value = array.value(at: 0)
    else {
      return text
    }
    return value
  }
}

extension Parameters {
  /// Creates parameters from arguments; if a name is repeated, the last one counts.
  convenience init(_ arguments: [ParameterArgument]) {
    self.init()
    for argument in arguments { setValue(argument.value, forName: argument.name) }
  }
}
