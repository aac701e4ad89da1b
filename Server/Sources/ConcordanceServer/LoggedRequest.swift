import Foundation
import HTTPTypes
import JSONText

/// A request in an ``AccessLog``.
struct LoggedRequest {
  /// The time at which the head of the request was received.
  let time: Date
  /// The IP address of the client, or of a proxy.
  var client: String?
  let method: String
  /// The path and the query.
  let target: String
  var forwardedFor: String?
  var userAgent: String?
  /// 0 if no response was sent.
  var status = 0
  /// The number of bytes of the response's body that were sent.
  var byteCount = 0
  /// The time until the last byte was passed to the connection.
  var duration = Duration.zero
  /// Whether the response was sent completely.
  var isComplete = true

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("time", time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      if let client { writer.member("client", client) }
      if let forwardedFor { writer.member("forwardedFor", forwardedFor) }
      writer.member("method", method)
      writer.member("target", target)
      if status > 0 { writer.member("status", status) }
      writer.member("bytes", byteCount)
      writer.member("milliseconds", ((duration / .milliseconds(1)) * 1000).rounded() / 1000)
      if !isComplete { writer.member("isComplete", false) }
      if let userAgent { writer.member("userAgent", userAgent) }
    }
  }
}

extension LoggedRequest {
  /// Describes a request whose response is not known yet.
  init(_ head: HTTPRequest, client: String?) {
    self.init(
      time: .now, client: client, method: head.method.rawValue, target: head.path ?? "",
      forwardedFor: HTTPField.Name("X-Forwarded-For").flatMap { head.headerFields[$0] },
      userAgent: head.headerFields[.userAgent])
  }
}
