import Concordance
import Foundation
import Testing

/// Travel records as JSON Lines, one file per type, for queries and independent counts.
struct TravelRecords: CustomTestStringConvertible {
  let folder: URL
  var testDescription: String { folder.lastPathComponent }

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The records of the repository.
  static let small = TravelRecords(folder: repository.appendingPathComponent("Corpora/travel"))

  /// Couchbase's travel sample, whose query results the guides show: in the folder given by `CONCORDANCE_TRAVEL`, or by
  /// default in `../shared/data/travel`; nil if it does not exist.
  static let large: TravelRecords? = {
    let path = ProcessInfo.processInfo.environment["CONCORDANCE_TRAVEL"]
    let folder =
      path.map { URL(fileURLWithPath: $0) }
      ?? repository.deletingLastPathComponent().appendingPathComponent("shared/data/travel")
    let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("hotels.jsonl").path)
    return isThere ? TravelRecords(folder: folder) : nil
  }()

  static let absence = "the travel sample was not found; set CONCORDANCE_TRAVEL to its folder"

  /// All available sets of records.
  static let all = [small] + (large.map { [$0] } ?? [])

  /// Reads the records of a file without this library.
  func records(_ name: String) throws -> [[String: Any]] {
    try lines(name).compactMap { try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
  }

  /// Creates a collection with the records of a file.
  func load(_ name: String, into database: Database) throws -> Concordance.Collection {
    let collection = try database.createCollection(name: name)
    let transfer = try DatabaseImport(into: database, collection: collection)
    for line in try lines(name) { try line.withUnsafeBytes { try transfer.add(line: $0) } }
    _ = try transfer.finish()
    return collection
  }

  private func lines(_ name: String) throws -> [[UInt8]] {
    let data = try Data(contentsOf: folder.appendingPathComponent(name + ".jsonl"))
    return data.split(separator: UInt8(ascii: "\n")).map { Array($0) }
  }
}

extension [String: Any] {
  /// Returns the string of a property, or "" if it is not a string.
  func text(_ key: String) -> String { self[key] as? String ?? "" }
}
