import Foundation

/// Returns the wall-clock time of `work` in seconds.
func seconds(_ work: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let duration = try clock.measure(work)
  return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

/// Returns the median of `count` runs in seconds.
func median(of count: Int, _ work: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<count { times.append(try seconds(work)) }
  return times.sorted()[count / 2]
}

/// Prints a measurement for `bench.py`: one JSON object per line.
func report(_ values: [String: Any]) throws {
  let data = try JSONSerialization.data(withJSONObject: values, options: [.sortedKeys])
  print(String(decoding: data, as: UTF8.self))
}

/// Returns the processor time of all threads of this process in seconds.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
