/// Puts what encoders and decoders throw into ``CBLError``, with the path to the property.
enum CodingFailure {
  static func decoding(_ error: any Error, _ what: String) -> any Error {
    guard let error = error as? DecodingError else { return error }
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return CBLError(CBLError.decodingError, "\(what): \(error)")
    }
    return CBLError(
      CBLError.decodingError, "\(what): \(context.codingPath.propertyPath): \(context.debugDescription)")
  }

  static func encoding(
    _ error: any Error, _ what: String, _ code: Int = CBLError.encodingError
  ) -> any Error {
    guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return error }
    let path = context.codingPath.isEmpty ? "" : "\(context.codingPath.propertyPath): "
    return CBLError(code, "\(what): \(path)\(context.debugDescription)")
  }
}
