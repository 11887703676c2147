#ifndef VIGIL_CSHAREDMEMORY_H
#define VIGIL_CSHAREDMEMORY_H
#include <stddef.h>

/* A memory file of so many bytes, all of which are there, mapped for writing at `address`: its descriptor, or a negated errno.
   It neither grows nor shrinks (memfd_create(2), seals), and only this process's user and root may open it anew. */
int vigil_memory_make(size_t bytes, void **address);

/* A descriptor of the same file that can be read and not written, or a negated errno. */
int vigil_memory_reader(int memory);

/* Gives the memory back to the system, though others may have the file mapped: they read zeros from now on. The descriptor is
   closed. */
void vigil_memory_end(int memory, void *address, size_t bytes);

/* Sends bytes with a descriptor over a Unix socket, all of them or none, without waiting: 0, or a negated errno. The receiver gets
   a descriptor of its own. */
int vigil_descriptor_send(int socket, const void *bytes, size_t count, int descriptor);

/* Receives at most `count` bytes, and a descriptor that comes with them (else -1): how many bytes, or a negated errno. */
long vigil_descriptor_receive(int socket, void *bytes, size_t count, int *descriptor);
#endif
