/* SPDX-License-Identifier: MIT */
#include "view/boot_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void boot_files_print(const struct boot_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct boot_file *file = &files->items[i];
        printf("%s/%s%s%s%s\n", i ? "\n" : "", file->path, file->target ? ": a link to " : ":",
               file->target ? file->target : "", file->target ? " ('systemctl enable' makes it)" : "\n");
        for (const char *line = file->text; line && *line; line += strcspn(line, "\n") + 1)
            printf("%s%.*s\n", *line == '\n' ? "" : "  ", (int)strcspn(line, "\n"), line);
    }
}

void boot_files_tell(const struct boot_files *files, const char *done)
{
    for (size_t i = 0; i < files->count; i++)
        printf("%s /%s\n", done, files->items[i].path);
}

json_t *boot_files_json(const struct boot_files *files)
{
    json_t *array = json_array();
    for (size_t i = 0; i < files->count; i++) {
        char *path = mem_printf("/%s", files->items[i].path);
        json_array_append_new(array, json_text(path));
        free(path);
    }
    return array;
}
