extension [UInt8] {
  /// The bytes in hexadecimal digits. Keys of indexes in files contain them, so the letters must stay upper-case.
  var hexadecimal: String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(unsafeUninitializedCapacity: count * 2) { buffer in
      for (index, byte) in enumerated() {
        buffer[index * 2] = digits[Int(byte >> 4)]
        buffer[index * 2 + 1] = digits[Int(byte & 15)]
      }
      return count * 2
    }
  }
}
