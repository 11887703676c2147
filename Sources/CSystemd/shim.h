#ifndef VIGIL_CSYSTEMD_SHIM_H
#define VIGIL_CSYSTEMD_SHIM_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

/* Which file a path names, after symbolic links: its device and inode; false where it names none. In C because Swift cannot say
   which module `struct stat` belongs to where Dispatch is imported too. */
static inline _Bool vigil_file_place(const char *path, uint64_t *device, uint64_t *inode) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    *device = status.st_dev;
    *inode = status.st_ino;
    return 1;
}

/* Keeps what is freed from staying with the process: at most `arenas` heaps, and blocks of `bytes` and more are mapped and unmapped
   one by one. Heaps that there are already stay. */
static inline void vigil_bound_heaps(int arenas, int bytes) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, bytes);
}

/* Names the calling thread; the kernel keeps 15 bytes. */
static inline void vigil_name_queue_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* Gives freed pages back to the system where at least `bytes` of the heaps are free; whether it did. */
static inline _Bool vigil_give_memory_back(size_t bytes) {
    if (mallinfo2().fordblks < bytes) return 0;
    malloc_trim(0);
    return 1;
}

/* For dl_iterate_phdr(3): unmaps what of an object is loaded to be read or run only. Whole pages of it, so that nothing else lies in them. */
static inline int vigil_unmap_segments(struct dl_phdr_info *info, size_t size, void *page_bytes) {
    (void)size;
    const uintptr_t page = *(const uintptr_t *)page_bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t begin = (info->dlpi_addr + segment->p_vaddr + page - 1) / page * page;
        const uintptr_t end = (info->dlpi_addr + segment->p_vaddr + segment->p_filesz) / page * page;
        if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

/* Gives the pages of the program and of its libraries back that nothing writes to (code and constants): what is used next is mapped
   again from the kernel's cache of files, what only the start needed stays unmapped. */
static inline void vigil_give_program_back(size_t page_bytes) { dl_iterate_phdr(vigil_unmap_segments, &page_bytes); }
#endif
