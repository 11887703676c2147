#ifndef VIGIL_CSRTP_SHIM_H
#define VIGIL_CSRTP_SHIM_H
#include <srtp2/srtp.h>
#include <string.h>

/* A context for one direction with AES-128 in counter mode and HMAC-SHA1 of 80 bits (RFC 5764, 4.1.2), for any source; `key` is
   the master key of 16 bytes and the salt of 14. In C because the policy holds unions and a pointer to the key. */
static inline srtp_err_status_t vigil_srtp_create(srtp_t *context, const unsigned char *key, _Bool sends) {
    srtp_policy_t policy;
    memset(&policy, 0, sizeof policy);
    srtp_crypto_policy_set_rtp_default(&policy.rtp);
    srtp_crypto_policy_set_rtcp_default(&policy.rtcp);
    policy.ssrc.type = sends ? ssrc_any_outbound : ssrc_any_inbound;
    policy.key = (unsigned char *)key;
    policy.window_size = 1024;
    return srtp_create(context, &policy);
}
#endif
