#ifndef VIGIL_CDATAGRAMS_H
#define VIGIL_CDATAGRAMS_H
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* An address of either family in the form of IPv6, of IPv4 mapped (RFC 4291, 2.5.5.2): its sixteen bytes as they lie in memory, and
   a port in the order of the host. */
struct vigil_endpoint {
    uint64_t first;
    uint64_t last;
    uint16_t port;
};

/* A socket for datagrams that never waits and tells to which address each came; a negated errno where there is none. `bytes` is
   what the kernel may hold in each direction. `port` of `local` becomes the one that was given, where it was 0. */
int vigil_datagram_socket(struct vigil_endpoint *local, int bytes);

/* Takes one datagram of at most `count` bytes: its size, or a negated errno. A longer one is -EMSGSIZE. */
long vigil_datagram_receive(int socket, void *bytes, size_t count, struct vigil_endpoint *from, struct vigil_endpoint *to);

/* Sends datagrams to one place, from the address of `from` unless that is zero: how many were taken, or a negated errno. */
int vigil_datagrams_send(
    int socket, const struct iovec *datagrams, unsigned count, const struct vigil_endpoint *to,
    const struct vigil_endpoint *from);

/* The addresses of this machine under which others may reach it, at most `most`; loopback only where there is no other. */
int vigil_own_addresses(struct vigil_endpoint *addresses, int most);

/* What wakes a thread that waits for a datagram: a descriptor, or a negated errno. */
int vigil_wake_make(void);

/* Wakes it. */
void vigil_wake_tell(int wake);

/* It has woken. */
void vigil_wake_take(int wake);

/* Names the calling thread; the kernel keeps 15 bytes. */
void vigil_name_thread(const char *name);
#endif
