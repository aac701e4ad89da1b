import Concordance
import Foundation
import Testing

/// The Swift examples of the handbook's page on documents, compiled and run. See ``HandbookTests``.
@Suite struct HandbookDocumentsTests {
  private let files: TemporaryDatabase
  private let database: Database
  private let hotels: Concordance.Collection
  private let output = Output()

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
    hotels = try database.createCollection(name: "hotels")
  }

  struct Hotel: Codable {
    @DocumentID var id: String?
    var name: String
    var stars: Int?
    var address: Address?

    struct Address: Codable {
      var city: String
    }
  }

  @Test func documents() throws {
    let ghia = MutableDocument(id: "hotel_1")
      .setString("Hotel Ghia", forKey: "name")
      .setInt(4, forKey: "stars")
      .setDate(Date(timeIntervalSince1970: 0), forKey: "opened")
      .setValue(["city": "Riga", "geo": [56.95, 24.1]], forKey: "address")
    try hotels.save(document: ghia)

    if let hotel = try hotels.document(id: "hotel_1") {
      print(hotel.string(forKey: "name") ?? "", hotel.int(forKey: "stars"))  // Hotel Ghia 4
      print(hotel["address"]["city"].string ?? "", hotel["address"]["geo"][0].double)  // Riga 56.95
      print(hotel["address"]["street"].exists)  // false
    }

    if let hotel = try hotels.document(id: "hotel_1")?.toMutable() {
      hotel["address"]["city"].string = "Jūrmala"
      hotel.dictionary(forKey: "address")?.array(forKey: "geo")?.addDouble(7.5)
      hotel.setArray(MutableArrayObject(data: ["+371 1"]), forKey: "phones")
      hotel.removeValue(forKey: "opened")
      try hotels.save(document: hotel)
      print(hotel.toJSON())
      // {"name":"Hotel Ghia","stars":4,"address":{"city":"Jūrmala","geo":[56.95,24.1,7.5]},"phones":["+371 1"]}
    }

    let lux = Hotel(name: "Lux", address: Hotel.Address(city: "Tallinn"))
    try hotels.save(from: lux)  // lux.id is a UUID now
    if let id = lux.id, var stored = try hotels.document(id: id, as: Hotel.self) {
      stored.stars = 5
      try hotels.save(from: stored)
      try hotels.delete(for: stored)
    }

    let picture = Blob(contentType: "image/png", data: Data([0x89, 0x50, 0x4E, 0x47]))
    let document = MutableDocument(id: "with_picture").setBlob(picture, forKey: "picture")
    try hotels.save(document: document)

    if let blob = try hotels.document(id: "with_picture")?.blob(forKey: "picture") {
      print(blob.contentType ?? "", blob.length, blob.digest ?? "")  // image/png 4 sha1-Tv/aEsJhHi5P628NNC/raFzNgls=
      print(blob.content?.count ?? 0)  // 4
    }

    let mine = try hotels.document(id: "hotel_1")?.toMutable()
    let theirs = try hotels.document(id: "hotel_1")?.toMutable()
    if let mine, let theirs {
      try hotels.save(document: theirs.setInt(3, forKey: "stars"))
      mine.setString("Ghia", forKey: "name")
      let isSaved = try hotels.save(document: mine, concurrencyControl: .failOnConflict)
      print(isSaved)  // false
      let isMerged = try hotels.save(document: mine) { mine, stored in
        guard let stored else { return false }  // deleted in the meantime
        mine.setInt(stored.int(forKey: "stars"), forKey: "stars")
        return true
      }
      print(isMerged, mine.int(forKey: "stars"))  // true 3
    }

    let note = MutableDocument(id: "note", data: ["text": "gone tomorrow"])
    try hotels.save(document: note)
    try hotels.setDocumentExpiration(id: "note", expiration: Date().addingTimeInterval(24 * 3600))
    let expiration = try hotels.getDocumentExpiration(id: "note")
    print(expiration != nil)  // true

    #expect(
      output.lines == [
        "Hotel Ghia 4", "Riga 56.95", "false",
        #"{"name":"Hotel Ghia","stars":4,"address":{"city":"Jūrmala","geo":[56.95,24.1,7.5]},"phones":["+371 1"]}"#,
        "image/png 4 sha1-Tv/aEsJhHi5P628NNC/raFzNgls=", "4", "false", "true 3", "true",
      ])
  }

  @Test func listening() throws {
    let called = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "test")
    func print(_ items: Any...) {
      output.lines.append("\(items[0])")
      called.signal()
    }
    let token = hotels.addChangeListener(queue: queue) { change in
      print(change.documentIDs)  // ["hotel_2"]
    }
    try hotels.save(document: MutableDocument(id: "hotel_2"))
    #expect(called.wait(timeout: .now() + 30) == .success)
    token.remove()
    queue.sync { #expect(output.lines == [#"["hotel_2"]"#]) }
  }

  /// The page refers to a file of the reader, which does not exist here, so the call throws an error.
  @Test func couchbaseLite() throws {
    expectError(CBLError.notFound, "travel.cblite2") {
      let summary = try database.importCouchbaseLite(at: "travel.cblite2")
      for problem in summary.problems { print(problem) }
      print("\(summary.documentCount) documents, \(summary.deletedCount) deleted")
    }
  }

  @Test func olderPrograms() throws {
    let user = database.document(withID: "user")
    user.properties = ["type": "user", "admin": false, "address": ["street": "1 park street"]]
    user["createdAt"] = Date()
    let address: Subdocument? = user["address"]
    address?["city"] = "galaxy city"
    try user.save()
    let type: String? = user["type"]
    print(type ?? "", (user["createdAt"] as Date?) != nil, user.getString("none") ?? "nil")  // user true nil

    for document in database.allDocuments { print(document.id) }  // user
    let users = try database.createQuery(where: "type == $Type", returning: ["type", "admin"])
    users.parameters = ["Type": "user"]
    for row in try users.run() {
      let type: String? = row[0]
      let isAdmin: Bool = row[1]
      print(row.documentID, type ?? "", isAdmin)  // user user false
    }
    let index = Index.valueIndex().on(ValueIndexItem.expression(Expression.property("type")))
    try database.createIndex(index, withName: "types")
    #expect(output.lines == ["user true nil", "user", "user user false"])
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  private final class Output {
    var lines: [String] = []
  }
}
