/* SPDX-License-Identifier: MIT */
/* source/recording: what is written is read again, byte for byte; text that is damaged or hostile gets its
 * line. */
#include <criterion/criterion.h>

#include "base/gzip.h"
#include "source/recording/filetree.h"
#include "source/recording/lines.h"
#include "source/recording/recording.h"

#define FIRST "# roce recording 1\n"

static struct filetree *tree;
static struct bytes text;
static struct recording_fault fault;

static void setup(void)
{
    tree = filetree_new();
}

static void teardown(void)
{
    filetree_free(tree);
    bytes_free(&text);
}

TestSuite(recording, .init = setup, .fini = teardown);

static struct node *add(const char *path)
{
    struct node *node = NULL;
    cr_assert_eq(filetree_add_path(tree, path, &node), 0, "%s", path);
    return node;
}

static void add_file(const char *path, const void *data, size_t len)
{
    cr_assert_eq(filetree_make_file(tree, add(path), filetree_keep(tree, data, len), len), 0, "%s", path);
}

static void add_text(const char *path, const char *data)
{
    add_file(path, data, strlen(data));
}

static void add_link(const char *path, const char *target)
{
    cr_assert_eq(filetree_make_link(tree, add(path), target, strlen(target)), 0, "%s", path);
}

static const char *written(void)
{
    text.len = 0;
    recording_write(tree, &text);
    return text.data;
}

/* The tree is the one that its text says, and writes the same text. */
static void read_back(void)
{
    struct filetree *again = NULL;
    struct bytes second = { 0 };
    written();
    cr_assert_eq(recording_parse(text.data, text.len, &again, &fault), 0, "line %zu: %s\n%s", fault.line,
                 fault.what, text.data);
    recording_write(again, &second);
    cr_expect_str_eq(second.data, text.data);
    bytes_free(&second);
    filetree_free(tree);
    tree = again;
}

static void expect_file(const char *path, const void *data, size_t len)
{
    const struct node *node = filetree_resolve(tree, path);
    cr_assert_not_null(node, "%s", path);
    cr_assert_eq(node->kind, NODE_FILE, "%s", path);
    cr_expect_eq(node->len, len, "%s has %zu bytes, not %zu", path, node->len, len);
    cr_expect(node->len == len && memcmp(node->data, data, len) == 0, "%s", path);
}

static void comes_back(const void *data, size_t len)
{
    add_file("sys/x", data, len);
    read_back();
    expect_file("sys/x", data, len);
    filetree_free(tree);
    tree = filetree_new();
}

Test(recording, every_state_of_newlines)
{
    static const char *const texts[] = { "",      "\n",  "\n\n", "a",      "a\n",
                                         "a\n\n", "\na", "a\nb", "a\nb\n", "a\n\nb\n" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        comes_back(texts[i], strlen(texts[i]));
}

Test(recording, contents_that_look_like_something_else)
{
    static const char *const texts[] = {
        " a\n",
        "a \n",
        " \n",
        "  ",
        "! EIO\n",
        "-> x\n",
        "->\n",
        "-1\n",
        "|\n",
        ":\n",
        "|a\nb\n",
        ":00\n",
        "\\\n",
        "\\",
        "a\\",
        "a\\\n",
        "\\x41\n",
        "\t",
        "\ta\tb\n",
        "# a\n",
        "[1-2]\n",
        "a\r\n",
        "\x1b[31mred\x1b[0m text\n",
        "\xff\n",
        "caf\xc3\xa9\n",
        "caf\xc3",
        "zero\xe2\x80\x8bwidth is not seen\n",
        "a\n \n  b \n",
        "/\n",
        "x/\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        comes_back(texts[i], strlen(texts[i]));
}

Test(recording, bytes)
{
    unsigned char bytes[4096];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(i * 7);
    for (size_t len = 1; len < 200; len++)
        comes_back(bytes, len);
    comes_back(bytes, sizeof(bytes));
    memset(bytes + 100, 0, 3000);
    comes_back(bytes, sizeof(bytes));
    memset(bytes, 0xff, sizeof(bytes));
    comes_back(bytes, sizeof(bytes));
    cr_expect_lt(text.len, 100, "equal bytes are counted: %s", text.data);
}

Test(recording, long_lines)
{
    char *line = mem_alloc(60001, 1);
    for (size_t i = 0; i + 1 < 60000; i += 2)
        memcpy(line + i, "\xc3\xa9", 2);
    comes_back(line, 60000);
    line[59999] = '\n';
    comes_back(line, 60000);
    for (const char *at = text.data, *end; (end = strchr(at, '\n')); at = end + 1)
        cr_assert_lt(end - at, RECORDING_LINE_MOST);
    free(line);
}

Test(recording, says_it_for_a_person)
{
    static const char expected[] = FIRST "# What it is.\n"
                                         "#\n"
                                         "# healthy: yes\n"
                                         "\n"
                                         "sys/class/infiniband/\n"
                                         "  mlx5_0 -> ../../devices/x\n"
                                         "\n"
                                         "sys/devices/x/\n"
                                         "  empty/\n"
                                         "  ifalias \\\n"
                                         "  node_desc host17\\\n"
                                         "  phys_port_name ! EOPNOTSUPP\n"
                                         "  rate 25 Gb/sec (1X EDR)\n"
                                         "  uevent |\n"
                                         "  |INTERFACE=eth0\n"
                                         "  |IFINDEX=2\n"
                                         "\n"
                                         "sys/devices/x/gids/\n"
                                         "  0 fe80:0000\n"
                                         "  [1-11] 0000:0000\n"
                                         "\n"
                                         "sys/devices/x/types/\n"
                                         "  0 RoCE v2\n"
                                         "  [1-3] ! EINVAL\n";
    tree->note = "What it is.\n\nhealthy: yes\n";
    add_text("sys/devices/x/rate", "25 Gb/sec (1X EDR)\n");
    add_text("sys/devices/x/ifalias", "");
    add_text("sys/devices/x/node_desc", "host17");
    add_text("sys/devices/x/uevent", "INTERFACE=eth0\nIFINDEX=2\n");
    cr_assert_eq(filetree_make_error(add("sys/devices/x/phys_port_name"), EOPNOTSUPP), 0);
    cr_assert_eq(filetree_make_directory(tree, add("sys/devices/x/empty")), 0);
    for (int i = 11; i >= 0; i--) {
        char path[64];
        snprintf(path, sizeof(path), "sys/devices/x/gids/%d", i);
        add_text(path, i ? "0000:0000\n" : "fe80:0000\n");
        snprintf(path, sizeof(path), "sys/devices/x/types/%d", i);
        if (i > 0 && i < 4)
            cr_assert_eq(filetree_make_error(add(path), EINVAL), 0);
    }
    add_text("sys/devices/x/types/0", "RoCE v2\n");
    add_link("sys/class/infiniband/mlx5_0", "../../devices/x");
    cr_expect_str_eq(written(), expected);
    read_back();
    cr_expect_str_eq(tree->note, "What it is.\n\nhealthy: yes\n");
    expect_file("sys/class/infiniband/mlx5_0/gids/10", "0000:0000\n", 10);
    text.len = 0;
    recording_write_errors(tree, &text);
    cr_expect_str_eq(text.data,
                     "sys/devices/x/phys_port_name\tEOPNOTSUPP\nsys/devices/x/types/[1-3]\tEINVAL\n");
}

Test(recording, a_gap_or_another_text_ends_a_range)
{
    static const char *const names[] = { "1", "2", "4", "5", "6", "07", "x8", "x9" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[32];
        snprintf(path, sizeof(path), "sys/%s", names[i]);
        add_text(path, i == 4 ? "other\n" : "same\n");
    }
    cr_expect_str_eq(written(),
                     FIRST "\nsys/\n  07 same\n  [1-2] same\n  [4-5] same\n  6 other\n  x[8-9] same\n");
    read_back();
}

Test(recording, order_is_that_of_names_not_of_time)
{
    static const char *const names[] = {
        "b", "a", "a10", "a9", "a09", "B", "a/x", "c/z", "c/a", "[3-4]", "\xff"
    };
    struct bytes first = { 0 };
    size_t count = sizeof(names) / sizeof(*names);
    for (size_t shift = 0; shift < count; shift++) {
        filetree_free(tree);
        tree = filetree_new();
        for (size_t i = 0; i < count; i++) {
            char path[32];
            snprintf(path, sizeof(path), "sys/%s", names[(i + shift) % count]);
            if (strcmp(path, "sys/a") != 0) /* a directory, by what is in it */
                add_text(path, "1\n");
        }
        written();
        if (first.len)
            cr_expect_str_eq(text.data, first.data);
        else
            bytes_append(&first, text.data, text.len);
    }
    cr_expect(strstr(first.data, "a9 1\n  a10 1\n") != NULL || strstr(first.data, "a[9-10] 1\n"), "%s",
              first.data);
    bytes_free(&first);
}

Test(recording, odd_names)
{
    static const char *const names[] = {
        "a b",        " ",        "a,b",         "a:b", ":",   "#",    "|",
        "a\\b",       "\\x41",    "[1-2]",       "a[b", "]",   "a\tb", "a\nb",
        "\x1b[31m",   "\xff\xfe", "caf\xc3\xa9", "-",   "->",  "!",    "...",
        ".hidden",    "00",       "01",          "x1y", "x2y", "x3y",  "9999999999999999999",
        "12345678901"
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[64];
        snprintf(path, sizeof(path), "sys/f/%s", names[i]);
        add_text(path, "same\n");
        snprintf(path, sizeof(path), "sys/d/%s/x", names[i]);
        add_text(path, names[i]);
        snprintf(path, sizeof(path), "sys/e/%s", names[i]);
        cr_assert_eq(filetree_make_directory(tree, add(path)), 0);
        snprintf(path, sizeof(path), "sys/l/%s", names[i]);
        add_link(path, names[i]);
    }
    read_back();
    const struct node *dir = filetree_resolve(tree, "sys/d");
    cr_assert_eq(dir->nchildren, sizeof(names) / sizeof(*names));
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[64];
        snprintf(path, sizeof(path), "sys/d/%s/x", names[i]);
        expect_file(path, names[i], strlen(names[i]));
        snprintf(path, sizeof(path), "sys/f/%s", names[i]);
        expect_file(path, "same\n", 5);
    }
    cr_assert_not_null(strstr(text.data, "  x[1-3]y same\n"), "%s", text.data);
}

Test(recording, netlink_says_what_it_is)
{
    /* NLMSG_DONE, then an acknowledgement that says EPERM */
    static const unsigned char reply[] = { 20, 0, 0, 0, 3, 0, 2,  0, 1,    2,    3,    4,   5, 6,
                                           7,  8, 0, 0, 0, 0, 20, 0, 0,    0,    2,    0,   0, 0,
                                           1,  2, 3, 4, 5, 6, 7,  8, 0xff, 0xff, 0xff, 0xff };
    add_file("netlink/rtnl-links", reply, sizeof(reply));
    add_text("netlink/ethtool-statistics.eth0", "rx_pause 1\n");
    cr_expect_str_eq(written(), FIRST "\n"
                                      "netlink/\n"
                                      "  ethtool-statistics.eth0 rx_pause 1\n"
                                      "  # all netdevs\n"
                                      "  rtnl-links :\n"
                                      "  # NLMSG_DONE\n"
                                      "  :14000000 03000200 01020304 05060708 00000000\n"
                                      "  # NLMSG_ERROR EPERM\n"
                                      "  :14000000 02000000 01020304 05060708 ffffffff\n");
    read_back();
    expect_file("netlink/rtnl-links", reply, sizeof(reply));
}

/* -- on its way ---------------------------------------------------------------------------------------- */

static void expect_undone(const char *given, const char *wanted)
{
    struct bytes got = { 0 };
    bytes_append(&got, given, strlen(given));
    mail_undo(&got);
    cr_expect_str_eq(got.data, wanted, "%s", given);
    cr_expect_eq(got.len, strlen(wanted), "%s", given);
    bytes_free(&got);
}

Test(recording, what_mail_and_windows_do_is_undone)
{
    expect_undone("\xef\xbb\xbf"
                  "a\r\n\r\nb\r\n",
                  "a\n\nb\n");
    expect_undone("> a\n>\n>  b\n", "a\n\n b\n");
    expect_undone(">a\r\n>b\r\n", "a\nb\n");
    expect_undone("> a\n\n> b", "a\n\nb");
    expect_undone("> a\nb\n", "> a\nb\n");
    expect_undone("a\rb\nc\r", "a\rb\nc\r");
    expect_undone("", "");
    expect_undone(">", "");
}

/* Those that findings need are unpacked first; what was handed out stays when the others are, too. */
Test(recording, packed_lines_stay)
{
    const char *first = packed_line(1), *last = packed_line(lines_first);
    cr_assert(first && *first && last && *last);
    char *copy = strdup(first);
    const char *other = packed_line(lines_first + 1);
    cr_assert(other && *other);
    cr_expect_eq(packed_line(1), first);
    cr_expect_str_eq(first, copy);
    cr_expect_str_eq(packed_line(lines_first), last);
    cr_expect_null(packed_line(0));
    free(copy);
}

Test(recording, gzips_members_are_one_text)
{
    struct bytes one = { 0 }, packed = { 0 }, got = { 0 };
    bytes_append(&one, "one\n", 4);
    cr_expect_not(gzip_is(&one));
    cr_assert_eq(gzip_pack(&one, &packed), 0);
    cr_expect(gzip_is(&packed));
    size_t len = packed.len;
    cr_assert_eq(gzip_pack(&one, &packed), 0);
    cr_expect_eq(packed.len, 2 * len);
    cr_expect_arr_eq(packed.data, packed.data + len, len, "nothing in it is of the moment");
    cr_assert_eq(gzip_unpack(&packed, 100, &got), 0);
    cr_expect_str_eq(got.data, "one\none\n");
    bytes_free(&got);
    for (size_t cut = 1; cut < len; cut++) {
        const struct bytes less = { .data = packed.data, .len = packed.len - cut };
        cr_expect_eq(gzip_unpack(&less, 100, &got), -EBADMSG, "%zu bytes less", cut);
        bytes_free(&got);
    }
    packed.data[len / 2] ^= 0x55;
    cr_expect_eq(gzip_unpack(&packed, 100, &got), -EBADMSG);
    bytes_free(&one);
    bytes_free(&packed);
    bytes_free(&got);
}

Test(recording, what_unpacks_to_too_much_ends_soon)
{
    enum { MOST = 1 << 16 };
    struct bytes zeros = { 0 }, packed = { 0 }, got = { 0 };
    char *many = mem_alloc(1, 64 << 20);
    bytes_append(&zeros, many, 64 << 20);
    free(many);
    cr_assert_eq(gzip_pack(&zeros, &packed), 0);
    cr_expect_eq(gzip_unpack(&packed, MOST, &got), 0);
    cr_expect(got.len > MOST && got.len <= 3 * MOST, "%zu", got.len);
    bytes_free(&zeros);
    bytes_free(&packed);
    bytes_free(&got);
}

/* -- what is wrong ------------------------------------------------------------------------------------- */

static void expect_fault(size_t line, const char *what, const char *body)
{
    struct filetree *none = NULL;
    struct bytes whole = { 0 };
    bytes_printf(&whole, FIRST "%s", body);
    cr_expect_eq(recording_parse(whole.data, whole.len, &none, &fault), -EBADMSG, "%s", body);
    cr_expect_eq(fault.line, line, "line %zu: %s\n%s", fault.line, fault.what, body);
    cr_expect(strstr(fault.what, what) != NULL, "'%s' says nothing of '%s'\n%s", fault.what, what, body);
    cr_expect_null(none);
    bytes_free(&whole);
}

Test(recording, what_is_none_says_what_it_is)
{
    static const struct {
        const char *text, *what;
        size_t line;
    } others[] = {
        { "text\n", "not a recording: its first line is not '# roce recording 1'", 0 },
        { "\xff\xfe#", "UTF-16", 0 },
        { "\xfd"
          "7zXZ",
          "'xz -d'", 0 },
        { "PK\x03\x04", "'unzip'", 0 },
        { "{\"version\": 1}\n", "'roce compare'", 0 },
        { "From: somebody\n\n" FIRST "sys/\n", "delete what is above it", 2 },
    };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        struct filetree *none = NULL;
        cr_expect_eq(recording_parse(others[i].text, strlen(others[i].text), &none, &fault), -EBADMSG);
        cr_expect(strstr(fault.what, others[i].what) != NULL, "%s", fault.what);
        cr_expect_eq(fault.line, others[i].line, "%s: line %zu", others[i].what, fault.line);
    }
}

Test(recording, damage_has_its_line)
{
    expect_fault(2, "middle of a line", "sys/");
    expect_fault(3, "middle of a line", "sys/\n  x 1");
    expect_fault(3, "ends in a blank", "sys/\n  x 1 \n");
    expect_fault(3, "0x0d", "sys/\n  x 1\r\n");
    expect_fault(3, "0xff", "sys/\n  x \xff\n");
    expect_fault(3, "0x09", "sys/\n\tx 1\n");
    expect_fault(2, "below no directory", "  x 1\n");
    expect_fault(2, "path of a directory", "x 1\n");
    expect_fault(3, "path of a directory", "sys/\n x 1\n");
    expect_fault(3, "begin with a name", "sys/\n   x\n");
    expect_fault(4, "continues no file", "sys/\n  x 1\n  |y\n");
    expect_fault(4, "continues no file", "sys/\n  x |\n  :00\n");
    expect_fault(3, "no line of its contents", "sys/\n  x |\n\n  y 1\n");
    expect_fault(3, "no line of its contents", "sys/\n  x :\n");
    expect_fault(4, "hexadecimal", "sys/\n  x :\n  :0\n");
    expect_fault(4, "hexadecimal", "sys/\n  x :\n  :0g\n");
    expect_fault(4, "hexadecimal", "sys/\n  x :\n  :00  00\n");
    expect_fault(4, "hexadecimal", "sys/\n  x :\n  :00*\n");
    expect_fault(4, "hexadecimal", "sys/\n  x :\n  :00*1\n");
    expect_fault(4, "backslash", "sys/\n  x |\n  |\\y\n");
    expect_fault(3, "backslash", "sys/\n  x \\x4\n");
    expect_fault(3, "backslash", "sys/\n  x\\ 1\n");
    expect_fault(3, "backslash", "sys/\n  x -> \\q\n");
    expect_fault(3, "errno", "sys/\n  x ! ENOSUCH\n");
    expect_fault(3, "errno", "sys/\n  x !EIO\n");
    expect_fault(3, "-> TARGET", "sys/\n  x ->\n");
    expect_fault(3, "\\x7c", "sys/\n  x |y\n");
    expect_fault(3, "not a range", "sys/\n  [2-1] y\n");
    expect_fault(3, "not a range", "sys/\n  [1-1] y\n");
    expect_fault(3, "not a range", "sys/\n  [01-2] y\n");
    expect_fault(3, "not a range", "sys/\n  [1-2 y\n");
    expect_fault(3, "not a range", "sys/\n  x[1-2][3-4] y\n");
    expect_fault(3, "not a range", "sys/\n  [1-99999999999] y\n");
}

Test(recording, another_file_is_none)
{
    static const char *const texts[] = { "", "\n", "hello\n", "# roce recordin", "# roce recording\n" };
    struct filetree *none = NULL;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        cr_expect_eq(recording_parse(texts[i], strlen(texts[i]), &none, &fault), -EBADMSG);
        cr_expect(fault.line <= 1 && strstr(fault.what, "recording"), "%s: line %zu %s", texts[i], fault.line,
                  fault.what);
    }
    static const char newer[] = "# roce recording 12\n";
    cr_expect_eq(recording_parse(newer, strlen(newer), &none, &fault), -EBADMSG);
    cr_expect_eq(fault.line, 1);
    cr_expect(strstr(fault.what, "reads"), "%s", fault.what);
}

Test(recording, hostile_names)
{
    expect_fault(2, "not a name", "../\n");
    expect_fault(2, "not a name", "sys/../../etc/\n");
    expect_fault(2, "not a name", "/etc/\n");
    expect_fault(2, "not a name", "sys//x/\n");
    expect_fault(2, "not a name", "./\n");
    expect_fault(3, "not a name", "sys/\n  .. 1\n");
    expect_fault(3, "not a name", "sys/\n  . -> /\n");
    expect_fault(3, "not a name", "sys/\n  \\x2e\\x2e/\n");
    expect_fault(3, "not a name", "sys/\n  a/b 1\n");
    expect_fault(3, "not a name", "sys/\n  a\\x2fb 1\n");
    expect_fault(3, "not a name", "sys/\n  /etc/passwd 1\n");
    expect_fault(3, "not a name", "sys/\n  a\\x00b 1\n");
    expect_fault(3, "not a name", "sys/\n  / 1\n");
    expect_fault(3, "not a name", "sys/\n  [1-2]\\x2fx 1\n");
    expect_fault(3, "not a name", "sys/\n  x -> a\\x00b\n");
    expect_fault(3, "not a name", "sys/\n  a\\x5bb ! EIO\n");
}

Test(recording, nothing_is_below_a_file_or_link_or_there_twice)
{
    expect_fault(5, "below a file or a link", "sys/\n  x -> /etc\n\nsys/x/\n  passwd 1\n");
    expect_fault(5, "below a file or a link", "sys/\n  x 1\n\nsys/x/y/\n");
    expect_fault(5, "is there twice", "sys/x/\n  y 1\nsys/\n  x -> /etc\n");
    expect_fault(4, "is there twice", "sys/\n  x 1\n  x 1\n");
    expect_fault(4, "is there twice", "sys/\n  x 1\n  x -> y\n");
    expect_fault(4, "is there twice", "sys/\n  2 1\n  [1-3] 1\n");
    expect_fault(4, "is there twice", "sys/\n  x ! EIO\n  x ! EIO\n");
    expect_fault(4, "is there twice", "sys/\n  x/\n  x 1\n");
    expect_fault(4, "is there twice", "sys/\n  x/\n  x/\n");
    expect_fault(4, "is there twice", "sys/\n  [0-9]/\n  9/\n");
    expect_fault(3, "at the top", "/\n  NOTE x\n");
    expect_fault(3, "at the top", "/\n  errors x\n");
    expect_fault(2, "at the top", "errors/\n");
}

static void expect_long_fault(const char *what, const char *before, char filler, size_t count,
                              const char *behind)
{
    struct bytes body = { 0 };
    bytes_printf(&body, "%s", before);
    for (size_t i = 0; i < count; i++)
        bytes_append(&body, &filler, 1);
    bytes_printf(&body, "%s", behind);
    expect_fault(strcmp(before, "sys/") == 0 ? 2 : 3, what, body.data);
    bytes_free(&body);
}

Test(recording, bounds)
{
    char body[200];
    expect_long_fault("longer than", "sys/\n  x ", 'a', RECORDING_LINE_MOST, "\n");
    expect_long_fault("too long", "sys/\n  ", 'a', RECORDING_NAME_MOST + 1, " 1\n");
    expect_long_fault("too long", "sys/\n  x -> ", 'a', RECORDING_TARGET_MOST + 1, "\n");
    struct bytes deep = { 0 };
    for (int i = 0; i <= RECORDING_DEPTH_MOST; i++)
        bytes_printf(&deep, "a/");
    bytes_printf(&deep, "\n");
    expect_fault(2, "too deep", deep.data);
    deep.len = 0;
    for (int i = 0; i < RECORDING_PATH_MOST / 101 + 1; i++)
        bytes_printf(&deep, "%0100d/", 7);
    bytes_printf(&deep, "\n");
    expect_fault(2, "too long", deep.data);
    bytes_free(&deep);
    snprintf(body, sizeof(body), "proc/\n  [1-%d] ! EIO\n", RECORDING_ENTRIES_MOST);
    expect_fault(3, "more than", body);
    snprintf(body, sizeof(body), "proc/\n  x :\n  :00*%d\n", RECORDING_FILE_MOST + 1);
    expect_fault(4, "larger", body);
    snprintf(body, sizeof(body), "proc/\n  [1-%d] :\n  :00*%d\n", RECORDING_ROOM_MOST / RECORDING_FILE_MOST + 1,
             RECORDING_FILE_MOST);
    expect_fault(3, "larger", body);
    snprintf(body, sizeof(body), "proc/\n  [1-%d] 1\n", RECORDING_ROOM_MOST / RECORDING_BLOCK + 1);
    expect_fault(3, "larger", body);
    snprintf(body, sizeof(body), "sys/\n  x :\n  :00*%d\n", RECORDING_SYS_MOST + 1);
    expect_fault(3, "larger", body);
}

Test(recording, fits_up_to_the_bounds)
{
    char body[200];
    struct filetree *big = NULL;
    int n = snprintf(body, sizeof(body), FIRST "proc/\n  [1-%d] ! EIO\n  x :\n  :00*%d\n",
                     RECORDING_ENTRIES_MOST - 2, RECORDING_FILE_MOST);
    cr_assert_eq(recording_parse(body, (size_t)n, &big, &fault), 0, "line %zu: %s", fault.line, fault.what);
    cr_expect_eq(big->entries, RECORDING_ENTRIES_MOST);
    filetree_free(big);
}

Test(recording, a_person_may_edit_it)
{
    static const char edited[] = FIRST
        "\n# a note\n\n# of two\n\n\nsys/b/\n# comments\n  y 2\n  # and more\n\n  x 1\n\nsys/b/c/\n"
        "sys/b/\n  z 3\n";
    struct filetree *read = NULL;
    cr_assert_eq(recording_parse(edited, strlen(edited), &read, &fault), 0, "line %zu: %s", fault.line,
                 fault.what);
    filetree_free(tree);
    tree = read;
    cr_expect_str_eq(written(), FIRST "#\n# a note\n#\n# of two\n\nsys/b/\n  c/\n  x 1\n  y 2\n  z 3\n");
}

/* -- settle -------------------------------------------------------------------------------------------- */

Test(recording, what_tells_of_the_moment_settles)
{
    char status[] = "Name:\troce\nPid:\t77\nUid:\t0\nVmRSS:\t1 kB\nCapEff:\t01\nCpus_allowed_list:\t0-1\n";
    cr_expect_eq(settle("proc/self/status", status, strlen(status)),
                 strlen("Uid:\t0\nCapEff:\t01\nCpus_allowed_list:\t0-1\n"));
    cr_expect_str_eq(status, "Uid:\t0\nCapEff:\t01\nCpus_allowed_list:\t0-1\n");
    char process[] = "Name:\ttrain\nVmPin:\t  64 kB\nVmRSS:\t1 kB\nCapEff:\t01\n";
    cr_expect_eq(settle("proc/4711/status", process, strlen(process)),
                 strlen("VmPin:\t  64 kB\nCapEff:\t01\n"));
    cr_expect_str_eq(process, "VmPin:\t  64 kB\nCapEff:\t01\n");
    char other[] = "Pid:\t77\n";
    cr_expect_eq(settle("proc/modules", other, 8), 8);
    cr_expect_str_eq(other, "Pid:\t77\n");
    _Alignas(8) char reply[] = { 20, 0, 0, 0, 3, 0, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0 };
    static const char settled[] = { 20, 0, 0, 0, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0 };
    cr_expect_eq(settle("netlink/rtnl-links", reply, sizeof(reply)), sizeof(reply));
    cr_expect_arr_eq(reply, settled, sizeof(reply));
    _Alignas(8) char cut[] = { 20, 0, 0, 0, 3, 0, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0 };
    settle("netlink/rtnl-links", cut, sizeof(cut));
    cr_expect_eq(cut[8], 1, "half a message is left alone");
}

Test(recording, ages_of_neighbours_settle)
{
    /* ndmsg, then NDA_CACHEINFO: confirmed, used, updated, refcnt */
    _Alignas(8) unsigned char reply[48] = { 48, 0, 0, 0, 28, 0, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2 };
    reply[28] = 20, reply[30] = 3;
    memset(reply + 32, 7, 16);
    _Alignas(8) unsigned char copy[48];
    memcpy(copy, reply, sizeof(copy));
    settle("netlink/rtnl-neighbours", (char *)reply, sizeof(reply));
    for (size_t i = 32; i < 44; i++)
        cr_expect_eq(reply[i], 0);
    cr_expect_eq(reply[44], 7, "the count of references is no age");
    settle("netlink/ethtool-pause.eth0", (char *)copy, sizeof(copy));
    cr_expect_eq(copy[32], 7, "of another family 28 means something else");
}

Test(recording, ages_of_mounts_settle)
{
    char mounts[] =
        "device proc mounted on /proc with fstype proc\n"
        "device none mounted on /proc/fs/nfsd with fstype nfsd\n"
        "device a:/x mounted on /mnt with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.2\n\tage:\t77\n"
        "\txprt:\trdma 0 0 3 120 7 574 573 1 580 2 32 33 14 4294880 4195540 7 9 113900 2\n"
        "\tper-op statistics\n\t        READ: 1 1 0\n";
    static const char settled[] = "device a:/x mounted on /mnt with fstype nfs4 statvers=1.1\n"
                                  "\txprt:\trdma 0 0 3 0 0 0 0 0 0 0 32 33 14 4294880 4195540 7 9 113900 2\n";
    size_t len = settle("proc/self/mountstats", mounts, strlen(mounts));
    cr_expect_str_eq(mounts, settled);
    cr_expect_eq(len, strlen(settled));
    char cut[] = "\txprt:\ttcp 880 1 1";
    cr_expect_eq(settle("proc/self/mountstats", cut, strlen(cut)), strlen(cut));
    cr_expect_str_eq(cut, "\txprt:\ttcp 880 1 1");
}
