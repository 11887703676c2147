// Tells the thread sanitizer what Swift's runtime orders. On Linux the runtime is built without the sanitizer, and tells it of jobs and
// `once` alone; what is ordered by a mutex that is waited for, by having the only reference or by a continuation would be
// reported as a race. Put before the runtime by LD_PRELOAD; in a program without the sanitizer it does nothing. It knows how tasks of
// Swift 6.3 lie in memory: ordered.swift, which Tests/sanitize/run tries first, shows whether that still holds.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static void (*tell_acquire)(void *); // what was released at this address comes before what follows
static void (*tell_release)(void *);

static void *need(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found) return found;
    fprintf(stderr, "sanitize: Swift's runtime has no %s: Tests/sanitize/runtime.c is for Swift 6.3\n", name);
    _exit(70);
}

// Mutex: who waits gets it within the library, from the kernel, and who gives it to somebody who waits does so there, too.

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context))
typedef __attribute__((swiftcall)) void LockSlow(uint32_t, SELF void *);
typedef __attribute__((swiftcall)) void UnlockSlow(SELF void *);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF void *mutex) {
    static LockSlow *real;
    if (!real) real = (LockSlow *)need(LOCK_SLOW);
    real(thread, mutex);
    if (tell_acquire) tell_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void unlock_slow(SELF void *mutex) {
    static UnlockSlow *real;
    if (!real) real = (UnlockSlow *)need(UNLOCK_SLOW);
    if (tell_release) tell_release(mutex);
    real(mutex);
}

// References: who has the only one comes after all who gave theirs back. (What the last one frees is no matter: the compiler hides from
// the sanitizer what an object does at its end.)

#define BRIDGED 0x00fffffffffffff8
static void (*real_release)(void *);
static void (*real_release_n)(void *, uint32_t);

static void given_back(void *object) {
    if ((intptr_t)object <= 0) return;
    // Of the count the upper half are the other references and, at the top, whether it says something else (a table beside the object);
    // with all bits set below that the object is never freed.
    uint64_t count = __atomic_load_n((uint64_t *)object + 1, __ATOMIC_RELAXED);
    bool elsewhere = count >> 63;
    if (elsewhere ? (uint32_t)count != UINT32_MAX : count >> 33 > 0) tell_release(object);
}

static void release(void *object) {
    given_back(object);
    real_release(object);
}

static void release_n(void *object, uint32_t n) {
    given_back(object);
    real_release_n(object, n);
}

// Where references are counted by functions of others, the runtime loses the sign by which a short string, which is no object, is told
// from one: this is put in the place of the function that does.
enum { RETAIN_ADAPTER = 3, FARTHEST = 0x4000 }; // words behind _swift_tryRetain; bytes of code from swift_retain
static void *(*real_retain)(void *);

static void *retain(void *object) {
    if ((intptr_t)object > 0) real_retain((void *)((uintptr_t)object & BRIDGED));
    return object;
}

typedef bool Unique(const void *);
#define UNIQUE(name, address) \
    bool name(const void *object) { \
        static Unique *real; \
        if (!real) real = (Unique *)need(#name); \
        bool is = real(object); \
        void *at = (void *)((uintptr_t)object & (address)); \
        if (is && at && tell_acquire) tell_acquire(at); \
        return is; \
    }
UNIQUE(swift_isUniquelyReferenced_native, ~0ul)
UNIQUE(swift_isUniquelyReferenced_nonNull_native, ~0ul)
UNIQUE(swift_isUniquelyReferencedNonObjC, ~0ul)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull, ~0ul)
UNIQUE(swift_isUniquelyReferenced, ~0ul)
UNIQUE(swift_isUniquelyReferenced_nonNull, ~0ul)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull_bridgeObject, BRIDGED)
UNIQUE(swift_isUniquelyReferenced_nonNull_bridgeObject, BRIDGED)

// Continuations: where one is resumed before its task awaits it, the task goes on at once, and the runtime tells of the release alone.
// So the task is sent by `resumed`, which tells of the acquire. Numbers are places in words: of AsyncTask, and of
// ContinuationAsyncContext, of which PENDING means that nobody awaits it yet.

enum { RESUME_TASK = 7, RESUME_CONTEXT = 8 };
enum { RESUME_PARENT = 1, FLAGS = 2, HAS_EXECUTOR = 2, STATUS = 3, PENDING = 0 };
enum { LONGEST_RESUME = 0x90 }; // bytes of code
typedef __attribute__((swiftasynccall)) void Resume(__attribute__((swift_async_context)) void *);
static void *(*current_task)(void);
static uintptr_t resumes[3];

__attribute__((swiftasynccall)) static void resumed(__attribute__((swift_async_context)) void *context) {
    void **task = current_task();
    tell_acquire(task);
    __attribute__((musttail)) return ((Resume *)task[RESUME_TASK])(context);
}

static void runtime_release(void *address) {
    tell_release(address);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    for (int i = 0; i < 3; i++) {
        if (caller - resumes[i] >= LONGEST_RESUME) continue;
        uintptr_t *context = ((void **)address)[RESUME_CONTEXT];
        if (__atomic_load_n(&context[STATUS], __ATOMIC_ACQUIRE) == PENDING && !(context[FLAGS] & HAS_EXECUTOR))
            __atomic_store_n(&context[RESUME_PARENT], (uintptr_t)resumed, __ATOMIC_RELEASE);
        return;
    }
}

__attribute__((constructor)) static void begin(void) {
    void *acquire = dlsym(RTLD_DEFAULT, "__tsan_acquire"), *give = dlsym(RTLD_DEFAULT, "__tsan_release");
    if (!acquire || !give) return;
    tell_acquire = acquire;
    tell_release = give;

    // The runtime counts references by these functions once it is told to.
    void (**counted)(void *) = need("_swift_release");
    void (**counted_n)(void *, uint32_t) = need("_swift_release_n");
    real_release = *counted;
    real_release_n = *counted_n;
    real_retain = *(void *(**)(void *))need("_swift_retain");
    uintptr_t *adapter = (uintptr_t *)need("_swift_tryRetain") + RETAIN_ADAPTER;
    if (*adapter - (uintptr_t)need("swift_retain") >= FARTHEST) need("_swift_retain_adapter");
    *adapter = (uintptr_t)retain;
    *counted = release;
    *counted_n = release_n;
    *(volatile bool *)need("_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly") = true;

    if (!dlsym(RTLD_NEXT, "swift_task_getCurrent")) return; // a program without tasks
    current_task = need("swift_task_getCurrent");
    resumes[0] = (uintptr_t)need("swift_continuation_resume");
    resumes[1] = (uintptr_t)need("swift_continuation_throwingResume");
    resumes[2] = (uintptr_t)need("swift_continuation_throwingResumeWithError");
    *(void (**)(void *))need("_swift_tsan_release") = runtime_release;
}
