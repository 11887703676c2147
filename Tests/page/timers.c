// libfaketime moves the absolute timers of every clock by what it adds to the wall clock, also of those that it leaves alone
// (--exclude-monotonic): with a day behind they would be a day late. Before it in LD_PRELOAD this sets them as they are.
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *before) {
    return (int)syscall(SYS_timerfd_settime, fd, flags, value, before);
}
