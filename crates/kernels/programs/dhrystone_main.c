/* Dhrystone 2.1, first half: the loop and procedures 1 to 5, run until a timer ends it instead of so many times.
 * Method: one pass of the loop is one Dhrystone; the count is written to memory in each. `dhrystone_check` makes so many
 * passes and prints what must then stand in the variables. Source: as dhrystone.h. */
#include "dhrystone.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record *record_here, *record_next;
int whole, truth;
char letter_one, letter_two;
int row[50], table[50][50];

static volatile unsigned long passes;

struct locals {
    int one, two, three;
    enum which kind;
    char text_one[31], text_two[31];
};

static void p3(struct record **result) {
    if (record_here != NULL)
        *result = record_here->next;
    p7(10, whole, &record_here->u.a.number);
}

__attribute__((noinline)) static void p1(struct record *p) {
    struct record *next = p->next;
    *p->next = *record_here;
    p->u.a.number = 5;
    next->u.a.number = p->u.a.number;
    next->next = p->next;
    p3(&next->next);
    if (next->kind == FIRST) {
        next->u.a.number = 6;
        p6(p->u.a.inner, &next->u.a.inner);
        next->next = record_here->next;
        p7(next->u.a.number, 10, &next->u.a.number);
    } else {
        *p = *p->next;
    }
}

static void p2(int *x) {
    int at = *x + 10;
    enum which found = 0;
    do {
        if (letter_one == 'A') {
            at -= 1;
            *x = at - whole;
            found = FIRST;
        }
    } while (found != FIRST);
}

static void p4(void) {
    int is = letter_one == 'A';
    truth = is | truth;
    letter_two = 'B';
}

static void p5(void) {
    letter_one = 'A';
    truth = 0;
}

static inline __attribute__((always_inline)) void pass(struct locals *l) {
    char at;
    p5();
    p4();
    l->one = 2;
    l->two = 3;
    strcpy(l->text_two, "DHRYSTONE PROGRAM, 2'ND STRING");
    l->kind = SECOND;
    truth = !f2(l->text_one, l->text_two);
    while (l->one < l->two) {
        l->three = 5 * l->one - l->two;
        p7(l->one, l->two, &l->three);
        l->one += 1;
    }
    p8(row, table, l->one, l->three);
    p1(record_here);
    for (at = 'A'; at <= letter_two; ++at) {
        if (l->kind == f1(at, 'C')) {
            p6(FIRST, &l->kind);
            strcpy(l->text_two, "DHRYSTONE PROGRAM, 3'RD STRING");
            l->two = (int)passes;
            whole = (int)passes;
        }
    }
    l->two = l->two * l->one;
    l->one = l->two / l->three;
    l->two = 7 * (l->two - l->three) - l->one;
    p2(&l->one);
}

static void prepare(struct locals *l) {
    record_next = malloc(sizeof *record_next);
    record_here = malloc(sizeof *record_here);
    if (record_next == NULL || record_here == NULL)
        fail("malloc");
    record_here->next = record_next;
    record_here->kind = FIRST;
    record_here->u.a.inner = THIRD;
    record_here->u.a.number = 40;
    strcpy(record_here->u.a.text, "DHRYSTONE PROGRAM, SOME STRING");
    strcpy(l->text_one, "DHRYSTONE PROGRAM, 1'ST STRING");
    table[8][7] = 10;
}

int dhrystone(const char *seconds) {
    struct locals l;
    prepare(&l);
    begin(seconds, &passes);
    for (passes = 1;; ++passes)
        pass(&l);
}

int dhrystone_check(long runs) {
    struct locals l;
    long run;
    prepare(&l);
    for (run = 0; run < runs; ++run)
        pass(&l);
    printf("%d %d %c %c %d %d %d %d %d %d %d %d %d %d %s\n", whole, truth, letter_one, letter_two, row[8], table[8][7],
           record_here->u.a.number, record_here->u.a.inner, record_next->u.a.number, record_next->u.a.inner, l.one, l.two,
           l.three, l.kind, l.text_two);
    return 0;
}
