/* Preloaded into an original that shares its CPU with ours: whatever clock it reads is the CPU time it has used, so that
   the other's turns are not counted. The timers are those of liblikwid, which reads the time stamp counter itself. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long used(void)
{
	struct timespec t;
	syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	long long now = used();
	(void)clock;
	t->tv_sec = now / 1000000000;
	t->tv_nsec = now % 1000000000;
	return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	long long now = used();
	(void)zone;
	t->tv_sec = now / 1000000000;
	t->tv_usec = now % 1000000000 / 1000;
	return 0;
}

time_t time(time_t *t)
{
	time_t now = used() / 1000000000;
	if (t)
		*t = now;
	return now;
}

struct timer { long long start, stop; };
void timer_start(struct timer *t) { t->start = used(); }
void timer_stop(struct timer *t) { t->stop = used(); }
double timer_print(const struct timer *t) { return (t->stop - t->start) / 1e9; }
unsigned long long timer_printCycles(const struct timer *t) { return t->stop - t->start; }
unsigned long long timer_getCpuClock(void) { return 1000000000ULL; }
unsigned long long timer_getCycleClock(void) { return 1000000000ULL; }
