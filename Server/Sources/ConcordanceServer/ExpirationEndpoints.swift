import Concordance
import Foundation
import HTTPTypes
import Hummingbird
import JSONText

/// The time at which a document is purged.
enum ExpirationEndpoints {
  private static let path = "/databases/{database}/collections/{collection}/documents/{id}/expiration"

  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: path, operation: "getExpiration", summary: "Returns when a document expires.",
      result: .component(.expiration)
    ) { input in
      let id = input.variables["id"] ?? ""
      let date = try await input.withCollection { collection in
        guard try collection.document(id: id) != nil else { throw Problem.notFound("there is no document \"\(id)\"") }
        return try collection.getDocumentExpiration(id: id)
      }
      return response(date)
    },
    Endpoint(
      method: .put, path: path, operation: "setExpiration",
      summary: "Sets when a document expires: an RFC 3339 time, or a number of seconds from now.", scope: .write,
      parameters: WriteCondition.parameters,
      body: (
        "application/json",
        JSONSchema(
          text: #"{"type":"object","additionalProperties":false,"minProperties":1,"maxProperties":1,"#
            + #""properties":{"expiration":{"type":["string","null"],"format":"date-time"},"seconds":{"type":"integer","minimum":0}}}"#
        )
      ), result: .component(.expiration)
    ) { input in
      let id = input.variables["id"] ?? ""
      let body = try JSONBody(input.bodyObject(), keys: ["expiration", "seconds"])
      guard body.members.count == 1 else {
        throw Problem.invalidParameter("expiration", "expected either expiration, which may be null, or seconds")
      }
      var date: Date?
      if let text = try body.string("expiration") {
        guard let parsed = Date(rfc3339: text), years.contains(parsed.timeIntervalSince1970) else {
          throw Problem.invalidParameter(
            "expiration", "expected a time of the years 1970 to 9999, such as 2030-01-31T12:00:00Z")
        }
        date = parsed
      } else if body.members.contains(where: { $0.key == "seconds" }) {
        // `count` would return the default for null, and 0 purges the document.
        guard body.has("seconds") else {
          throw Problem.invalidParameter("seconds", "expected a whole number of 0 or more")
        }
        date = Date(timeIntervalSinceNow: Double(try body.count("seconds", default: 0, limit: maximumSeconds)))
      }
      let condition = WriteCondition(input.headers)
      try await input.withCollectionForWriting { [date] collection in
        try condition.check(collection.document(id: id), id)
        try collection.setDocumentExpiration(id: id, expiration: date)
      }
      return response(date)
    },
  ]

  /// About 1,000 years: a later date could have a year of five digits, which RFC 3339 does not allow.
  private static let maximumSeconds = 31_536_000_000

  /// The times from 1970 to 9999. RFC 3339 allows only years of four digits.
  private static let years = 0..<253_402_300_800.0

  private static func response(_ date: Date?) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("expiration") { writer in
        if let date { writer.write(date.formatted(.iso8601)) } else { writer.writeNull() }
      }
    }
    return .json(writer)
  }
}
