@testable import ConcordanceNetwork
import Foundation

/// A root certificate and a certificate for 127.0.0.1 that it has issued, made with openssl, valid for 100 years.
enum Certificates {
  static let root = """
    -----BEGIN CERTIFICATE-----
    MIIBjzCCATWgAwIBAgIUCKjfQ72ykP9QOpcHjZ4Allup0GYwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJVGVzdCByb290MCAXDTI2MTEyNDE5MjQ0NVoYDzIxMjYxMDMx
    MTkyNDQ1WjAUMRIwEAYDVQQDDAlUZXN0IHJvb3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAATmQt54k3HF036uQsXMiI47rMqILUGCAH5zEPeracV2WK36hl/ZnLEY
    hRi8QOcQ2ORc0U7k6zrwxGl6BJuFy8u9o2MwYTAdBgNVHQ4EFgQUzgjhcEwhkv9+
    k1GQ2ZqZfWipuUIwHwYDVR0jBBgwFoAUzgjhcEwhkv9+k1GQ2ZqZfWipuUIwDwYD
    VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwCgYIKoZIzj0EAwIDSAAwRQIg
    MELcljUgVfoJiAiOLX86C4egdAGkaPUzXvt0YuTBeIwCIQDp2RoMTPvnAWbW88Bo
    qWEvqdu2kIa7gefOedc7y3bhWg==
    -----END CERTIFICATE-----

    """

  static let leaf = """
    -----BEGIN CERTIFICATE-----
    MIIBnzCCAUWgAwIBAgIUAwSxetzocj3eBvOmbM/mwp59u5UwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJVGVzdCByb290MCAXDTI2MTEyNDE5MjQ0NVoYDzIxMjYxMDMx
    MTkyNDQ1WjAUMRIwEAYDVQQDDAlUZXN0IGxlYWYwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAASaeNpqvn71pyznugKgZ63o08OfuuVz1HoaLlhbt5nQDOzp+FuzbOM6
    6LUqS/amTSWJrKMWwSM9WEo+ME3H9XW8o3MwcTAPBgNVHREECDAGhwR/AAABMBMG
    A1UdJQQMMAoGCCsGAQUFBwMBMAkGA1UdEwQCMAAwHQYDVR0OBBYEFEiif+mg/Agb
    Zb2zoA0oZcAtvZbGMB8GA1UdIwQYMBaAFM4I4XBMIZL/fpNRkNmamX1oqblCMAoG
    CCqGSM49BAMCA0gAMEUCIQCQIjrO2xERd6Vad7+HKW16PWSGmTQxV4vbZ6mQ0v0C
    SAIgIjy1QvM1QevL9DVRoCcwVgL715MA+tUY1cu50qwEA5o=
    -----END CERTIFICATE-----

    """

  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9UbpEQOr7ZEPvEbg
    byjwfj5zblxz5RuCut7a0rSA7OihRANCAASaeNpqvn71pyznugKgZ63o08OfuuVz
    1HoaLlhbt5nQDOzp+FuzbOM66LUqS/amTSWJrKMWwSM9WEo+ME3H9XW8
    -----END PRIVATE KEY-----

    """

  static func issued() throws -> TLSIdentity {
    try TLSIdentity(pemCertificates: Data((leaf + root).utf8), pemPrivateKey: Data(key.utf8))
  }
}
