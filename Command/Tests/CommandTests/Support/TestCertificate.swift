/// A self-signed certificate for `localhost` that is valid until 2126, and its key, which only tests use.
enum TestCertificate {
  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBnDCCAUGgAwIBAgIUSKD3TefJ1+YsGxn1JJa4RiRSrX0wCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNDEyNTk0N1oYDzIxMjYxMDMx
    MTI1OTQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQ0kxzwmSUg7SQgidEyh9ksI1fKmsbYwhgXdR0KX7i91WbB/7l80hlQ
    MraWjZWYoJyOjrdwPhYQrLrAtzBRUEFlo28wbTAdBgNVHQ4EFgQUvd+sDjZOsveG
    h+77z4TX9CUaNcswHwYDVR0jBBgwFoAUvd+sDjZOsveGh+77z4TX9CUaNcswDwYD
    VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
    zj0EAwIDSQAwRgIhAMMuyWuDeds1cfR2cQrBwX7aSSu12269JmVfCzrse9alAiEA
    hdDvfaw43hneOIi4kbAMCcjU82bg4kqiWqvAw1ve3k4=
    -----END CERTIFICATE-----
    """

  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZtwCmk2khSuYjmgB
    48sSQj6Vox14IvwQtbZbL4VR4/+hRANCAAQ0kxzwmSUg7SQgidEyh9ksI1fKmsbY
    whgXdR0KX7i91WbB/7l80hlQMraWjZWYoJyOjrdwPhYQrLrAtzBRUEFl
    -----END PRIVATE KEY-----
    """

  /// The key of another certificate.
  static let otherKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfysY/wbQEEYEJRyF
    JhxAnctVOkNmuWule1VJGiEWJUGhRANCAATdPG4ZwX8XYn99X41DyjG1RB6cS/3y
    LRoIFagb6w680Rrr0EkJgyfgOwTb2flThmTkmNEXDMLqVfK5qfOh6J43
    -----END PRIVATE KEY-----
    """
}
