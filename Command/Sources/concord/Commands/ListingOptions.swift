import ArgumentParser

/// The options of commands that list the content of an index.
struct ListingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The index, if the collection has several.", valueName: "name"))
  var index: String?

  @Flag(help: "Print one JSON object per line.")
  var json = false
}
