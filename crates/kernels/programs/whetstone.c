/* Double-precision Whetstone: eight loops, each timed by itself, as often as fills the time.
 * Method: all loops once, five times as often until that takes half a second, then as often as the time asked for holds.
 * 100 million Whetstone instructions are a hundred thousand turns of the parameter; the first loop is run ten times as often
 * and a tenth of its time counts. Source: H. Curnow and B. Wichmann, Computer Journal 19 (1976) 1; R. Longbottom, the
 * C version of 1996. */
#include "program.h"
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>

#define SECTIONS 8

static double results[SECTIONS], times[SECTIONS];
static int by_user_time;

static double clock_of(void) {
    struct timeval t;
    if (by_user_time) {
        struct rusage used;
        getrusage(RUSAGE_SELF, &used);
        t = used.ru_utime;
    } else {
        gettimeofday(&t, NULL);
    }
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void array_passed(double e[4], double t, double t2) {
    long j;
    for (j = 0; j < 6; j++) {
        e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
        e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
        e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
        e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
    }
}

static void assigned(double e[4], long j, long k, long l) {
    e[j] = e[k];
    e[k] = e[l];
    e[l] = e[j];
}

static void called(double *x, double *y, double *z, double t, double t1, double t2) {
    *x = *y;
    *y = *z;
    *x = t * (*x + *y);
    *y = t1 * (*x + *y);
    *z = (*x + *y) / t2;
}

/* All loops, `extra` times; the time that counts. */
static double sections(long extra, long x100, int reset) {
    const double t0 = 0.49999975;
    double t = t0, t1 = 0.50000025, t2 = 2.0, e[4], x, y, z, began, sum = 0.0;
    long n1 = 12 * x100, n2 = 14 * x100, n3 = 345 * x100, n4 = 210 * x100, n5 = 32 * x100, n6 = 899 * x100,
         n7 = 616 * x100, n8 = 93 * x100;
    long i, round, j, k, l;

    e[0] = 1.0;
    e[1] = e[2] = e[3] = -1.0;
    began = clock_of();
    for (round = 0; round < extra; round++) {
        for (i = 0; i < n1 * 10; i++) {
            e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
            e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
            e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
            e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
        }
        t = 1.0 - t;
    }
    t = t0;
    times[0] = (clock_of() - began) / 10.0;
    results[0] = e[3];

    began = clock_of();
    for (round = 0; round < extra; round++) {
        for (i = 0; i < n2; i++)
            array_passed(e, t, t2);
        t = 1.0 - t;
    }
    t = t0;
    times[1] = clock_of() - began;
    results[1] = e[3];

    j = 1;
    began = clock_of();
    for (round = 0; round < extra; round++)
        for (i = 0; i < n3; i++) {
            if (j == 1)
                j = 2;
            else
                j = 3;
            if (j > 2)
                j = 0;
            else
                j = 1;
            if (j < 1)
                j = 1;
            else
                j = 0;
        }
    times[2] = clock_of() - began;
    results[2] = (double)j;

    j = 1;
    k = 2;
    l = 3;
    began = clock_of();
    for (round = 0; round < extra; round++)
        for (i = 0; i < n4; i++) {
            j = j * (k - j) * (l - k);
            k = l * k - (l - j) * k;
            l = (l - k) * (k + j);
            e[l - 2] = (double)(j + k + l);
            e[k - 2] = (double)(j * k * l);
        }
    times[3] = clock_of() - began;
    results[3] = e[0] + e[1];

    x = y = 0.5;
    began = clock_of();
    for (round = 0; round < extra; round++) {
        for (i = 1; i < n5; i++) {
            x = t * atan(t2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
            y = t * atan(t2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
        }
        t = 1.0 - t;
    }
    t = t0;
    times[4] = clock_of() - began;
    results[4] = y;

    x = y = z = 1.0;
    began = clock_of();
    for (round = 0; round < extra; round++)
        for (i = 0; i < n6; i++)
            called(&x, &y, &z, t, t1, t2);
    times[5] = clock_of() - began;
    results[5] = z;

    j = 0;
    k = 1;
    l = 2;
    e[0] = 1.0;
    e[1] = 2.0;
    e[2] = 3.0;
    began = clock_of();
    for (round = 0; round < extra; round++)
        for (i = 0; i < n7; i++)
            assigned(e, j, k, l);
    times[6] = clock_of() - began;
    results[6] = e[2];

    x = 0.75;
    began = clock_of();
    for (round = 0; round < extra; round++) {
        if (reset)
            x = 0.75;
        for (i = 0; i < n8; i++)
            x = sqrt(exp(log(x) / t1));
    }
    times[7] = clock_of() - began;
    results[7] = x;

    for (i = 0; i < SECTIONS; i++)
        sum += times[i];
    return sum;
}

int whetstone(double seconds, int reset, int user_time) {
    const long x100 = 100;
    long extra = 1;
    int round;
    double used;
    by_user_time = user_time;
    for (round = 0; round < 10; round++) {
        used = sections(extra, x100, reset);
        if (used > 0.5)
            break;
        extra *= 5;
    }
    extra = (long)(seconds * (double)extra / (used > 0.0 ? used : 1e-6));
    if (extra < 1)
        extra = 1;
    used = sections(extra, x100, reset);
    report((double)extra * (double)x100 / (10.0 * used), used);
    return 0;
}

int whetstone_check(void) {
    int i;
    sections(1, 100, 0);
    for (i = 0; i < SECTIONS; i++)
        printf("%.17g\n", results[i]);
    return 0;
}
