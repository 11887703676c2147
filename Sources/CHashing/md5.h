// The steps of MD5 (RFC 1321). Each depends on the one before: its time is that of the longest chain of them, so sums are grouped in
// such a way that what depends on the newest word is taken last. `HOLD` keeps a compiler from grouping them otherwise.
#pragma once

#include <stdint.h>
#include <string.h>

#define HOLD(x) __asm__("" : "+r"(x))

static inline uint32_t word(const uint8_t *block, int index) {
    uint32_t word;
    memcpy(&word, block + 4 * index, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

static inline uint32_t rotated(uint32_t word, int count) { return word << count | word >> (32 - count); }

#define MD5_BEGIN(a, message)     \
    a += word(block, message) + constant; \
    HOLD(a)

static inline __attribute__((always_inline)) uint32_t md5f(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const uint8_t *block,
                                                           int message, uint32_t constant, int count) {
    MD5_BEGIN(a, message);
    uint32_t f = d ^ (b & (c ^ d));
    HOLD(f);
    return b + rotated(a + f, count);
}

static inline __attribute__((always_inline)) uint32_t md5g(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const uint8_t *block,
                                                           int message, uint32_t constant, int count) {
    MD5_BEGIN(a, message);
    // The two halves have no bit in common: they may be added one after the other.
    a += c & ~d;
    HOLD(a);
    uint32_t g = b & d;
    HOLD(g);
    return b + rotated(a + g, count);
}

static inline __attribute__((always_inline)) uint32_t md5h(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const uint8_t *block,
                                                           int message, uint32_t constant, int count) {
    MD5_BEGIN(a, message);
    uint32_t h = c ^ d;
    HOLD(h);
    h ^= b;
    HOLD(h);
    return b + rotated(a + h, count);
}

static inline __attribute__((always_inline)) uint32_t md5i(uint32_t a, uint32_t b, uint32_t c, uint32_t d, const uint8_t *block,
                                                           int message, uint32_t constant, int count) {
    MD5_BEGIN(a, message);
    uint32_t i = ~d;
    HOLD(i);
    i = c ^ (b | i);
    HOLD(i);
    return b + rotated(a + i, count);
}

/// Four steps; `also` is what else is done meanwhile.
#define MD5_FOUR(step, m0, m1, m2, m3, k0, k1, k2, k3, s0, s1, s2, s3, also) \
    a = step(a, b, c, d, block, m0, k0, s0);                                 \
    d = step(d, a, b, c, block, m1, k1, s1);                                 \
    c = step(c, d, a, b, block, m2, k2, s2);                                 \
    b = step(b, c, d, a, block, m3, k3, s3);                                 \
    also

/// The 64 steps of a block over the words `a` to `d`; `ALSO(i)` is done after each four of them, `i` from 0 to 15.
#define MD5_BLOCK(ALSO)                                                                                                    \
    MD5_FOUR(md5f, 0, 1, 2, 3, 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 7, 12, 17, 22, ALSO(0))                     \
    MD5_FOUR(md5f, 4, 5, 6, 7, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 7, 12, 17, 22, ALSO(1))                     \
    MD5_FOUR(md5f, 8, 9, 10, 11, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 7, 12, 17, 22, ALSO(2))                   \
    MD5_FOUR(md5f, 12, 13, 14, 15, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 7, 12, 17, 22, ALSO(3))                 \
    MD5_FOUR(md5g, 1, 6, 11, 0, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 5, 9, 14, 20, ALSO(4))                     \
    MD5_FOUR(md5g, 5, 10, 15, 4, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 5, 9, 14, 20, ALSO(5))                    \
    MD5_FOUR(md5g, 9, 14, 3, 8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 5, 9, 14, 20, ALSO(6))                     \
    MD5_FOUR(md5g, 13, 2, 7, 12, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 5, 9, 14, 20, ALSO(7))                    \
    MD5_FOUR(md5h, 5, 8, 11, 14, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 4, 11, 16, 23, ALSO(8))                   \
    MD5_FOUR(md5h, 1, 4, 7, 10, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 4, 11, 16, 23, ALSO(9))                    \
    MD5_FOUR(md5h, 13, 0, 3, 6, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 4, 11, 16, 23, ALSO(10))                   \
    MD5_FOUR(md5h, 9, 12, 15, 2, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 4, 11, 16, 23, ALSO(11))                  \
    MD5_FOUR(md5i, 0, 7, 14, 5, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 6, 10, 15, 21, ALSO(12))                   \
    MD5_FOUR(md5i, 12, 3, 10, 1, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 6, 10, 15, 21, ALSO(13))                  \
    MD5_FOUR(md5i, 8, 15, 6, 13, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 6, 10, 15, 21, ALSO(14))                  \
    MD5_FOUR(md5i, 4, 11, 2, 9, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391, 6, 10, 15, 21, ALSO(15))

#define MD5_ALONE(i)
