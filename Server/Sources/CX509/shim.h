#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

// Functions that need macros or several objects of libcrypto. They return 1 for success or yes, and 0 for failure or no.
// Texts that they return are freed with free().

static inline char *concordance_takeText(BIO *bio) {
  char *bytes = NULL;
  long count = BIO_get_mem_data(bio, &bytes);
  char *text = count > 0 ? (char *)malloc((size_t)count + 1) : NULL;
  if (text) {
    memcpy(text, bytes, (size_t)count);
    text[count] = 0;
  }
  return text;
}

static inline int concordance_writePEM(X509 *leaf, STACK_OF(X509) * chain, EVP_PKEY *key, char **certificates,
                                       char **privateKey) {
  BIO *one = BIO_new(BIO_s_mem()), *other = BIO_new(BIO_s_mem());
  int done = one && other && PEM_write_bio_X509(one, leaf) == 1;
  for (int i = 0; done && chain && i < sk_X509_num(chain); i++) {
    done = PEM_write_bio_X509(one, sk_X509_value(chain, i)) == 1;
  }
  done = done && PEM_write_bio_PrivateKey(other, key, NULL, NULL, 0, NULL, NULL) == 1;
  if (done) {
    *certificates = concordance_takeText(one);
    *privateKey = concordance_takeText(other);
    done = *certificates && *privateKey;
  }
  BIO_free(one);
  BIO_free(other);
  return done;
}

static inline int concordance_addExtension(X509 *certificate, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int done = extension && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return done;
}

// Creates a key of the curve P-256 and a self-signed certificate for it, both in PEM form.
static inline int concordance_createCertificate(const char *name, const char *alternativeNames, long seconds,
                                                char **certificate, char **privateKey) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *x509 = X509_new();
  unsigned char serial[16] = {0};
  BIGNUM *number = NULL;
  int done = key && x509 && RAND_bytes(serial, sizeof serial) == 1;
  if (done) {
    serial[0] = (unsigned char)((serial[0] & 0x7F) | 0x40);
    number = BN_bin2bn(serial, sizeof serial, NULL);
    X509_NAME *subject = X509_get_subject_name(x509);
    done = number && X509_set_version(x509, 2) == 1 && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)) &&
           X509_gmtime_adj(X509_getm_notBefore(x509), -60) && X509_gmtime_adj(X509_getm_notAfter(x509), seconds) &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) == 1 &&
           X509_set_issuer_name(x509, subject) == 1 && X509_set_pubkey(x509, key) == 1 &&
           concordance_addExtension(x509, NID_basic_constraints, "critical,CA:FALSE") &&
           concordance_addExtension(x509, NID_key_usage, "critical,digitalSignature") &&
           concordance_addExtension(x509, NID_ext_key_usage, "serverAuth,clientAuth") &&
           (!alternativeNames || concordance_addExtension(x509, NID_subject_alt_name, alternativeNames)) &&
           X509_sign(x509, key, EVP_sha256()) > 0 && concordance_writePEM(x509, NULL, key, certificate, privateKey);
  }
  BN_free(number);
  X509_free(x509);
  EVP_PKEY_free(key);
  return done;
}

// Converts a PKCS#12 file to PEM. The leaf is the first certificate.
static inline int concordance_readPKCS12(const unsigned char *bytes, long count, const char *password,
                                         char **certificates, char **privateKey) {
  const unsigned char *next = bytes;
  PKCS12 *file = d2i_PKCS12(NULL, &next, count);
  EVP_PKEY *key = NULL;
  X509 *leaf = NULL;
  STACK_OF(X509) *chain = NULL;
  int done = file && PKCS12_parse(file, password, &key, &leaf, &chain) == 1 && key && leaf &&
             concordance_writePEM(leaf, chain, key, certificates, privateKey);
  PKCS12_free(file);
  EVP_PKEY_free(key);
  X509_free(leaf);
  sk_X509_pop_free(chain, X509_free);
  return done;
}

// Returns whether a certificate is signed with its own key.
static inline int concordance_isSelfSigned(const unsigned char *bytes, long count) {
  const unsigned char *next = bytes;
  X509 *certificate = d2i_X509(NULL, &next, count);
  EVP_PKEY *key = certificate ? X509_get0_pubkey(certificate) : NULL;
  int yes = key && X509_NAME_cmp(X509_get_subject_name(certificate), X509_get_issuer_name(certificate)) == 0 &&
            X509_verify(certificate, key) == 1;
  X509_free(certificate);
  return yes;
}

// Returns whether the subject of a certificate has a common name.
static inline int concordance_hasCommonName(const unsigned char *bytes, long count, const char *name) {
  const unsigned char *next = bytes;
  X509 *certificate = d2i_X509(NULL, &next, count);
  char text[128] = {0};
  int length = certificate ? X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, text,
                                                       sizeof text)
                           : -1;
  X509_free(certificate);
  return length > 0 && strcmp(text, name) == 0;
}

// Returns whether a certificate is valid for a host name or IP address.
static inline int concordance_isValidForHost(const unsigned char *bytes, long count, const char *host) {
  const unsigned char *next = bytes;
  X509 *certificate = d2i_X509(NULL, &next, count);
  int yes = certificate && (X509_check_ip_asc(certificate, host, 0) == 1 ||
                            X509_check_host(certificate, host, 0, 0, NULL) == 1);
  X509_free(certificate);
  return yes;
}

// Returns whether a chain of certificates, leaf first, leads to a trusted certificate, which need not be a root.
// The certificates of the chain follow each other in `bytes`.
static inline int concordance_isIssuedBy(const unsigned char *bytes, const long *counts, int number,
                                         const unsigned char *trusted, long trustedCount) {
  const unsigned char *next = trusted;
  X509 *anchor = d2i_X509(NULL, &next, trustedCount), *leaf = NULL;
  STACK_OF(X509) *others = sk_X509_new_null();
  next = bytes;
  for (int i = 0; i < number; i++) {
    const unsigned char *end = next + counts[i];
    X509 *certificate = d2i_X509(NULL, &next, counts[i]);
    next = end;
    if (i == 0) {
      leaf = certificate;
    } else if (certificate && !sk_X509_push(others, certificate)) {
      X509_free(certificate);
    }
  }
  X509_STORE *store = X509_STORE_new();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int yes = anchor && leaf && others && store && context && X509_STORE_add_cert(store, anchor) == 1 &&
            X509_STORE_CTX_init(context, store, leaf, others) == 1;
  if (yes) {
    X509_STORE_CTX_set_flags(context, X509_V_FLAG_PARTIAL_CHAIN);
    yes = X509_verify_cert(context) == 1;
  }
  X509_STORE_CTX_free(context);
  X509_STORE_free(store);
  sk_X509_pop_free(others, X509_free);
  X509_free(leaf);
  X509_free(anchor);
  return yes;
}
