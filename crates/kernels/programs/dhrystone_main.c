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

static inline __attribute__((always_inline)) void pass(int *one, int *two, int *three, enum which *kind,
                                                              const char *text_one, char *text_two) {
    char at;
    p5();
    p4();
    *one = 2;
    *two = 3;
    strcpy(text_two, "DHRYSTONE PROGRAM, 2'ND STRING");
    *kind = SECOND;
    truth = !f2(text_one, text_two);
    while (*one < *two) {
        *three = 5 * *one - *two;
        p7(*one, *two, three);
        *one += 1;
    }
    p8(row, table, *one, *three);
    p1(record_here);
    for (at = 'A'; at <= letter_two; ++at) {
        if (*kind == f1(at, 'C')) {
            p6(FIRST, kind);
            strcpy(text_two, "DHRYSTONE PROGRAM, 3'RD STRING");
            *two = (int)passes;
            whole = (int)passes;
        }
    }
    *two = *two * *one;
    *one = *two / *three;
    *two = 7 * (*two - *three) - *one;
    p2(one);
}

static void prepare(char *text_one) {
    record_next = malloc(sizeof *record_next);
    record_here = malloc(sizeof *record_here);
    if (record_next == NULL || record_here == NULL)
        fail("malloc");
    record_here->next = record_next;
    record_here->kind = FIRST;
    record_here->u.a.inner = THIRD;
    record_here->u.a.number = 40;
    strcpy(record_here->u.a.text, "DHRYSTONE PROGRAM, SOME STRING");
    strcpy(text_one, "DHRYSTONE PROGRAM, 1'ST STRING");
    table[8][7] = 10;
}

int dhrystone(const char *seconds) {
    int one, two, three;
    enum which kind;
    char text_one[31], text_two[31];
    prepare(text_one);
    begin(seconds, &passes);
    for (passes = 1;; ++passes)
        pass(&one, &two, &three, &kind, text_one, text_two);
}

int dhrystone_check(long runs) {
    int one = 0, two = 0, three = 0;
    enum which kind = FIRST;
    char text_one[31], text_two[31] = "";
    long run;
    prepare(text_one);
    for (run = 0; run < runs; ++run)
        pass(&one, &two, &three, &kind, text_one, text_two);
    printf("%d %d %c %c %d %d %d %d %d %d %d %d %d %d %s\n", whole, truth, letter_one, letter_two, row[8], table[8][7],
           record_here->u.a.number, record_here->u.a.inner, record_next->u.a.number, record_next->u.a.inner, one, two, three,
           kind, text_two);
    return 0;
}
