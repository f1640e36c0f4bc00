/* The tests that live in user mode, Dhrystone and Whetstone, as modes of one program with the machine's own libm.
 * Method: see dhrystone_main.c and whetstone.c. */
#include "program.h"
#include <stdlib.h>
#include <string.h>

int dhrystone(const char *seconds);
int dhrystone_check(long runs);
int whetstone(double seconds, int reset, int user_time);
int whetstone_check(void);

int work(int argc, char **argv) {
    const char *mode = argv[1];
    if (strcmp(mode, "dhrystone") == 0 && argc == 4)
        return dhrystone(argv[3]);
    if (strcmp(mode, "whetstone") == 0 && argc == 6)
        return whetstone(atof(argv[3]), strcmp(argv[4], "reset") == 0, strcmp(argv[5], "user") == 0);
    if (strcmp(mode, "dhrystone-check") == 0 && argc == 4)
        return dhrystone_check(atol(argv[3]));
    if (strcmp(mode, "whetstone-check") == 0)
        return whetstone_check();
    return strcmp(mode, "here") == 0 ? 0 : 2;
}
