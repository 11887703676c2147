// MD5, and SHA-256 and CRC-32C by the instructions of x86-64 (Intel SHA Extensions, SSE 4.2), alone and in one go.
#include "CHashing.h"

#include "md5.h"

void vigil_md5(uint32_t *state, const uint8_t *block, size_t count) {
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (; count > 0; count--, block += 64) {
        const uint32_t a0 = a, b0 = b, c0 = c, d0 = d;
        MD5_BLOCK(MD5_ALONE)
        a += a0, b += b0, c += c0, d += d0;
    }
    state[0] = a, state[1] = b, state[2] = c, state[3] = d;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

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

/// The eight words as the instructions want them: a, b, e, f and c, d, g, h, the highest first.
typedef struct {
    __m128i abef, cdgh;
} sha256_words;

#define WITH_SHA __attribute__((always_inline, target("sha,sse4.2"))) static inline

WITH_SHA sha256_words sha256_load(const uint32_t *state) {
    const __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
    const __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
    return (sha256_words){_mm_alignr_epi8(low, high, 8), _mm_blend_epi16(high, low, 0xf0)};
}

WITH_SHA void sha256_store(uint32_t *state, sha256_words words) {
    const __m128i low = _mm_shuffle_epi32(words.abef, 0x1b), high = _mm_shuffle_epi32(words.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

WITH_SHA void sha256_begin(__m128i *w, const uint8_t *block) {
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), swapped);
}

/// Four steps of one sum.
WITH_SHA void sha256_four(sha256_words *words, __m128i k) {
    words->cdgh = _mm_sha256rnds2_epu32(words->cdgh, words->abef, k);
    words->abef = _mm_sha256rnds2_epu32(words->abef, words->cdgh, _mm_shuffle_epi32(k, 0x0e));
}

/// The words of the message for four steps later than the `i`th four.
WITH_SHA void sha256_extend(__m128i *w, int i) {
    if (i >= 12) return;
    const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]), _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
    w[i & 3] = _mm_sha256msg2_epu32(sum, w[(i + 3) & 3]);
}

WITH_SHA void sha256_end(sha256_words *words, sha256_words first) {
    words->abef = _mm_add_epi32(words->abef, first.abef);
    words->cdgh = _mm_add_epi32(words->cdgh, first.cdgh);
}

/// All sums of a block at once: an instruction of one waits while those of the others are done. What is not wanted is left out
/// when this is compiled.
WITH_SHA void sums(uint32_t *md5, uint32_t *sha256, uint32_t *part, const uint32_t *constants, uint32_t *crc32c,
                   const uint8_t *block, size_t count, const int with_md5, const int with_part) {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    if (with_md5) a = md5[0], b = md5[1], c = md5[2], d = md5[3];
    sha256_words whole = sha256_load(sha256), own = whole;
    if (with_part) own = sha256_load(part);
    uint64_t crc = *crc32c;
    for (; count > 0; count--, block += 64) {
        const uint32_t a0 = a, b0 = b, c0 = c, d0 = d;
        const sha256_words first = whole, first_own = own;
        __m128i w[4];
        sha256_begin(w, block);
#define ALSO(i)                                                                                                   \
    {                                                                                                             \
        const __m128i k = _mm_add_epi32(w[(i) & 3], _mm_loadu_si128((const __m128i *)(constants + 4 * (i))));     \
        sha256_four(&whole, k);                                                                                   \
        if (with_part) sha256_four(&own, k);                                                                      \
        sha256_extend(w, i);                                                                                      \
        if ((i) % 2 == 0) {                                                                                       \
            uint64_t eight;                                                                                       \
            memcpy(&eight, block + 4 * (i), 8);                                                                   \
            crc = _mm_crc32_u64(crc, eight);                                                                      \
        }                                                                                                         \
    }
        if (with_md5) {
            MD5_BLOCK(ALSO)
            a += a0, b += b0, c += c0, d += d0;
        } else {
            ALSO(0) ALSO(1) ALSO(2) ALSO(3) ALSO(4) ALSO(5) ALSO(6) ALSO(7)
            ALSO(8) ALSO(9) ALSO(10) ALSO(11) ALSO(12) ALSO(13) ALSO(14) ALSO(15)
        }
        sha256_end(&whole, first);
        if (with_part) sha256_end(&own, first_own);
    }
    if (with_md5) md5[0] = a, md5[1] = b, md5[2] = c, md5[3] = d;
    sha256_store(sha256, whole);
    if (with_part) sha256_store(part, own);
    *crc32c = (uint32_t)crc;
}

__attribute__((target("sha,sse4.2"))) static void sums_of(uint32_t *md5, uint32_t *sha256, uint32_t *part, const uint32_t *constants,
                                                          uint32_t *crc32c, const uint8_t *blocks, size_t count) {
    if (md5 && part) {
        sums(md5, sha256, part, constants, crc32c, blocks, count, 1, 1);
    } else if (md5) {
        sums(md5, sha256, part, constants, crc32c, blocks, count, 1, 0);
    } else if (part) {
        sums(md5, sha256, part, constants, crc32c, blocks, count, 0, 1);
    } else {
        sums(md5, sha256, part, constants, crc32c, blocks, count, 0, 0);
    }
}

__attribute__((target("sha,sse4.2"))) static void sha256_of(uint32_t *state, const uint32_t *constants, const uint8_t *block, size_t count) {
    sha256_words words = sha256_load(state);
    for (; count > 0; count--, block += 64) {
        const sha256_words first = words;
        __m128i w[4];
        sha256_begin(w, block);
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            sha256_four(&words, _mm_add_epi32(w[i & 3], _mm_loadu_si128((const __m128i *)(constants + 4 * i))));
            sha256_extend(w, i);
        }
        sha256_end(&words, first);
    }
    sha256_store(state, words);
}

/// The product of two polynomials modulo Castagnoli's; the highest bit is the lowest power of x.
static uint32_t product(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (int bit = 31; bit >= 0; bit--) {
        sum ^= -(a >> bit & 1) & b;
        b = b >> 1 ^ (-(b & 1) & 0x82f63b78);
    }
    return sum;
}

/// A step waits for the one before, so four stretches are taken at once and joined: appending a stretch of zeros to one is a
/// product with a power of x.
enum { STRETCH = 4096 };
static const uint32_t STRETCH_POWER = 0x35d73a62;

__attribute__((target("sse4.2"))) static uint32_t crc32c(uint32_t state, const uint8_t *bytes, size_t count) {
    uint64_t sum = state;
    for (; count >= 4 * STRETCH; count -= 4 * STRETCH, bytes += 4 * STRETCH) {
        uint64_t second = 0, third = 0, fourth = 0;
        for (int i = 0; i < STRETCH; i += 8) {
            uint64_t words[4];
            for (int k = 0; k < 4; k++) memcpy(words + k, bytes + k * STRETCH + i, 8);
            sum = _mm_crc32_u64(sum, words[0]);
            second = _mm_crc32_u64(second, words[1]);
            third = _mm_crc32_u64(third, words[2]);
            fourth = _mm_crc32_u64(fourth, words[3]);
        }
        sum = product(STRETCH_POWER, (uint32_t)sum) ^ second;
        sum = product(STRETCH_POWER, (uint32_t)sum) ^ third;
        sum = product(STRETCH_POWER, (uint32_t)sum) ^ fourth;
    }
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
    sha256_of(state, constants, blocks, count);
    return true;
}

bool vigil_crc32c(uint32_t *state, const uint8_t *bytes, size_t count) {
    if (!(features() & HAS_CRC)) return false;
    *state = crc32c(*state, bytes, count);
    return true;
}

bool vigil_sums(uint32_t *md5, uint32_t *sha256, uint32_t *part, const uint32_t *constants, uint32_t *crc, const uint8_t *blocks,
                size_t count) {
    if ((features() & (HAS_SHA | HAS_CRC)) != (HAS_SHA | HAS_CRC)) return false;
    sums_of(md5, sha256, part, constants, crc, blocks, count);
    return true;
}
#else
bool vigil_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *blocks, size_t count) { return false; }
bool vigil_crc32c(uint32_t *state, const uint8_t *bytes, size_t count) { return false; }
bool vigil_sums(uint32_t *md5, uint32_t *sha256, uint32_t *part, const uint32_t *constants, uint32_t *crc32c, const uint8_t *blocks,
                size_t count) {
    return false;
}
#endif
