// SHA-256 and CRC-32C by the instructions of x86-64 (Intel SHA Extensions, SSE 4.2).
#include "CHashing.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <string.h>

enum { LOOKED = 1, HAS_SHA = 2, HAS_CRC = 4 };

/// What the processor has. It is asked once: a machine that is virtual leaves its guest for the answer.
static int features(void) {
    static atomic_int known;
    int found = atomic_load_explicit(&known, memory_order_relaxed);
    if (found) return found;
    unsigned a, b, c, d;
    found = LOOKED;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        const unsigned ssse3 = 1u << 9, sse41 = 1u << 19, sse42 = 1u << 20;
        if (c & sse42) found |= HAS_CRC;
        if ((c & ssse3) && (c & sse41) && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1)) found |= HAS_SHA;
    }
    atomic_store_explicit(&known, found, memory_order_relaxed);
    return found;
}

__attribute__((target("sha,sse4.1"))) static void sha256(uint32_t *state, const uint32_t *constants,
                                                           const uint8_t *blocks, size_t count) {
    // The instructions want the words as a, b, e, f and c, d, g, h, the highest first.
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
    for (; count > 0; count--, blocks += 64) {
        const __m128i firstABEF = abef, firstCDGH = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), swapped);
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {  // four steps at a time
            const __m128i k = _mm_add_epi32(w[i & 3], _mm_loadu_si128((const __m128i *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
            if (i < 12) {
                const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]),
                                                  _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
                w[i & 3] = _mm_sha256msg2_epu32(sum, w[(i + 3) & 3]);
            }
        }
        abef = _mm_add_epi32(abef, firstABEF);
        cdgh = _mm_add_epi32(cdgh, firstCDGH);
    }
    low = _mm_shuffle_epi32(abef, 0x1b);
    high = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

__attribute__((target("sse4.2"))) static uint32_t crc32c(uint32_t state, const uint8_t *bytes, size_t count) {
    uint64_t sum = state;
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        sum = _mm_crc32_u64(sum, word);
    }
    for (; count > 0; count--) sum = _mm_crc32_u8((uint32_t)sum, *bytes++);
    return (uint32_t)sum;
}

bool vigil_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *blocks, size_t count) {
    if (!(features() & HAS_SHA)) return false;
    sha256(state, constants, blocks, count);
    return true;
}

bool vigil_crc32c(uint32_t *state, const uint8_t *bytes, size_t count) {
    if (!(features() & HAS_CRC)) return false;
    *state = crc32c(*state, bytes, count);
    return true;
}
#else
bool vigil_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *blocks, size_t count) { return false; }
bool vigil_crc32c(uint32_t *state, const uint8_t *bytes, size_t count) { return false; }
#endif
