/* Start, end and report of the small programs.
 * Method: with OWN_START the program starts itself, so that it asks for the oldest version of __libc_start_main and runs
 * with any glibc there is; its first word is the file that results go to, which is also its standard output and error.
 * Source: System V ABI (process entry), signal-safety(7). */
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long *counted;

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void report(double count, double seconds) {
    char line[120];
    int length = snprintf(line, sizeof line, "result %ld %.6f %.9f\n", (long)getpid(), count, seconds);
    if (write(1, line, (size_t)length) != length)
        _exit(3);
}

_Noreturn void fail(const char *what) {
    char line[300];
    int length = snprintf(line, sizeof line, "failed %s: %s\n", what, strerror(errno));
    if (write(1, line, (size_t)length) != length)
        _exit(3);
    _exit(1);
}

static void stop(int signal) {
    (void)signal;
    report((double)*counted, 0.0);
    _exit(0);
}

void begin(const char *seconds, volatile unsigned long *count) {
    double time = atof(seconds);
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = (time_t)time;
    timer.it_value.tv_usec = (suseconds_t)((time - (double)timer.it_value.tv_sec) * 1e6);
    counted = count;
    signal(SIGALRM, stop);
    if (setitimer(ITIMER_REAL, &timer, NULL) != 0)
        fail("setitimer");
}

/* program MODE RESULTS ...; an image that a program makes of itself has "-" for RESULTS. */
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    if (strcmp(argv[2], "-") != 0) {
        int file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (file < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0)
            return 2;
        close(file);
    }
    return work(argc, argv);
}

#ifdef OWN_START
#if defined(__x86_64__)
__asm__(".symver __libc_start_main, __libc_start_main@GLIBC_2.2.5\n"
        ".text\n.globl _start\n.type _start, @function\n_start:\n"
        "  xorl %ebp, %ebp\n  movq %rdx, %r9\n  popq %rsi\n  movq %rsp, %rdx\n  andq $-16, %rsp\n"
        "  pushq %rax\n  pushq %rsp\n  xorl %r8d, %r8d\n  xorl %ecx, %ecx\n"
        "  leaq main(%rip), %rdi\n  call *__libc_start_main@GOTPCREL(%rip)\n  hlt\n");
#elif defined(__aarch64__)
__asm__(".symver __libc_start_main, __libc_start_main@GLIBC_2.17\n"
        ".text\n.globl _start\n.type _start, %function\n_start:\n"
        "  mov x29, #0\n  mov x30, #0\n  mov x5, x0\n  ldr x1, [sp]\n  add x2, sp, #8\n  mov x6, sp\n"
        "  adrp x0, main\n  add x0, x0, :lo12:main\n  mov x3, #0\n  mov x4, #0\n"
        "  bl __libc_start_main\n  brk #1\n");
#endif
#endif
