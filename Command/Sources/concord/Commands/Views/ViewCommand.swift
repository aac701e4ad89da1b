import ArgumentParser

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Create, query, list and delete map/reduce views.",
    discussion: """
      A view stores keys and values of documents, sorted by key, and partial results of a reduce function. It is \
      updated when it is queried.

        $ concord view create prices --key 'type, city' --value price --reduce _stats
        $ concord view query prices --group-level 1
        $ concord view query prices --start-key '["hotel"]' \\
            --end-key '["hotel",{}]' --map-only
        $ concord view list
        $ concord view drop prices
      """,
    subcommands: [
      CreateViewCommand.self, QueryViewCommand.self, ListViewsCommand.self, DropViewCommand.self,
    ])

  @OptionGroup
  var global: GlobalOptions
}
