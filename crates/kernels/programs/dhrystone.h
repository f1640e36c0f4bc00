/* Data and procedures that the two halves of Dhrystone 2.1 share; they are compiled apart and linked without LTO, so that
 * calls between them are calls. Source: R. Weicker, Dhrystone, CACM 27 (1984) 10; version 2.1 (1988). */
#ifndef DHRYSTONE_H
#define DHRYSTONE_H

enum which { FIRST, SECOND, THIRD, FOURTH, FIFTH };

struct record {
    struct record *next;
    enum which kind;
    union {
        struct {
            enum which inner;
            int number;
            char text[31];
        } a;
        struct {
            enum which inner;
            char text[31];
        } b;
        struct {
            char one, two;
        } c;
    } u;
};

extern struct record *record_here, *record_next;
extern int whole, truth;
extern char letter_one, letter_two;
extern int row[50], table[50][50];

void p6(enum which value, enum which *result);
void p7(int a, int b, int *result);
void p8(int *x, int (*y)[50], int a, int b);
enum which f1(char a, char b);
int f2(const char *s, const char *t);

#endif
