import Synchronization

/// Counts requests and measures their latencies for `/metrics`. The labels are operation names, so their number is
/// bounded.
final class RequestMetrics: Sendable {
  /// The upper bounds of the latency histogram in seconds.
  static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

  private struct Series {
    var buckets = [UInt64](repeating: 0, count: RequestMetrics.bounds.count)
    var count: UInt64 = 0
    var seconds = 0.0
    var statuses: [Int: UInt64] = [:]
  }

  private let series = Mutex<[String: Series]>([:])
  /// The number of responses of each operation that an error ended after their head was sent.
  private let aborted = Mutex<[String: UInt64]>([:])

  func record(_ operation: String, status: Int, duration: Duration) {
    let seconds = duration / .seconds(1)
    series.withLock { all in
      var one = all[operation] ?? Series()
      for (index, bound) in RequestMetrics.bounds.enumerated() where seconds <= bound { one.buckets[index] &+= 1 }
      one.count &+= 1
      one.seconds += seconds
      one.statuses[status, default: 0] &+= 1
      all[operation] = one
    }
  }

  func recordAbortedResponse(_ operation: String) { aborted.withLock { $0[operation, default: 0] &+= 1 } }

  /// The metrics in the Prometheus text format.
  var text: String {
    let all = series.withLock { $0 }.sorted { $0.key < $1.key }
    var text = "# TYPE concord_http_requests_total counter\n"
    for (name, one) in all {
      for (status, count) in one.statuses.sorted(by: { $0.key < $1.key }) {
        text += "concord_http_requests_total{operation=\"\(name)\",status=\"\(status)\"} \(count)\n"
      }
    }
    text += "# TYPE concord_http_responses_aborted_total counter\n"
    for (name, count) in aborted.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "concord_http_responses_aborted_total{operation=\"\(name)\"} \(count)\n"
    }
    text += "# TYPE concord_http_request_duration_seconds histogram\n"
    for (name, one) in all {
      let prefix = "concord_http_request_duration_seconds"
      for (bound, count) in zip(RequestMetrics.bounds, one.buckets) {
        text += "\(prefix)_bucket{operation=\"\(name)\",le=\"\(bound)\"} \(count)\n"
      }
      text += "\(prefix)_bucket{operation=\"\(name)\",le=\"+Inf\"} \(one.count)\n"
      text += "\(prefix)_sum{operation=\"\(name)\"} \(one.seconds)\n"
      text += "\(prefix)_count{operation=\"\(name)\"} \(one.count)\n"
    }
    return text
  }
}
