import Concordance
import Foundation
import PostgresAccess
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct DamagedTotalsTests {
  /// The sum of the two shards would overflow.
  @Test func impossibleTotalsAreReported() throws {
    let url = try TemporaryCluster.makeDatabase()
    try Database.initialize(url: url, shards: 2)
    let database = try Database(url: url)
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["n"]))
    try PostgresConnection(url).execute("UPDATE concordance.cx_ft SET totals[1] = \(Int64.max)")
    let error = #expect(throws: CBLError.self) { try collection.indexSummaries() }
    #expect(error?.code == CBLError.corruptData)
    #expect(error?.message.contains("\"search\" is damaged") == true, "\(error?.message ?? "")")
  }
}
