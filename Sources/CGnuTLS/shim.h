#ifndef VIGIL_CGNUTLS_SHIM_H
#define VIGIL_CGNUTLS_SHIM_H
#include <gnutls/crypto.h>
#include <gnutls/dtls.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* A client's session on a socket that never waits and raises no signal. In C because its flags are macros and an enum of the
   same names. */
static inline int vigil_tls_client(gnutls_session_t *session, int socket) {
    int code = gnutls_init(session, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);
    if (code >= 0) gnutls_transport_set_int(*session, socket);
    return code;
}

/* A server's session over datagrams that never waits: DTLS, its records at most `mtu` bytes. In C for the same reason. */
static inline int vigil_dtls_server(gnutls_session_t *session, unsigned mtu) {
    int code = gnutls_init(session, GNUTLS_SERVER | GNUTLS_DATAGRAM | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);
    if (code < 0) return code;
    gnutls_dtls_set_mtu(*session, mtu);
    /* Milliseconds until a flight is sent again, and until the handshake is given up. */
    gnutls_dtls_set_timeouts(*session, 400, 15000);
    code = gnutls_srtp_set_profile(*session, GNUTLS_SRTP_AES128_CM_HMAC_SHA1_80);
    if (code < 0) gnutls_deinit(*session);
    return code;
}

/* When the first certificate of the peer ends to be valid, in seconds since 1970; -1 where there is none. */
static inline int64_t vigil_tls_expiry(gnutls_session_t session) {
    unsigned int count = 0;
    const gnutls_datum_t *list = gnutls_certificate_get_peers(session, &count);
    gnutls_x509_crt_t certificate;
    if (list == NULL || count == 0 || gnutls_x509_crt_init(&certificate) < 0) return -1;
    int64_t when = -1;
    if (gnutls_x509_crt_import(certificate, list, GNUTLS_X509_FMT_DER) >= 0)
        when = gnutls_x509_crt_get_expiration_time(certificate);
    gnutls_x509_crt_deinit(certificate);
    return when;
}

/* Gives back what GnuTLS allocated. In C because its function for it is a variable. */
static inline void vigil_tls_free(void *memory) { gnutls_free(memory); }
#endif
