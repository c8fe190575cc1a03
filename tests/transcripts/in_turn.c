/* SPDX-License-Identifier: MIT */
/* Many commands in one process, as starting one, with the sanitizers above all, takes longer than what most
 * commands do.
 *
 *     in-turn WORD… <LIST     runs main with these words before those of each line of the list: HEADING <TAB>
 * WORD…
 *
 * It prints the heading, what main prints on either stream, and "[STATUS]", in quotes where the heading is.
 * What one run leaves behind shows in the next one, or is a leak of the whole. A command that calls exit()
 * ends all, and so isn't the same as by itself. */

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

enum { WORDS = 64 };

/* main() closes stdout, and reads nothing that was meant for us. */
static void run(const char *heading, int argc, char **argv)
{
    const char *quote = *heading == '"' ? "\"" : "";
    dprintf(STDOUT_FILENO, "%s\n", heading);
    int fd = dup(STDOUT_FILENO);
    stdout = fd < 0 ? NULL : fdopen(fd, "w");
    if (!stdout)
        abort();
    int status = __real_main(argc, argv);
    dprintf(STDOUT_FILENO, "%s[%d]%s\n", quote, status & 0xff, quote);
}

int __wrap_main(int argc, char **argv)
{
    FILE *list = fdopen(dup(STDIN_FILENO), "r");
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (!list || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        abort();
    close(nothing);
    char *line = NULL, *rest, *words[WORDS + 1];
    size_t size = 0;
    while (getline(&line, &size, list) > 0) {
        char *heading = strtok_r(line, "\t\n", &rest);
        int count = 0;
        while (count < argc && count < WORDS) {
            words[count] = argv[count];
            count++;
        }
        for (char *word = strtok_r(NULL, " \n", &rest); word && count < WORDS;
             word = strtok_r(NULL, " \n", &rest))
            words[count++] = word;
        words[count] = NULL;
        if (heading)
            run(heading, count, words);
    }
    free(line);
    fclose(list);
    return 0;
}
