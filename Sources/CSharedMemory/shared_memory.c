// Memory that two processes see, and the descriptors by which it goes from one to the other: what the C library shows to GNU sources
// alone, and macros that Swift does not see.
#define _GNU_SOURCE
#include "shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int vigil_memory_make(size_t bytes, void **address) {
    int memory = memfd_create("vigil-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -errno;
    void *mapped = MAP_FAILED;
    // Allocated now: a page that is missing later would end the process.
    if (ftruncate(memory, (off_t)bytes) == 0 && fallocate(memory, 0, 0, (off_t)bytes) == 0 && fchmod(memory, 0600) == 0
        && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped == MAP_FAILED) {
        int reason = errno;
        close(memory);
        return -reason;
    }
    *address = mapped;
    return memory;
}

int vigil_memory_reader(int memory) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    int reader = open(path, O_RDONLY | O_CLOEXEC);
    return reader < 0 ? -errno : reader;
}

void vigil_memory_end(int memory, void *address, size_t bytes) {
    munmap(address, bytes);
    fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes);
    close(memory);
}

union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

int vigil_descriptor_send(int socket, const void *bytes, size_t count, int descriptor) {
    union ancillary ancillary = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = ancillary.bytes, .msg_controllen = sizeof ancillary.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return -errno;
    return (size_t)sent == count ? 0 : -EIO;
}

long vigil_descriptor_receive(int socket, void *bytes, size_t count, int *descriptor) {
    union ancillary ancillary = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = ancillary.bytes, .msg_controllen = sizeof ancillary.bytes};
    *descriptor = -1;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return -errno;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    return received;
}
