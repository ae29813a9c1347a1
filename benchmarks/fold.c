/* What is there to gain: our lines parsed and folded in C, as far as postings go, with the same checks on the envelope
 * (numbers in order, each `prev` the hash of the line before). No hash is computed, no piece is moved, no rule known.
 *
 *     cc -O2 -o fold fold.c && ./fold FILE
 *
 * FILE holds logs one after the other. For each line on stdin it goes through all of them again and prints what every
 * seat holds, five numbers a seat. Anything that is not one of our lines ends it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 9, KINDS = 5, HASH = 32, DEPTH = 16 };
static const char *const KIND[KINDS] = {"money", "spyrium", "points", "workers", "residence"};
typedef struct { const char *at; long size; } Text;

static const char *p;          /* the next byte; the last line ends in a newline and the buffer in a zero */
static long held[SEATS][KINDS];
static long seats, number;
static Text prev, hash;

static void fail(const char *expected) {
    fprintf(stderr, "expected %s, found '%.20s'\n", expected, p);
    exit(1);
}

static void eat(char c) { if (*p++ != c) { p--; fail("another character"); } }

static int is(Text text, const char *word) { return !strncmp(text.at, word, text.size) && !word[text.size]; }

static Text string(void) {
    eat('"');
    Text text = {p, 0};
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ') fail("the rest of a string");
        if (*p == '\\' && (unsigned char)*++p < ' ') fail("the rest of a string");
    }
    text.size = p++ - text.at;
    return text;
}

static long integer(void) {
    int sign = *p == '-' ? (p++, -1) : 1;
    long n = 0;
    if (*p < '0' || *p > '9') fail("a number");
    while (*p >= '0' && *p <= '9') {
        if (n > 99999999) fail("a smaller number");
        n = 10 * n + *p++ - '0';
    }
    return sign * n;
}

/* Another member of an object or array: steps over the comma, or over the bracket that ends it. */
static int more(char end, int *begun) {
    if (*p == end) { p++; return 0; }
    if ((*begun)++) eat(',');
    return 1;
}

static Text key(void) { Text text = string(); eat(':'); return text; }

static void skip(int depth) {
    int begun = 0;
    if (depth > DEPTH) fail("fewer levels");
    if (*p == '"') string();
    else if (*p == '{') for (p++; more('}', &begun); skip(depth + 1)) key();
    else if (*p == '[') for (p++; more(']', &begun);) skip(depth + 1);
    else if (!strncmp(p, "true", 4) || !strncmp(p, "null", 4)) p += 4;
    else if (!strncmp(p, "false", 5)) p += 5;
    else integer();
}

static void add(long seat, Text what, long n) {
    if (seat < 1 || seat > SEATS) fail("a seat before this");
    for (int kind = 0; kind < KINDS; kind++)
        if (is(what, KIND[kind])) { held[seat - 1][kind] += n; return; }
    fail("a resource before this");
}

static void postings(void) {
    int begun = 0;
    for (eat('['); more(']', &begun);) {
        long who = 0, n = 0;
        Text what = {"", 0};
        int inside = 0;
        for (eat('{'); more('}', &inside);) {
            Text name = key();
            if (is(name, "who")) who = integer();
            else if (is(name, "what")) what = string();
            else if (is(name, "n")) n = integer();
            else skip(0);
        }
        add(who, what, n);
    }
}

static void start(void) {
    int begun = 0;
    for (eat('['); more(']', &begun);) {
        int pair = 0;
        eat('[');
        Text what = string();
        eat(',');
        add(seats, what, integer());
        more(']', &pair);
    }
}

static void seated(void) {
    int begun = 0;
    for (eat('['); more(']', &begun);) {
        int inside = 0;
        seats++;
        for (eat('{'); more('}', &inside);) {
            if (is(key(), "start")) start();
            else skip(0);
        }
    }
}

static void print_game(void) {
    for (long seat = 0; seat < seats; seat++)
        for (int kind = 0; kind < KINDS; kind++) printf("%ld ", held[seat][kind]);
    memset(held, 0, sizeof held);
    seats = 0;
}

static void line(void) {
    int begun = 0;
    Text last = hash;
    for (eat('{'); more('}', &begun);) {
        Text name = key();
        if (is(name, "moved")) postings();
        else if (is(name, "seats")) seated();
        else if (is(name, "n")) {
            long n = integer();
            if (!n) { print_game(); number = 0; }
            if (n != number++) fail("another number of the line before this");
        } else if (is(name, "prev")) prev = string();
        else if (is(name, "hash")) hash = string();
        else skip(0);
    }
    eat('\n');
    if (prev.size != HASH || hash.size != HASH) fail("a line with two hashes before this");
    if (number > 1 && memcmp(prev.at, last.at, HASH)) fail("a line that follows the one before it, before this");
}

int main(int count, char **given) {
    FILE *file = count == 2 ? fopen(given[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END)) return 2;
    long size = ftell(file);
    char *raw = calloc(size + 1, 1);
    if (!raw || fseek(file, 0, SEEK_SET) || fread(raw, 1, size, file) != (size_t)size) return 2;
    while (getchar() != EOF) {
        for (p = raw, number = 0; p < raw + size;) line();
        print_game();
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
