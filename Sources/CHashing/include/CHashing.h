// Sums in C. Those by the processor's own instructions take a tenth of the time; each of them says false, and does nothing, where the
// processor has none; Hashing does it by itself then.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes so many blocks of 64 bytes into the four words of an MD5.
void vigil_md5(uint32_t *state, const uint8_t *blocks, size_t count);
/// Takes so many blocks of 64 bytes into the eight words of a SHA-256, with the 64 constants of FIPS 180-4.
bool vigil_sha256(uint32_t *state, const uint32_t *constants, const uint8_t *blocks, size_t count);
/// Takes bytes into the state of a CRC-32C.
bool vigil_crc32c(uint32_t *state, const uint8_t *bytes, size_t count);
/// Takes so many blocks of 64 bytes into several sums at once, which takes about as long as the slowest of them: an MD5 (or NULL), a
/// SHA-256, another SHA-256 that began at another block (or NULL), and a CRC-32C.
bool vigil_sums(uint32_t *md5, uint32_t *sha256, uint32_t *part, const uint32_t *constants, uint32_t *crc32c, const uint8_t *blocks,
                size_t count);
