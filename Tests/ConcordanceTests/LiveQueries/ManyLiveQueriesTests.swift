import Concordance
import Testing

@Suite(.timeLimit(.minutes(5))) struct ManyLiveQueriesTests {
  /// Each of many queries ends with the state after the last change.
  @Test func lastStateReachesEachOfManyQueries() throws {
    let files = try TemporaryDatabase()
    let others = try files.database.createCollection(name: "others")
    let received = Received<String>()
    var tokens: [ListenerToken] = []
    for number in 0..<300 {
      let query = try files.database.createQuery("SELECT COUNT(*) FROM _ WHERE n % 300 = \(number)")
      tokens.append(
        query.addChangeListener { received.add("\(number) \($0.results?.allResults()[0].int(at: 0) ?? -1)") })
    }
    let unaffected = try files.database.createQuery("SELECT COUNT(*) FROM others")
    tokens.append(
      unaffected.addChangeListener { received.add("others \($0.results?.allResults()[0].int(at: 0) ?? -1)") })
    received.wait { $0.count == 301 }
    for number in 0..<600 { try files.save("\(number)", #"{"n":\#(number)}"#) }
    try others.save(document: MutableDocument(id: "a"))
    received.wait { all in
      Set(all).isSuperset(of: (0..<300).map { "\($0) 2" } + ["others 1"])
    }
    for token in tokens { token.remove() }
    #expect(received.all.count { $0.hasPrefix("others") } == 2)
  }
}
