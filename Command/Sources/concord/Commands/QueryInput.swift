import ArgumentParser
import Concordance
import Foundation

/// The query that a command is about: its text and the values of its parameters.
struct QueryInput: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The query, in quotation marks; - reads it from the standard input.", valueName: "query"))
  var query: [String] = []

  @Option(help: ArgumentHelp("The file that holds the query.", valueName: "path"), completion: .file())
  var file: String?

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "The value of $name in the query, JSON or else a string; may be repeated.", valueName: "name=value"))
  var parameters: [ParameterArgument] = []

  func validate() throws {
    if query.isEmpty, file == nil {
      throw ValidationError("Say what to ask: a query in quotation marks, --file PATH, or - for the standard input.")
    }
    if !query.isEmpty, file != nil { throw ValidationError("Give the query as an argument or with --file, not both.") }
    if query.count > 1 {
      throw ValidationError(
        "The query is several arguments. Put it in quotation marks, '…': the shell takes $, * and () itself.")
    }
  }
}

extension QueryInput {
  /// Calls `body` with the query. An error of the query is told with the place, and ends the command.
  func withQuery(_ global: GlobalOptions, _ messages: Messages, _ body: (Query) throws -> Void) throws {
    // It would be ignored, and who gave it expects otherwise.
    if global.collection != nil {
      throw CommandFailure("a query names its collections itself, FROM scope.collection; leave out --collection")
    }
    let database = try global.openForReading()
    let text = try self.text()
    let place = file.map { $0 == "-" ? "" : "\($0): " } ?? ""
    try QueryInput.reportingErrors(messages, in: place) {
      let isJSON = text.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? false
      let query = isJSON ? try database.createQuery(json: text) : try database.createQuery(text)
      query.parameters = Parameters(parameters)
      try body(query)
    }
  }

  /// Calls `body`, and tells an error of the library as one in SQL++, which has several lines.
  ///
  /// - Throws: `ExitCode` once an error is told.
  static func reportingErrors<T>(_ messages: Messages, in place: String = "", _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CBLError {
      messages.error(place + error.message)
      if error.code == CBLError.invalidQueryParam {
        messages.warning("a parameter gets its value from --param NAME=VALUE")
      }
      throw ExitCode(ExitStatus.error)
    }
  }

  private func text() throws -> String {
    if let file { return try InputText.read(file) }
    let text = query.first ?? ""
    return text == "-" ? try InputText.read("-") : text
  }
}
