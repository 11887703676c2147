// The system calls by which Media and SQLite write, with a fault that a thread can set for itself. The program's own
// definitions come before those of the C library, also for the calls of shared libraries.
#define _GNU_SOURCE
#include "CFaults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static _Thread_local struct {
    unsigned calls;
    int code;
    long bytes;
    int struck;
} fault;

void vigil_fault_arm(unsigned calls, int code, long bytes) {
    fault.calls = calls;
    fault.code = code;
    fault.bytes = bytes;
    fault.struck = 0;
}

int vigil_fault_disarm(void) {
    fault.calls = 0;
    return fault.struck;
}

static _Thread_local int removed = -1;

void vigil_keep_removed(int folder) { removed = folder; }

static void keep(int folder, const char *name) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, sizeof path);
    size_t rest = strlen(name);
    if (length < 0 || (size_t)length + rest + 2 > sizeof path) return;
    path[length] = '/';
    memcpy(path + length + 1, name, rest + 1);
    for (char *c = path; *c; c++) *c = *c == '/' ? '%' : *c;
    int code = errno;
    linkat(folder, name, removed, path, 0);
    errno = code;
}

static _Thread_local struct {
    void (*seen)(void *context, const char *path);
    void *context;
} syncs;

void vigil_tell_syncs(void (*seen)(void *context, const char *path), void *context) {
    syncs.seen = seen;
    syncs.context = context;
}

// What a sync of a file answered; told if it has made it durable.
static int synced(int file, int result) {
    if (result || !syncs.seen) return result;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return result;
    path[length] = 0;
    syncs.seen(syncs.context, path);
    return result;
}

static int strikes(unsigned call) {
    if (!(fault.calls & call)) return 0;
    fault.struck++;
    errno = fault.code;
    return 1;
}

// How much of a write of `all` bytes is stored: all, a part as a short write, or nothing (-1) with errno.
static ssize_t share(size_t all) {
    if (!(fault.calls & vigil_calls_write)) return (ssize_t)all;
    if (fault.bytes > 0 && fault.bytes < (long)all) {
        ssize_t part = fault.bytes;
        fault.bytes = 0;
        fault.struck++;
        return part;
    }
    return strikes(vigil_calls_write) ? -1 : (ssize_t)all;
}

#define NEXT(name) \
    static _Atomic(__typeof__(&name)) found; \
    __typeof__(&name) next = atomic_load(&found); \
    if (!next) atomic_store(&found, next = (__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *data, size_t count) {
    NEXT(write);
    ssize_t part = share(count);
    return part < 0 ? -1 : next(file, data, (size_t)part);
}

ssize_t pwrite(int file, const void *data, size_t count, off_t at) {
    NEXT(pwrite);
    ssize_t part = share(count);
    return part < 0 ? -1 : next(file, data, (size_t)part, at);
}

ssize_t pwrite64(int file, const void *data, size_t count, off64_t at) {
    NEXT(pwrite64);
    ssize_t part = share(count);
    return part < 0 ? -1 : next(file, data, (size_t)part, at);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
    NEXT(pwritev);
    if (!(fault.calls & vigil_calls_write)) return next(file, parts, count, at);
    size_t all = 0;
    for (int i = 0; i < count; i++) all += parts[i].iov_len;
    ssize_t part = share(all);
    if (part < 0) return -1;
    if ((size_t)part == all) return next(file, parts, count, at);
    ssize_t done = 0;
    for (int i = 0; i < count && done < part; i++) {
        size_t length = parts[i].iov_len < (size_t)(part - done) ? parts[i].iov_len : (size_t)(part - done);
        struct iovec one = {parts[i].iov_base, length};
        if (next(file, &one, 1, at + done) != (ssize_t)length) return -1;
        done += (ssize_t)length;
    }
    return done;
}

int fsync(int file) {
    NEXT(fsync);
    return strikes(vigil_calls_sync) ? -1 : synced(file, next(file));
}

int fdatasync(int file) {
    NEXT(fdatasync);
    return strikes(vigil_calls_sync) ? -1 : synced(file, next(file));
}

int ftruncate(int file, off_t length) {
    NEXT(ftruncate);
    if (fault.calls & vigil_calls_tail) return 0;
    return strikes(vigil_calls_cut) ? -1 : next(file, length);
}

int ftruncate64(int file, off64_t length) {
    NEXT(ftruncate64);
    if (fault.calls & vigil_calls_tail) return 0;
    return strikes(vigil_calls_cut) ? -1 : next(file, length);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    NEXT(mkdirat);
    return strikes(vigil_calls_name) ? -1 : next(folder, path, mode);
}

int unlinkat(int folder, const char *path, int flags) {
    NEXT(unlinkat);
    if (strikes(vigil_calls_name)) return -1;
    if (removed >= 0 && !(flags & AT_REMOVEDIR)) keep(folder, path);
    return next(folder, path, flags);
}

// O_TMPFILE holds the bit of O_DIRECTORY, which alone takes no mode.
static mode_t mode_of(int flags, va_list rest) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    NEXT(open);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return (flags & O_CREAT) && strikes(vigil_calls_name) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    NEXT(open64);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return (flags & O_CREAT) && strikes(vigil_calls_name) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    NEXT(openat);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return (flags & O_CREAT) && strikes(vigil_calls_name) ? -1 : next(folder, path, flags, mode);
}
