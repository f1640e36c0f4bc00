/* Dhrystone 2.1, second half: procedures 6 to 8 and the functions. Source: as dhrystone.h. */
#include "dhrystone.h"
#include <string.h>

static int f3(enum which value) {
    enum which copy = value;
    return copy == THIRD;
}

void p6(enum which value, enum which *result) {
    *result = value;
    if (!f3(value))
        *result = FOURTH;
    switch (value) {
    case FIRST:
        *result = FIRST;
        break;
    case SECOND:
        *result = whole > 100 ? FIRST : FOURTH;
        break;
    case THIRD:
        *result = SECOND;
        break;
    case FOURTH:
        break;
    case FIFTH:
        *result = THIRD;
        break;
    }
}

void p7(int a, int b, int *result) {
    int sum = a + 2;
    *result = b + sum;
}

void p8(int *x, int (*y)[50], int a, int b) {
    int at = a + 5, k;
    x[at] = b;
    x[at + 1] = x[at];
    x[at + 30] = at;
    for (k = at; k <= at + 1; ++k)
        y[at][k] = at;
    y[at][at - 1] += 1;
    y[at + 20][at] = x[at];
    whole = 5;
}

enum which f1(char a, char b) {
    char one = a, two = one;
    if (two != b)
        return FIRST;
    letter_one = one;
    return SECOND;
}

int f2(const char *s, const char *t) {
    int k = 2;
    char letter = 0;
    while (k <= 2)
        if (f1(s[k], t[k + 1]) == FIRST) {
            letter = 'A';
            k += 1;
        }
    if (letter >= 'W' && letter < 'Z')
        k = 7;
    if (letter == 'R')
        return 1;
    if (strcmp(s, t) > 0) {
        k += 7;
        whole = k;
        return 1;
    }
    return 0;
}
