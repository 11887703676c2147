#ifndef VIGIL_CSYSTEMD_SHIM_H
#define VIGIL_CSYSTEMD_SHIM_H
#include <stdint.h>
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
#endif
