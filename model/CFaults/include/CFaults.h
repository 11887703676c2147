#ifndef VIGIL_CFAULTS_H
#define VIGIL_CFAULTS_H

/* Calls that a fault can strike. */
enum {
    vigil_calls_write = 1, /* pwritev, pwrite64, pwrite, write */
    vigil_calls_sync = 2,  /* fdatasync, fsync */
    vigil_calls_cut = 4,   /* ftruncate, ftruncate64 */
    vigil_calls_name = 8,  /* mkdirat, unlinkat, and open, open64 or openat that make a file */
    vigil_calls_tail = 16  /* ftruncate, ftruncate64: answered as if done */
};

/* From now on each of these calls of this thread fails with `code`. Of the first write `bytes` are stored before that, as a
   short write; then the next one fails. Programs that link this take these calls from here instead of from the C library;
   without a fault they are passed on. */
void vigil_fault_arm(unsigned calls, int code, long bytes);

/* Ends the fault of this thread; how many calls it has struck. */
int vigil_fault_disarm(void);

/* From now on what this thread removes with unlinkat is linked into the folder `folder` first, under its path with % for /;
   -1 ends that. */
void vigil_keep_removed(int folder);

/* From now on each file or folder that this thread has made durable (fsync, fdatasync) is told with its path; NULL ends that. */
void vigil_tell_syncs(void (*seen)(void *context, const char *path), void *context);

#endif
