import ArgumentParser
import Concordance

struct CreateViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a view.",
    discussion: """
      Each document has a row with the key and the value, which are SQL++ expressions. Several expressions for the key \
      form an array. A document has no row if the first expression of the key is MISSING.

        $ concord view create by_date --key created_at --value '*'
        $ concord view create prices --key 'type, city' --value price \\
            --reduce _stats --where 'price > 0'

      If the same view already exists, nothing is done. If a different view or index has this name, it is kept and the \
      exit status is 2.

      Exit status: 0 done, 2 error.
      """)

  @Argument(help: ArgumentHelp("The name of the view.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The key: SQL++ expressions, separated by commas.", valueName: "sql++"))
  var key: String

  @Option(help: ArgumentHelp("The value: an SQL++ expression, or * for the document.", valueName: "sql++"))
  var value: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Map only documents for which this condition is true.", valueName: "sql++"))
  var condition: String?

  @Option(help: ArgumentHelp("_sum, _count, _stats or _approx_count_distinct.", valueName: "name"))
  var reduce: String?

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    try DatabaseAddress.requireFile(global.databasePath, for: "views are")
    let messages = global.makeMessages()
    let configuration = ViewConfiguration(key: key, value: value, where: condition, reduce: reduce)
    let database = try global.openForWriting()
    let collection = try global.collection(in: database)
    let (count, isNew) = try QueryInput.reportingErrors(messages) {
      try database.inCommandBatch {
        let old = try collection.indexSummaries().first { $0.name == name }
        try collection.createIndex(withName: name, config: configuration)
        let new = try collection.indexSummaries().first { $0.name == name }
        // The library replaces the old index, which the user did not ask for. The batch rolls this back.
        if let old, let new, !old.hasSameDefinition(as: new) {
          throw CommandFailure(
            "there is another view or index \"\(name)\" in \(collection.fullName); choose another name, or drop it first "
              + "with `concord view drop` or `concord drop-index`")
        }
        let view = collection.view(named: name)
        try view.update()
        return (try view.rowCount(), old == nil)
      }
    }
    try ViewMessages.warnOfErrors(in: collection.view(named: name), messages)
    try database.close()
    messages.note("view \(name): \(Quantity.count(count, "row"))" + (isNew ? "" : "; already exists"))
  }
}

enum ViewMessages {
  /// Prints a warning for documents that could not be mapped.
  static func warnOfErrors(in view: View, _ messages: Messages) throws {
    let errors = try view.mapErrors()
    for error in errors.prefix(3) { messages.warning("\(error.documentID) has no row: \(error.message)") }
    if errors.count > 3 { messages.warning("\(Quantity.count(errors.count - 3, "more document")) without a row") }
  }
}
