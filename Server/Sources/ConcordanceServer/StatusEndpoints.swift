import Concordance
import ConcordanceNetwork
import HTTPTypes
import Hummingbird
import JSONText
import NIOCore

/// Health, metrics, and the API description.
enum StatusEndpoints {
  static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/health", operation: "health",
      summary: """
        Returns 200, or 503 if a database was deleted or replaced, or one of its PostgreSQL servers is not available.
        """, scope: nil,
      result: .object(["status": .choice(["available"])])
    ) { input in
      if input.server.databases.contains(where: { $0.value.isFileReplaced }) {
        // Without the name, because this endpoint requires no token.
        throw Problem(.serviceUnavailable, Problem.replacedCode, "a database was deleted or replaced")
      }
      for check in input.server.serverChecks {
        if let problem = await check.problem() { throw problem }
      }
      var writer = JSONWriter()
      writer.object { $0.member("status", "available") }
      return .json(writer)
    },
    Endpoint(
      method: .get, path: "/metrics", operation: "metrics", summary: "Returns counters in the Prometheus text format.",
      responses: [(200, "The counters.", "text/plain")]
    ) { input in
      let queue = input.server.queue
      let cache = PostingsCacheStatistics.current
      let databases = DatabaseStatistics.metrics(try await DatabaseStatistics.all(input.server))
      let text =
        input.server.metrics.text + databases + """
          # TYPE concord_requests_running gauge
          concord_requests_running \(queue.runningCount)
          # TYPE concord_requests_refused_total counter
          concord_requests_refused_total \(queue.refusedCount)
          # TYPE concord_connections_active gauge
          concord_connections_active \(input.server.connections.count)
          # TYPE concord_event_streams_active gauge
          concord_event_streams_active \(input.server.streams.runningCount)
          # TYPE concord_replication_connections gauge
          concord_replication_connections \(input.server.replication.connectionCount)
          # TYPE concord_postings_cache_bytes gauge
          concord_postings_cache_bytes \(cache.size)
          # TYPE concord_postings_cache_limit_bytes gauge
          concord_postings_cache_limit_bytes \(cache.limit)
          # TYPE concord_postings_cache_hits_total counter
          concord_postings_cache_hits_total \(cache.hitCount)
          # TYPE concord_postings_cache_misses_total counter
          concord_postings_cache_misses_total \(cache.missCount)

          """
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    },
    Endpoint(
      method: .get, path: "/stats", operation: "stats",
      summary: "Returns the sizes of databases, collections and indexes, and request counts.",
      result: .object([
        "uptime": .number, "requests": .object(["total": .count, "running": .count, "refused": .count]),
        "databases": .array(DatabaseStatistics.schema),
      ])
    ) { input in
      let databases = try await DatabaseStatistics.all(input.server)
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("uptime", input.server.start.duration(to: .now) / .seconds(1))
        writer.object("requests") { writer in
          writer.member("total", input.server.queue.totalCount)
          writer.member("running", input.server.queue.runningCount)
          writer.member("refused", input.server.queue.refusedCount)
        }
        writer.list("databases", of: databases) { $1.write(to: &$0) }
      }
      return .json(writer)
    },
    Endpoint(
      method: .get, path: "/openapi.json", operation: "openapi", summary: "Describes the API as OpenAPI 3.1.",
      scope: nil, result: .object
    ) { _ in .json(ByteBuffer(bytes: OpenAPIDocument.bytes)) },
  ]
}
