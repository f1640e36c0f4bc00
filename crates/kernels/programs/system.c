/* The tests that live in the kernel: execl, spawn, pipe, context, syscall, script and copy, each a mode of one small program.
 * Method: between the start of the timer and its end there is nothing but the calls that are counted.
 * Source: the description of UnixBench's tests in docs/method.md. */
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long count;

/* execl RESULTS SECONDS, then execl - SECONDS COUNT START: every image counts itself and makes the next. */
static int images(int argc, char **argv) {
    char number[32], begun[32];
    unsigned long made = argc == 6 ? strtoul(argv[4], NULL, 10) : 0;
    double start = argc == 6 ? strtod(argv[5], NULL) : now();
    made += 1;
    if (now() - start >= atof(argv[3])) {
        report((double)made, 0.0);
        return 0;
    }
    snprintf(number, sizeof number, "%lu", made);
    snprintf(begun, sizeof begun, "%.6f", start);
    execl(argv[0], argv[0], "execl", "-", argv[3], number, begun, (char *)NULL);
    fail(argv[0]);
}

/* spawn RESULTS SECONDS: processes that do nothing but end. */
static int processes(char **argv) {
    begin(argv[3], &count);
    for (;;) {
        int status;
        pid_t child = fork();
        if (child == 0)
            exit(0);
        if (child < 0)
            fail("fork");
        if (wait(&status) != child || status != 0)
            fail("wait");
        count++;
    }
}

/* pipe RESULTS SECONDS: 512 bytes into a pipe and out of it. */
static int through_pipe(char **argv) {
    char buffer[512];
    int ends[2];
    memset(buffer, 0, sizeof buffer);
    if (pipe(ends) != 0)
        fail("pipe");
    begin(argv[3], &count);
    for (;;) {
        if (write(ends[1], buffer, sizeof buffer) != sizeof buffer)
            fail("write");
        if (read(ends[0], buffer, sizeof buffer) != sizeof buffer)
            fail("read");
        count++;
    }
}

/* syscall RESULTS SECONDS pipe|stdin raw|libc: five calls a turn. */
static int calls(char **argv) {
    int ends[2], fd = 0, raw = strcmp(argv[5], "raw") == 0;
    if (strcmp(argv[4], "pipe") == 0) {
        if (pipe(ends) != 0)
            fail("pipe");
        close(ends[1]);
        fd = ends[0];
    }
    begin(argv[3], &count);
    if (raw)
        for (;;) {
            close(dup(fd));
            syscall(SYS_getpid);
            getuid();
            umask(022);
            count++;
        }
    for (;;) {
        close(dup(fd));
        getpid();
        getuid();
        umask(022);
        count++;
    }
}

/* Binds the calling process to CPUs such as 0-3,8; to nothing for "-". Where none of them is allowed (EINVAL) it stays as it
 * was, as in the version that has halves. */
static void bind_to(const char *cpus) {
    static unsigned long mask[8192 / (8 * sizeof(unsigned long))];
    const size_t bits = 8 * sizeof(unsigned long);
    if (strcmp(cpus, "-") == 0)
        return;
    while (*cpus) {
        char *end;
        unsigned long first = strtoul(cpus, &end, 10), last = first;
        if (end == cpus)
            break;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (; first <= last && first < 8192; first++)
            mask[first / bits] |= 1UL << (first % bits);
        cpus = *end == ',' ? end + 1 : end;
    }
    if (syscall(SYS_sched_setaffinity, 0, sizeof mask, mask) != 0 && errno != EINVAL)
        fail("sched_setaffinity");
}

static int to_child[2], to_parent[2];
static pid_t partner;

static void switched(int signal) {
    int status;
    (void)signal;
    report((double)count, 0.0);
    /* The child sees the end of its input, and is waited for, so that none is left behind. */
    close(to_child[1]);
    close(to_parent[0]);
    waitpid(partner, &status, 0);
    _exit(0);
}

/* context RESULTS SECONDS CPUS CPUS: a number to a child and one back. */
static int contexts(char **argv) {
    unsigned long got;
    if (pipe(to_child) != 0 || pipe(to_parent) != 0)
        fail("pipe");
    begin(argv[3], &count);
    signal(SIGALRM, switched);
    signal(SIGPIPE, SIG_IGN);
    partner = fork();
    if (partner < 0)
        fail("fork");
    if (partner == 0) {
        unsigned long turns = 0;
        close(to_child[1]);
        close(to_parent[0]);
        bind_to(argv[5]);
        for (;;) {
            if (read(to_child[0], &got, sizeof got) != sizeof got)
                _exit(0);
            if (got != turns)
                _exit(1);
            if (write(to_parent[1], &turns, sizeof turns) != sizeof turns)
                _exit(0);
            turns++;
        }
    }
    close(to_child[0]);
    close(to_parent[1]);
    bind_to(argv[4]);
    for (;;) {
        unsigned long turn = count;
        if (write(to_child[1], &turn, sizeof turn) != sizeof turn)
            fail("write to the child");
        if (read(to_parent[0], &got, sizeof got) != sizeof got)
            fail("read from the child");
        if (got != turn) {
            errno = EPROTO;
            fail("the child's number");
        }
        count++;
    }
}

/* script RESULTS SECONDS SCRIPT N FOLDER TEXT: runs of a script, one after the other, in a folder. */
static int scripts(char **argv) {
    if (chdir(argv[6]) != 0)
        fail(argv[6]);
    setenv("LANG", "en_US.utf8", 1);
    begin(argv[3], &count);
    for (;;) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            char *words[] = {argv[4], argv[5], argv[7], NULL};
            execvp(argv[4], words);
            fail(argv[4]);
        }
        if (child < 0)
            fail("fork");
        if (waitpid(child, &status, 0) != child)
            fail("wait");
        if (status != 0) {
            errno = ECHILD;
            fail("the script did not succeed");
        }
        count++;
    }
}

static char buffer[8192];
static volatile sig_atomic_t over;

static void end_of_phase(int signal) {
    (void)signal;
    over = 1;
}

static void phase(double seconds) {
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    over = 0;
    signal(SIGALRM, end_of_phase);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void settle(unsigned first, unsigned then) {
    sync();
    sleep(first);
    sync();
    sleep(then);
}

static void whole_file(int file, size_t size, long buffers) {
    long i;
    for (i = 0; i < buffers; i++) {
        ssize_t wrote = write(file, buffer, size);
        if (wrote != (ssize_t)size) {
            if (wrote >= 0)
                errno = ENOSPC;
            fail("write to the scratch folder");
        }
    }
    lseek(file, 0, SEEK_SET);
}

static int opened(const char *name, int keep) {
    int made = creat(name, 0600), file;
    if (made < 0)
        fail(name);
    close(made);
    file = open(name, O_RDWR);
    if (file < 0)
        fail(name);
    /* Whatever becomes of us, no file is left. */
    if (!keep)
        unlink(name);
    return file;
}

/* copy RESULTS SECONDS SIZE KIB FOLDER private|shared short|whole: a file into another, by buffers of SIZE bytes.
 * whole: with UnixBench's phases before it (writing for 2 s, reading for 2 s, and what they wait). */
static int copies(char **argv) {
    size_t size = strtoul(argv[4], NULL, 10), i;
    long buffers = atol(argv[5]) * 1024 / (long)size;
    int shared = strcmp(argv[7], "shared") == 0, whole = strcmp(argv[8], "whole") == 0;
    char names[2][64];
    double began, took, quarters = 0.0;
    if (size < 1 || size > sizeof buffer)
        return 2;
    if (chdir(argv[6]) != 0)
        fail(argv[6]);
    for (i = 0; i < 2; i++) {
        if (shared)
            snprintf(names[i], sizeof names[i], "shared.%d", (int)i);
        else
            snprintf(names[i], sizeof names[i], "copy.%ld.%d", (long)getpid(), (int)i);
    }
    for (i = 0; i < sizeof buffer; i++)
        buffer[i] = (char)i;
    int from = opened(names[0], shared), to = opened(names[1], shared);
    if (whole) {
        settle(2, 2);
        phase(2.0);
        while (!over)
            whole_file(from, size, buffers);
        settle(2, 2);
        phase(2.0);
        while (!over) {
            ssize_t got = read(from, buffer, size);
            if (got < 0)
                fail("read");
            if (got != (ssize_t)size)
                lseek(from, 0, SEEK_SET);
        }
        settle(2, 1);
    } else {
        whole_file(from, size, buffers);
        whole_file(to, size, buffers);
        sync();
    }
    lseek(from, 0, SEEK_SET);
    phase(atof(argv[3]));
    began = now();
    while (!over) {
        ssize_t got = read(from, buffer, size);
        if (got != (ssize_t)size) {
            if (got < 0)
                fail("read");
            lseek(from, 0, SEEK_SET);
            lseek(to, 0, SEEK_SET);
            continue;
        }
        if (write(to, buffer, size) != (ssize_t)size)
            fail("write to the scratch folder");
        quarters += (double)size / 256.0;
    }
    took = now() - began;
    report((double)(long)(quarters / (took * 4.0)), took);
    return 0;
}

int work(int argc, char **argv) {
    const char *mode = argv[1];
    if (strcmp(mode, "execl") == 0 && (argc == 4 || argc == 6))
        return images(argc, argv);
    if (strcmp(mode, "spawn") == 0 && argc == 4)
        return processes(argv);
    if (strcmp(mode, "pipe") == 0 && argc == 4)
        return through_pipe(argv);
    if (strcmp(mode, "syscall") == 0 && argc == 6)
        return calls(argv);
    if (strcmp(mode, "context") == 0 && argc == 6)
        return contexts(argv);
    if (strcmp(mode, "script") == 0 && argc == 8)
        return scripts(argv);
    if (strcmp(mode, "copy") == 0 && argc == 9)
        return copies(argv);
    /* `here RESULTS`: whether it can run at all. */
    return strcmp(mode, "here") == 0 ? 0 : 2;
}
