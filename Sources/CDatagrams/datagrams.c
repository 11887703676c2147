#define _GNU_SOURCE
#include "CDatagrams.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DATAGRAMS_MAX = 64 };

static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static void put(struct vigil_endpoint *endpoint, const void *sixteen) {
    memcpy(&endpoint->first, sixteen, 8);
    memcpy(&endpoint->last, (const char *)sixteen + 8, 8);
}

static void get(const struct vigil_endpoint *endpoint, void *sixteen) {
    memcpy(sixteen, &endpoint->first, 8);
    memcpy((char *)sixteen + 8, &endpoint->last, 8);
}

static void put_four(struct vigil_endpoint *endpoint, const struct in_addr *address) {
    unsigned char sixteen[16];
    memcpy(sixteen, mapped, 12);
    memcpy(sixteen + 12, address, 4);
    put(endpoint, sixteen);
}

static void get_four(const struct vigil_endpoint *endpoint, struct in_addr *address) {
    memcpy(address, (const char *)&endpoint->last + 4, 4);
}

static socklen_t address_of(int family, const struct vigil_endpoint *endpoint, struct sockaddr_storage *storage) {
    memset(storage, 0, sizeof *storage);
    storage->ss_family = (sa_family_t)family;
    if (family == AF_INET) {
        struct sockaddr_in *four = (struct sockaddr_in *)storage;
        four->sin_port = htons(endpoint->port);
        get_four(endpoint, &four->sin_addr);
        return sizeof *four;
    }
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
    six->sin6_port = htons(endpoint->port);
    get(endpoint, &six->sin6_addr);
    return sizeof *six;
}

static void endpoint_of(const struct sockaddr_storage *storage, struct vigil_endpoint *endpoint) {
    if (storage->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)storage;
        put_four(endpoint, &four->sin_addr);
        endpoint->port = ntohs(four->sin_port);
    } else {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)storage;
        put(endpoint, &six->sin6_addr);
        endpoint->port = ntohs(six->sin6_port);
    }
}

static int family_of(int socket) {
    int family = AF_INET6;
    socklen_t size = sizeof family;
    getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size);
    return family;
}

int vigil_datagram_socket(struct vigil_endpoint *local, int bytes) {
    int family = AF_INET6, on = 1, off = 0;
    int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 && errno == EAFNOSUPPORT) {
        /* A kernel without IPv6. */
        family = AF_INET;
        fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    }
    if (fd < 0) return -errno;
    struct sockaddr_storage storage;
    socklen_t size = address_of(family, local, &storage);
    /* What the kernel does not grant is less, and no failure. */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    int failed = family == AF_INET6
        ? setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off)
            || setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on)
        : setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
    failed = failed || bind(fd, (struct sockaddr *)&storage, size);
    size = sizeof storage;
    failed = failed || getsockname(fd, (struct sockaddr *)&storage, &size);
    if (failed) {
        int code = errno;
        close(fd);
        return -code;
    }
    struct vigil_endpoint bound;
    endpoint_of(&storage, &bound);
    local->port = bound.port;
    return fd;
}

long vigil_datagram_receive(int socket, void *bytes, size_t count, struct vigil_endpoint *from, struct vigil_endpoint *to) {
    struct sockaddr_storage storage;
    union {
        char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo)) + CMSG_SPACE(sizeof(struct in_pktinfo))];
        struct cmsghdr header;
    } control;
    struct iovec part = {bytes, count};
    struct msghdr message = {
        .msg_name = &storage, .msg_namelen = sizeof storage, .msg_iov = &part, .msg_iovlen = 1,
        .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    memset(&storage, 0, sizeof storage);
    ssize_t size = recvmsg(socket, &message, 0);
    if (size < 0) return -errno;
    if (message.msg_flags & MSG_TRUNC) return -EMSGSIZE;
    endpoint_of(&storage, from);
    memset(to, 0, sizeof *to);
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(header), sizeof info);
            put(to, &info.ipi6_addr);
        } else if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(header), sizeof info);
            put_four(to, &info.ipi_addr);
        }
    }
    return size;
}

static size_t control_of(struct cmsghdr *header, int level, int type, const void *info, size_t size) {
    header->cmsg_level = level;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), info, size);
    return CMSG_SPACE(size);
}

/* Writes from which address datagrams go; the size of what was written. */
static size_t source(int family, const struct vigil_endpoint *from, struct cmsghdr *header) {
    if (from->first == 0 && from->last == 0) return 0;
    if (family == AF_INET) {
        struct in_pktinfo info;
        memset(&info, 0, sizeof info);
        get_four(from, &info.ipi_spec_dst);
        return control_of(header, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
    }
    struct in6_pktinfo info;
    memset(&info, 0, sizeof info);
    get(from, &info.ipi6_addr);
    return control_of(header, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
}

int vigil_datagrams_send(
    int socket, const struct iovec *datagrams, unsigned count, const struct vigil_endpoint *to,
    const struct vigil_endpoint *from) {
    struct mmsghdr messages[DATAGRAMS_MAX];
    struct sockaddr_storage storage;
    union {
        char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
        struct cmsghdr header;
    } control;
    if (count > DATAGRAMS_MAX) count = DATAGRAMS_MAX;
    int family = family_of(socket);
    socklen_t size = address_of(family, to, &storage);
    memset(&control, 0, sizeof control);
    size_t controls = source(family, from, &control.header);
    memset(messages, 0, count * sizeof messages[0]);
    for (unsigned index = 0; index < count; index++) {
        struct msghdr *message = &messages[index].msg_hdr;
        message->msg_name = &storage;
        message->msg_namelen = size;
        message->msg_iov = (struct iovec *)&datagrams[index];
        message->msg_iovlen = 1;
        message->msg_control = controls ? control.bytes : NULL;
        message->msg_controllen = controls;
    }
    int sent = sendmmsg(socket, messages, count, MSG_NOSIGNAL);
    return sent < 0 ? -errno : sent;
}

int vigil_own_addresses(struct vigil_endpoint *addresses, int most) {
    struct ifaddrs *list;
    if (getifaddrs(&list) != 0) return -errno;
    int count = 0;
    for (int loopback = 0; loopback < 2 && count == 0; loopback++)
        for (struct ifaddrs *one = list; one && count < most; one = one->ifa_next) {
            if (!one->ifa_addr || !(one->ifa_flags & IFF_UP) || ((one->ifa_flags & IFF_LOOPBACK) != 0) != loopback) continue;
            struct sockaddr_storage storage;
            memset(&storage, 0, sizeof storage);
            if (one->ifa_addr->sa_family == AF_INET) {
                memcpy(&storage, one->ifa_addr, sizeof(struct sockaddr_in));
            } else if (one->ifa_addr->sa_family == AF_INET6) {
                memcpy(&storage, one->ifa_addr, sizeof(struct sockaddr_in6));
                if (IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)&storage)->sin6_addr)) continue;
            } else {
                continue;
            }
            endpoint_of(&storage, &addresses[count]);
            addresses[count].port = 0;
            count++;
        }
    freeifaddrs(list);
    return count;
}

int vigil_wake_make(void) {
    int wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return wake < 0 ? -errno : wake;
}

void vigil_wake_tell(int wake) { eventfd_write(wake, 1); }

void vigil_wake_take(int wake) {
    eventfd_t count;
    eventfd_read(wake, &count);
}

void vigil_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
