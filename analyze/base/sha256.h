/*
 * sha256.h - SHA-256 (FIPS 180-4)
 *
 * For names of content: the hash by which a report's Content-Security-Policy allows its own style and nothing else; and for the tokens
 * of redact.h. None of the libraries this program stands on offers it.
 */
#ifndef STORDX_BASE_SHA256_H
#define STORDX_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum {
    SHA256_SIZE = 32,       /* bytes of a digest */
    SHA256_BASE64_SIZE = 45 /* characters of a digest in base64, with padding and the end */
};

/* The digest of data[0..len), most significant byte first. data may be NULL when len is 0. */
void sha256(const void *data, size_t len, uint8_t digest[SHA256_SIZE]);

/* A digest in base64 (RFC 4648, section 4, with padding), NUL terminated. */
void sha256_base64(const uint8_t digest[SHA256_SIZE], char out[SHA256_BASE64_SIZE]);

#endif
