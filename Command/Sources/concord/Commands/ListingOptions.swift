import ArgumentParser

/// The options of commands that list the content of an index.
struct ListingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The full-text index; by default the only one, or `search`.", valueName: "name"))
  var index: String?

  @Flag(help: "Print one JSON object per line.")
  var json = false
}
