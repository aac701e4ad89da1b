import ArgumentParser

/// A list of field names as one argument: `title,text`.
struct FieldList: ExpressibleByArgument {
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
    guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty }) else { return nil }
  }
}
