/* What the small programs share: how they are started, stopped and how they report. They are written from a description
 * of what UnixBench's tests do; no line of it was copied. */
#ifndef PROGRAM_H
#define PROGRAM_H

/* Stops the process with a result when so many seconds are over, by SIGALRM. The handler reports `*count`. */
void begin(const char *seconds, volatile unsigned long *count);

/* One line, written at once: the process that was started, what it counted, and its own time (0: who started it knows). */
void report(double count, double seconds);

/* Reports why there is no result, and ends. */
_Noreturn void fail(const char *what);

/* What a program does with its words; the first is the mode. */
int work(int argc, char **argv);

/* Wall time in seconds. */
double now(void);

#endif
