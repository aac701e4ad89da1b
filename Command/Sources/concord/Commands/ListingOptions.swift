import ArgumentParser

/// Which index a command looks into, and how it prints what it finds there.
struct ListingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The index, where the collection has several.", valueName: "name"))
  var index: String?

  @Flag(help: "Print a JSON object a line.")
  var json = false
}
