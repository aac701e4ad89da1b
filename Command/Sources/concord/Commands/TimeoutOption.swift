import ArgumentParser

/// The time limit of a command.
struct TimeoutOption: ParsableArguments {
  @Option(help: ArgumentHelp("End with an error after this time. (default: no limit)", valueName: "seconds"))
  var timeout: Double?

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 1e9) {
      throw ValidationError("--timeout takes a number of seconds above 0, not \(timeout).")
    }
  }

  /// The limit; nil if there is none.
  var duration: Duration? { timeout.map { .seconds($0) } }
}
