/* SPDX-License-Identifier: MIT */
/* arguments, selection, columns: the command line as a user types it. */
#include "command/context.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "view/column.h"

static struct args args;

static int parse(const char *line)
{
    static char copy[256], *argv[32];
    int argc = 0;
    snprintf(copy, sizeof(copy), "%s", line);
    for (char *at = copy, *save = NULL, *word; (word = strtok_r(at, " ", &save)); at = NULL)
        argv[argc++] = word;
    argv[argc] = NULL;
    args = (struct args){ 0 };
    return args_parse(&args, argc, argv);
}

static void expect_refusal(const char *line, const char *message)
{
    cr_redirect_stderr();
    cr_assert_eq(parse(line), -EINVAL, "%s", line);
    cr_assert_stderr_eq_str(message);
}

Test(args, status_is_the_default)
{
    cr_assert_eq(parse("roce"), 0);
    cr_assert_str_eq(args.command->name, "status");
    cr_assert_eq(parse("roce -j"), 0);
    cr_assert(args.look.json);
    cr_assert_str_eq(args.command->name, "status");
}

Test(args, options_of_status_without_its_name)
{
    cr_assert_eq(parse("roce -o device,port --no-header"), 0);
    cr_assert_str_eq(args.command->name, "status");
    cr_assert_str_eq(args.look.columns, "device,port");
    cr_assert_eq(parse("roce -V"), 0);
    cr_assert_str_eq(args.command->name, "version");
    expect_refusal("roce -j statsu", "roce: unknown command 'statsu'; did you mean 'status'?\n");
}

Test(args, globals_before_and_behind)
{
    cr_assert_eq(parse("roce -r /a gids"), 0);
    cr_assert_str_eq(args.root, "/a");
    cr_assert_eq(parse("roce gids mlx5_0 --root=/b -j"), 0);
    cr_assert_str_eq(args.root, "/b");
    cr_assert(args.look.json);
    cr_assert_eq(args.noperands, 1);
    cr_assert_str_eq(args.operands[0], "mlx5_0");
    cr_assert_str_eq(args.command->name, "gids");
}

Test(args, choices_in_any_case_commands_by_their_singular)
{
    cr_assert_eq(parse("roce show gid --for NCCL --color Never"), 0);
    cr_assert_str_eq(args.command->name, "gids");
    cr_assert_str_eq(args_value(&args, "for"), "nccl");
    cr_assert_str_eq(args_value(&args, "color"), "never");
    cr_assert_eq(parse("roce counter -w 5 mlx5_0"), 0);
    cr_assert_str_eq(args_value(&args, "watch"), "5");
    cr_assert_eq(args.noperands, 1);
    cr_assert_str_eq(args.operands[0], "mlx5_0");
}

Test(args, values)
{
    cr_assert_eq(parse("roce gids --for nccl -o device,gid --no-header"), 0);
    cr_assert_str_eq(args_value(&args, "for"), "nccl");
    cr_assert_str_eq(args.look.columns, "device,gid");
    cr_assert(args.look.no_header);
    cr_assert_eq(parse("roce counters --watch"), 0);
    cr_assert(args_given(&args, "watch"));
    cr_assert_null(args_value(&args, "watch"));
    cr_assert_eq(parse("roce counters --watch=5"), 0);
    cr_assert_str_eq(args_value(&args, "watch"), "5");
}

Test(args, numbers)
{
    cr_assert_eq(parse("roce counters --count 7"), 0);
    cr_assert_eq(args_number(&args, "count", 3), 7);
    cr_assert_eq(args_number(&args, "watch", 3), 3, "not given");
    expect_refusal("roce counters --count 0", "roce: --count takes a number from 1 to 4294967295, not '0'\n");
}

Test(args, unknown_command)
{
    expect_refusal("roce statsu", "roce: unknown command 'statsu'; did you mean 'status'?\n");
}

Test(args, unknown_option)
{
    expect_refusal("roce gids --foor nccl", "roce: 'gids': unknown option '--foor'; did you mean '--for'?\n");
}

Test(args, unknown_letter)
{
    expect_refusal("roce gids -Z", "roce: 'gids': unknown option '-Z'; see 'roce gids --help'\n");
}

Test(args, missing_value)
{
    expect_refusal("roce gids --for",
                   "roce: '--for' needs a value: nccl|rccl|ucx|perftest|rdma_cm|libfabric|mpi\n");
}

Test(args, needless_value)
{
    expect_refusal("roce gids --all=1", "roce: '--all' takes no value\n");
}

Test(args, wrong_choice)
{
    expect_refusal("roce gids --for mvapich",
                   "roce: --for takes one of nccl|rccl|ucx|perftest|rdma_cm|libfabric|mpi, not 'mvapich'\n");
}

Test(args, operand_where_none_is_taken)
{
    expect_refusal("roce version now", "roce: 'version' takes no 'now'; see 'roce version --help'\n");
}

/* A value comes from one place, and a number is shown as a number. */
static void expect_column(const struct command *command, const struct column *column)
{
    const char *key = column_key(column);
    bool is_member = column->member.type != MEMBER_NONE;
    cr_assert_not_null(column_help(column), "%s %s", command->name, key);
    cr_assert_eq(is_member + (column->get != NULL) + (column->make != NULL), 1, "%s %s", command->name, key);
    switch (column->member.as) {
    case VALUE_ABSENT:
        cr_assert(!is_member || column->member.type == MEMBER_OBJECT, "%s %s", command->name, key);
        break;
    case VALUE_UNSIGNED:
    case VALUE_BOOLEAN:
    case VALUE_MBPS:
    case VALUE_BYTES:
    case VALUE_HEX:
    case VALUE_GUID:
        break;
    default:
        cr_assert_fail("%s %s: an unsigned number is none of that type", command->name, key);
    }
}

Test(attributes, are_complete_and_their_keys_unique)
{
    for (size_t i = ATTR_NONE + 1; i < ATTRIBUTES; i++) {
        const struct attribute *attribute = &attributes[i];
        cr_assert(attribute->key && attribute->help, "attribute %zu", i);
        for (size_t j = ATTR_NONE + 1; j < i; j++)
            cr_expect(attributes[j].of != attribute->of || strcmp(attributes[j].key, attribute->key) != 0, "%s",
                      attribute->key);
    }
}

Test(commands, are_complete)
{
    for (size_t i = 0; commands[i]; i++) {
        const struct command *command = commands[i];
        cr_assert_not_null(command->summary, "%s", command->name);
        cr_assert_not_null(command->run, "%s", command->name);
        cr_assert_eq(command_find(command->name), command);
        cr_assert(!command->columns || command->plural, "%s", command->name);
        for (const struct option_def *option = command->options; option && option->name; option++) {
            cr_assert(option->help, "%s --%s", command->name, option->name);
            cr_assert_eq(option->value != ARG_NONE, option->arg != NULL, "%s --%s", command->name,
                         option->name);
        }
        for (const struct column *column = command->columns; column && !column_is_end(column); column++)
            expect_column(command, column);
    }
}

Test(commands, have_the_texts_that_help_shows)
{
    for (const struct command_text *text = command_texts; text->command; text++)
        cr_expect_not_null(command_find(text->command), "%s", text->command);
}

Test(commands, are_found_by_what_they_begin_with)
{
    cr_expect_eq(command_meant("dev"), command_find("devices"));
    cr_expect_eq(command_meant("gid"), command_find("gids"));
    cr_expect_eq(command_meant("link"), command_find("links"), "as it was once called");
    cr_expect_eq(command_meant("ibstat"), command_find("ibstat"), "a name goes before a beginning");
    cr_expect_null(command_meant("re"), "record and report begin so");
    cr_expect_null(command_meant("ibv_dev"), "a drop-in is called by its name");
    cr_expect_null(command_meant(""));
}

/* What people ask in words, and which of them isn't understood. */
Test(commands, questions_are_understood)
{
    static const struct {
        const char *words[8], *command, *name;
    } rows[] = {
        { { "why", "is", "mlx5_1", "slow" }, "doctor", "mlx5_1" },
        { { "is", "pfc", "enabled", "on", "mlx5_0" }, "qos", "mlx5_0" },
        { { "which", "gid", "index", "should", "nccl", "use" }, "gids", NULL },
        { { "what", "is", "pfc" }, "explain", "pfc" },
        { { "what", "is", "wrong" }, "doctor", NULL },
        { { "who", "uses", "rxe1" }, "users", "rxe1" },
        { { "mlx5_2", "down" }, "doctor", "mlx5_2" },
        { { "mlx5_2", "gids" }, "gids", "mlx5_2" },
        { { "mlx5_2", "mlx5_3" }, "about", "mlx5_2" },
        { { "show", "mlx5_2" }, "about", "mlx5_2" },
        { { "res", "show", "qp", "dev", "rxe0" }, "users", "qp" },
        { { "gid", "mlx5_2" }, "gids", "mlx5_2" },
        { { "mlx5_core", "0000:5a:00.0", "rail3:", "Link", "down" }, "explain", "mlx5_core" },
        { { "why", "is", "mlx5_1", "purple", "and", "slow" }, NULL, NULL },
        { { "get", "nodes", "-o", "wide" }, NULL, NULL },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *argv[10] = { (char *)"roce" };
        int argc = 1;
        for (; argc <= 8 && rows[i].words[argc - 1]; argc++)
            argv[argc] = (char *)rows[i].words[argc - 1];
        args = (struct args){ 0 };
        int r = args_parse(&args, argc, argv);
        cr_expect_eq(r < 0, !rows[i].command, "%s %s: %d", rows[i].words[0], rows[i].words[1], r);
        if (r < 0 || !rows[i].command)
            continue;
        cr_expect_str_eq(args.command->name, rows[i].command, "%s %s", rows[i].words[0], rows[i].words[1]);
        cr_expect_eq(args.noperands > 0, rows[i].name != NULL);
        cr_expect(!rows[i].name || !args.noperands || strcmp(args.operands[0], rows[i].name) == 0, "%s",
                  rows[i].words[0]);
    }
}

Test(commands, run_in_the_place_of_what_other_tools_are_called)
{
    for (const struct instead *row = insteads; row->words; row++) {
        char text[64];
        char *words[2] = { text, NULL };
        snprintf(text, sizeof(text), "%s", row->words);
        char *second = strchr(text, ' ');
        if (second)
            *second++ = '\0';
        words[1] = second;
        cr_expect_eq(instead_find(words, 1 + !!second), row, "%s is shadowed by another", row->words);
        cr_expect(second || !command_meant(words[0]), "%s is a command", words[0]);
        if (!row->roce || *row->words == '-')
            continue;
        size_t options = 0, operands = 0;
        for (const char *at = strchr(row->roce, ' '); at; at = strchr(at + 1, ' ')) {
            bool value = options && (strstr(row->roce, "--only ") || strstr(row->roce, " -o ") ||
                                     strstr(row->roce, "--for "));
            options += at[1] == '-';
            operands += at[1] != '-' && !value;
        }
        args = (struct args){ 0 };
        char *argv[] = { (char *)"roce", words[0], words[1], NULL };
        cr_assert_eq(args_parse(&args, 2 + !!second, argv), 0, "%s", row->words);
        cr_expect_eq(args.command, instead_command(row));
        cr_expect_eq(args.ngiven, options, "%s", row->roce);
        cr_expect_eq(args.noperands, operands, "%s", row->roce);
    }
}

static struct host *make_host(void)
{
    struct host *host = host_new();
    static const char *const names[] = { "mlx5_0", "mlx5_1" };
    for (size_t i = 0; i < 2; i++) {
        struct device *device = ARENA_PUSH(host->arena, host->devices, host->ndevices);
        *device = (struct device){ .name = names[i] };
        for (uint32_t number = 1; number <= 2; number++) {
            struct port *port = ARENA_PUSH(host->arena, device->ports, device->nports);
            *port = (struct port){ .number = number, .netdev_nldev = i == 1 && number == 2 ? "eth3" : NULL };
        }
    }
    host_finish(host);
    return host;
}

static int select_ports(struct host *host, struct selection *selection, const char *name,
                        struct selection_error *error)
{
    char *operands[] = { (char *)name };
    return selection_make(selection, host, operands, 1, error);
}

Test(selection, device_port_and_netdev)
{
    struct host *host = make_host();
    struct selection selection;
    struct selection_error error;
    cr_assert_eq(select_ports(host, &selection, "mlx5_1", &error), 0);
    cr_assert_eq(selection.nparts, 2);
    cr_assert_eq(selection.ndevices, 1);
    cr_assert_eq(select_ports(host, &selection, "mlx5_0/2", &error), 0);
    cr_assert_eq(selection.nparts, 1);
    cr_assert_eq(selection.parts[0].port->number, 2);
    cr_assert_eq(select_ports(host, &selection, "eth3", &error), 0);
    cr_assert_eq(selection.parts[0].port, &host->devices[1].ports[1]);
    host_free(host);
}

Test(selection, by_whatever_names_it)
{
    struct host *host = make_host();
    struct selection selection;
    struct selection_error error;
    host->devices[1].pci = "0000:1a:00.0";
    host->devices[1].node_guid = num_of(0xb83fd20300370010);
    host->devices[1].uverbs.name = "uverbs1";
    struct netdev *netdev = ARENA_PUSH(host->arena, host->netdevs, host->nnetdevs);
    *netdev = (struct netdev){ .name = "eth3", .mac = "b8:3f:d2:37:00:10" };
    host_finish(host);
    static const char *const names[] = { "0000:1a:00.0",       "1a:00.0",          "b83f:d203:0037:0010",
                                         "0xb83fd20300370010", "b83fd20300370010", "uverbs1" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        cr_assert_eq(select_ports(host, &selection, names[i], &error), 0, "%s", names[i]);
        cr_expect_eq(selection.ndevices, 1, "%s", names[i]);
        cr_expect_eq(selection.devices[0], &host->devices[1], "%s", names[i]);
    }
    cr_assert_eq(select_ports(host, &selection, "B8:3F:D2:37:00:10", &error), 0);
    cr_expect_eq(selection.nparts, 1);
    cr_expect_eq(selection.parts[0].port, &host->devices[1].ports[1]);
    cr_expect_eq(select_ports(host, &selection, "b83fd20300370011", &error), -ENODEV);
    cr_expect_eq(select_ports(host, &selection, "uverbs", &error), -ENODEV);
    host_free(host);
}

Test(selection, lists)
{
    struct host *host = make_host();
    struct selection selection;
    struct selection_error error;
    cr_assert_eq(select_ports(host, &selection, "mlx5_1/2,mlx5_0/1", &error), 0);
    cr_assert_eq(selection.nparts, 2);
    cr_expect_eq(selection.parts[0].port, &host->devices[1].ports[1]);
    cr_expect_eq(selection.parts[1].port, &host->devices[0].ports[0]);
    cr_assert_eq(select_ports(host, &selection, "mlx5_[0,1]", &error), 0, "a comma of a pattern's");
    cr_expect_eq(selection.ndevices, 2);
    cr_assert_eq(select_ports(host, &selection, "!mlx5_1/1,mlx5_1/2", &error), 0);
    cr_expect_eq(selection.nparts, 2, "both are excluded");
    cr_assert_eq(select_ports(host, &selection, "mlx5_*,!mlx5_1/2", &error), 0);
    cr_expect_eq(selection.nparts, 3, "one is excluded");
    cr_expect_eq(select_ports(host, &selection, "mlx5_1,none", &error), -ENODEV);
    cr_expect_str_eq(error.name, "none");
    cr_expect_eq(select_ports(host, &selection, "mlx5_1,", &error), -ENODEV, "an empty name is none");
    host_free(host);
}

Test(selection, what_it_has)
{
    struct host *host = make_host();
    struct device *bare = ARENA_PUSH(host->arena, host->devices, host->ndevices);
    *bare = (struct device){ .name = "bare0" };
    struct selection selection = { 0 };
    struct selection_error error;
    const struct device *first = &host->devices[0], *second = &host->devices[1];
    cr_assert(selection_has_port(&selection, &first->ports[0]), "nothing named is everything");
    cr_assert(selection_has_device(&selection, first));
    cr_assert_eq(select_ports(host, &selection, "mlx5_0/2", &error), 0);
    cr_assert(!selection_has_port(&selection, &first->ports[0]));
    cr_assert(selection_has_port(&selection, &first->ports[1]));
    cr_assert(selection_has_device(&selection, first));
    cr_assert(!selection_has_device(&selection, second));
    cr_assert_eq(select_ports(host, &selection, "bare0", &error), 0);
    cr_assert(selection_has_device(&selection, bare), "a device without ports is selected all the same");
    cr_assert(!selection_has_port(&selection, &first->ports[0]), "and nothing else is");
    host_free(host);
}

Test(selection, what_is_not_there)
{
    struct host *host = make_host();
    struct selection selection;
    struct selection_error error;
    cr_assert_eq(select_ports(host, &selection, "mlx5_2", &error), -ENODEV);
    cr_assert_str_eq(error.name, "mlx5_2");
    cr_assert_str_eq(error.nearest, "mlx5_0");
    cr_assert_null(error.device);
    cr_assert_eq(select_ports(host, &selection, "mlx5_0/x", &error), -ENODEV);
    cr_assert_eq(error.device, &host->devices[0]);
    cr_assert_str_eq(error.port, "x");
    cr_assert(selection.some && selection.nparts == 0, "nothing is selected, which isn't everything");
    host_free(host);
}

Test(context, says_what_is_not_there)
{
    struct context context = { .host = make_host() };
    cr_redirect_stderr();
    cr_assert_eq(context_select(&context, (char *[]){ (char *)"mlx5_2" }, 1), -ENODEV);
    cr_assert_eq(context_select(&context, (char *[]){ (char *)"mlx5_0/3" }, 1), -ENODEV);
    cr_assert_eq(context_select(&context, (char *[]){ (char *)"quite else" }, 1), -ENODEV);
    cr_assert_stderr_eq_str("roce: no such device 'mlx5_2'; did you mean 'mlx5_0'?\n"
                            "roce: device 'mlx5_0' has no port '3'; it has 2 ports\n"
                            "roce: no such device 'quite else'; 'roce' lists what there is\n");
    host_free(context.host);
}

Test(columns, choosing)
{
    const struct column *all = command_find("status")->columns;
    struct column_set set;
    cr_assert_eq(columns_choose(&set, all, "netdev,rate,device", false), 0);
    cr_assert_eq(set.count, 3);
    cr_assert_str_eq(column_key(set.items[1]), "rate_mbps", "the heading is a name too");
    cr_assert_eq(columns_choose(&set, all, NULL, false), 0);
    size_t usual = set.count;
    cr_assert_eq(columns_choose(&set, all, "+phys_state", false), 0);
    cr_assert_eq(set.count, usual + 1);
    cr_redirect_stderr();
    cr_assert_eq(columns_choose(&set, all, "device,netdve", false), -EINVAL);
    cr_assert_stderr_eq_str(
        "roce: unknown column 'netdve'; did you mean 'netdev'?; --list-columns shows them\n");
}
