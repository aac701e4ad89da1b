import Foundation
import JSONText

/// `_approx_count_distinct`: the approximate number of distinct keys, estimated by HyperLogLog with 2^11 registers. The
/// standard error is 2.3 %.
///
/// A partial result lists the nonzero registers in three bytes each: the register's number and its rank. If more than
/// 682 registers are nonzero, it contains the ranks of all registers instead.
struct DistinctReducer: ViewReducer {
  private static let precision = 11
  private static let registerCount = 1 << precision

  var readsValues: Bool { false }

  func partial(of rows: [ReducedRow]) -> [UInt8] {
    var registers = [UInt8](repeating: 0, count: DistinctReducer.registerCount)
    for row in rows {
      let hash = DistinctReducer.hash(row.sort)
      let register = Int(hash >> UInt64(64 - DistinctReducer.precision))
      let rank = UInt8((hash << UInt64(DistinctReducer.precision) | 1 << 10).leadingZeroBitCount + 1)
      registers[register] = max(registers[register], rank)
    }
    return DistinctReducer.encoded(registers)
  }

  func rereduce(_ partials: [[UInt8]]) -> [UInt8] {
    var registers = [UInt8](repeating: 0, count: DistinctReducer.registerCount)
    for partial in partials { DistinctReducer.merge(partial, into: &registers) }
    return DistinctReducer.encoded(registers)
  }

  func value(of partial: [UInt8]) -> JSONValue {
    var registers = [UInt8](repeating: 0, count: DistinctReducer.registerCount)
    DistinctReducer.merge(partial, into: &registers)
    let count = Double(registers.count)
    let sum = registers.reduce(0.0) { $0 + 1 / Double(UInt64(1) << UInt64(min($1, 63))) }
    let estimate = 0.7213 / (1 + 1.079 / count) * count * count / sum
    let empty = registers.count { $0 == 0 }
    // Linear counting is more accurate for small numbers.
    let result = estimate <= 2.5 * count && empty > 0 ? count * log(count / Double(empty)) : estimate
    // If the file is damaged, the stored ranks may yield an estimate that exceeds the range of an integer.
    return .int64(Int64(min(result.rounded(), 0x1p62)))
  }

  private static func encoded(_ registers: [UInt8]) -> [UInt8] {
    let used = registers.indices.filter { registers[$0] != 0 }
    guard used.count * 3 < registerCount else { return registers }
    return used.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF), registers[$0]] }
  }

  /// Merges a partial result into registers. Damaged bytes are ignored.
  private static func merge(_ partial: [UInt8], into registers: inout [UInt8]) {
    if partial.count == registerCount {
      for index in registers.indices { registers[index] = max(registers[index], partial[index]) }
      return
    }
    for start in stride(from: 0, to: partial.count - 2, by: 3) {
      let register = Int(partial[start]) << 8 | Int(partial[start + 1])
      if register < registerCount { registers[register] = max(registers[register], partial[start + 2]) }
    }
  }

  /// Returns the FNV-1a hash, finalized with MurmurHash3's mix function. Stored registers depend on this function.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}
