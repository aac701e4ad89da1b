import ArgumentParser
import Concordance

/// The memory for writing indexes.
struct IndexMemoryOption: ParsableArguments {
  static let valueHelp = "a number of bytes of at least 1M, optionally followed by K, M or G"

  @Option(
    help: ArgumentHelp(
      "The memory for changes to each text index that are not in the file yet. (default: 256M)",
      discussion: """
        More memory makes indexing faster, because fewer segments are merged. The program also needs memory for the \
        documents that it reads and for caches.
        """,
      valueName: "size"))
  var memory: ByteSize?

  func validate() throws {
    if let memory, !IndexMemoryOption.isValid(memory) {
      throw ValidationError("--memory takes \(IndexMemoryOption.valueHelp).")
    }
  }

  static func isValid(_ size: ByteSize) -> Bool { size.bytes >= 1 << 20 && size.bytes <= 1 << 40 }

  func apply(to configuration: inout DatabaseConfiguration) {
    if let memory { configuration.indexMemory = Int(memory.bytes) }
  }
}
