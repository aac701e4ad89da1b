import ArgumentParser
import Concordance

/// The value of a query's parameter as an argument: `stars=4`.
struct ParameterArgument: ExpressibleByArgument {
  let name: String
  /// What stands behind the equals sign.
  let text: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    // As the query writes it, or without.
    name = String(argument[..<equals].trimmingPrefix("$"))
    text = String(argument[argument.index(after: equals)...])
    guard !name.isEmpty else { return nil }
  }

  /// The JSON value, or the text itself where it is no JSON.
  var value: Any {
    // Only objects and arrays are read on their own. Text with a comma may be more than one value, which is none.
    guard let array = try? MutableArrayObject(json: "[\(text)]"), array.count == 1, let value = array.value(at: 0)
    else {
      return text
    }
    return value
  }
}

extension Parameters {
  /// The values that arguments give; of several with the same name the last counts.
  convenience init(_ arguments: [ParameterArgument]) {
    self.init()
    for argument in arguments { setValue(argument.value, forName: argument.name) }
  }
}
