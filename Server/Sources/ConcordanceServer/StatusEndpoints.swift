import Concordance
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Health, metrics, and the description of the API.
enum StatusEndpoints {
  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/health", operation: "health", summary: "Reports that the server answers.", scope: nil
    ) { _ in
      var writer = JSONWriter()
      writer.object { $0.member("status", "available") }
      return .json(writer)
    },
    Endpoint(
      method: .get, path: "/metrics", operation: "metrics", summary: "Returns counters in Prometheus' text format.",
      responses: [(200, "The counters.", "text/plain")]
    ) { input in
      let queue = input.server.queue
      let text =
        input.server.metrics.text + """
          # TYPE concord_requests_running gauge
          concord_requests_running \(queue.runningCount)
          # TYPE concord_requests_refused_total counter
          concord_requests_refused_total \(queue.refusedCount)

          """
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    },
    Endpoint(
      method: .get, path: "/openapi.json", operation: "openapi", summary: "Describes the API as OpenAPI 3.1.",
      scope: nil
    ) { _ in .json(ByteBuffer(bytes: OpenAPIDocument.bytes)) },
  ]
}
