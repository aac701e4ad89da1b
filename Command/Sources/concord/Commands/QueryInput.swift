import ArgumentParser
import Concordance
import Foundation

/// The text of a query and the values of its parameters, from the command line.
struct QueryInput: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The query, in quotation marks; - reads it from the standard input.", valueName: "query"))
  var query: [String] = []

  @Option(help: ArgumentHelp("The file that contains the query.", valueName: "path"), completion: .file())
  var file: String?

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "The value of $name in the query, as JSON or a string; may be repeated.", valueName: "name=value"))
  var parameters: [ParameterArgument] = []

  func validate() throws {
    if query.isEmpty, file == nil {
      throw ValidationError(
        "The query is missing: give a query in quotation marks, --file PATH, or - for the standard input.")
    }
    if !query.isEmpty, file != nil { throw ValidationError("Give the query as an argument or with --file, not both.") }
    if query.count > 1 {
      throw ValidationError(
        "The query has several arguments. Put it in quotation marks, '…': the shell interprets $, * and ().")
    }
  }
}

extension QueryInput {
  /// Calls `body` with the query. Reports an error in the query with its position, and ends the command.
  func withQuery(_ global: GlobalOptions, _ messages: Messages, _ body: (Query) throws -> Void) throws {
    // Ignoring the option silently would be surprising.
    if global.collection != nil {
      throw CommandFailure("a query names its collections in FROM, as scope.collection; remove --collection")
    }
    let database = try global.openForReading()
    let text = try self.text()
    let location = file.map { $0 == "-" ? "" : "\($0): " } ?? ""
    try QueryInput.reportingErrors(messages, in: location) {
      let isJSON = text.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? false
      let query = isJSON ? try database.createQuery(json: text) : try database.createQuery(text)
      query.parameters = Parameters(parameters)
      try body(query)
    }
  }

  /// Calls `body`, and reports an error that the library throws. The message for an error in SQL++ has several lines.
  ///
  /// - Parameter location: a prefix of the message that names the file of the query.
  /// - Throws: `ExitCode` after an error is reported.
  static func reportingErrors<T>(_ messages: Messages, in location: String = "", _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CBLError {
      messages.error(location + error.advice)
      if error.code == CBLError.invalidQueryParam {
        messages.warning("--param NAME=VALUE sets the value of a parameter")
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
