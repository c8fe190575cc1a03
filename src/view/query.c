/* SPDX-License-Identifier: MIT */
/* --filter and --sort: which rows, in which order. */
#include "view/query.h"

#include "tables.h"

enum { DEPTH_MOST = 16 };

struct parser {
    struct condition *condition;
    const struct column *columns;
    const char *option, *text, *at;
    unsigned depth;
};

static int wrong(const struct parser *parser, const char *at, const char *what)
{
    return say_invalid("%s '%s': %s at character %zu", parser->option, parser->text, what,
                       (size_t)(at - parser->text) + 1);
}

static void skip_blanks(struct parser *parser)
{
    while (isspace((unsigned char)*parser->at))
        parser->at++;
}

static bool is_word_byte(char byte)
{
    return byte && !isspace((unsigned char)byte) && !strchr("()!=<>~&|\"'", byte);
}

static bool take_sign(struct parser *parser, const char *sign)
{
    skip_blanks(parser);
    if (!text_starts(parser->at, sign))
        return false;
    parser->at += strlen(sign);
    return true;
}

static bool take_keyword(struct parser *parser, const char *word)
{
    skip_blanks(parser);
    size_t len = strlen(word);
    if (strncasecmp(parser->at, word, len) != 0 || is_word_byte(parser->at[len]))
        return false;
    parser->at += len;
    return true;
}

/* Adds a step, which begins at `at`. */
static int add(struct parser *parser, struct condition_step step, const char *at)
{
    struct condition *condition = parser->condition;
    if (condition->count == CONDITION_STEPS)
        return wrong(parser, at, "too many conditions");
    condition->steps[condition->count++] = step;
    return 0;
}

/* The bits or bytes per second that a column's 1 stands for, if its key says. 0: a suffix only multiplies. */
static double unit_of(const struct column *column)
{
    return text_ends(column_key(column), "gbits_per_second")    ? 1e9
           : text_ends(column_key(column), "mbytes_per_second") ? 1e6
                                                                : 0;
}

/* "400", "0x1d", "100G", "1.5 GiB" with its blank removed. */
static void parse_number(struct condition_step *step)
{
    static const char letters[] = "kmgt";
    char *end;
    step->number = strtod(step->text, &end);
    step->is_number = end != step->text && isdigit((unsigned char)end[-1]);
    if (text_starts(step->text, "0x"))
        step->is_number = end > step->text + 2;
    if (!step->is_number || !*end)
        return;
    step->is_number = false;
    if (strcmp(end, "%") == 0 && text_ends(column_key(step->column), "_percent")) {
        step->is_number = true;
        return;
    }
    const char *letter = strchr(letters, tolower((unsigned char)*end));
    if (!letter)
        return;
    step->is_number = !end[1] || text_in_list_fold("b/s,bps,ib,b", ',', end + 1);
    step->scale = step->binary_scale = 1;
    for (const char *at = letters; at <= letter; at++) {
        step->scale *= 1000;
        step->binary_scale *= 1024;
    }
}

/* A word, or anything in quotes; for a pattern, all up to a blank or a parenthesis that it didn't open. */
static int parse_operand(struct parser *parser, struct condition_step *step, bool pattern)
{
    skip_blanks(parser);
    const char *start = parser->at;
    char quote = *start == '"' || *start == '\'' ? *start : '\0';
    size_t len = 0;
    start += quote != '\0';
    if (quote) {
        len = strcspn(start, (const char[]){ quote, '\0' });
        if (!start[len])
            return wrong(parser, parser->at, "a quote that doesn't end");
    } else if (pattern) {
        for (int open = 0; start[len] && !isspace((unsigned char)start[len]); len++) {
            open += (start[len] == '(') - (start[len] == ')');
            if (open < 0)
                break;
        }
    } else {
        while (is_word_byte(start[len]))
            len++;
    }
    if (!len && !quote)
        return wrong(parser, parser->at, "a value is missing");
    if (len >= sizeof(step->text))
        return wrong(parser, parser->at, "a value that is too long");
    snprintf(step->text, sizeof(step->text), "%.*s", (int)len, start);
    parser->at = start + len + (quote != '\0');
    return 0;
}

static const struct sign {
    const char *text;
    int is;
} signs[] = { QUERY_SIGNS };

static enum tristate yes_or_no(const char *text)
{
    static const char *const words[][2] = {
        { "yes", "no" }, { "true", "false" }, { "on", "off" }, { "1", "0" }
    };
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        for (size_t no = 0; no < 2; no++)
            if (strcasecmp(text, words[i][no]) == 0)
                return no ? TRI_NO : TRI_YES;
    return TRI_UNKNOWN;
}

/* Can the operand be compared with the column's values? */
static int check_operand(const struct parser *parser, struct condition_step *step, const char *at)
{
    const char *key = column_key(step->column);
    enum value_type type = column_type(step->column);
    bool is_share = text_ends(key, "_percent"), of_numbers = value_type_is_number(type);
    if (step->is == CONDITION_MATCH) {
        char message[96];
        int r = regcomp(&step->regex, step->text, REG_EXTENDED | REG_NOSUB);
        if (mem_regex(r))
            return 0;
        regerror(r, &step->regex, message, sizeof(message));
        step->is = 0; /* nothing to free */
        return wrong(parser, at, message);
    }
    parse_number(step);
    if (step->is_number && step->scale && is_share)
        return wrong(parser, at, "this column is a share in percent, and this is not one,");
    if (of_numbers && !step->is_number && text_ends(step->text, "%") && !is_share)
        return wrong(parser, at, "this column is not a share: it takes no '%',");
    if (of_numbers && !step->is_number && strcmp(step->text, "-") != 0)
        return wrong(parser, at, "this column holds numbers, and this is not a number,");
    if (type == VALUE_BOOLEAN && (yes_or_no(step->text) == TRI_UNKNOWN || step->is != CONDITION_EQUAL))
        return wrong(parser, at, "this column holds yes or no, and takes only = and !=,");
    return 0;
}

static int parse_comparison(struct parser *parser)
{
    skip_blanks(parser);
    const char *start = parser->at;
    while (is_word_byte(*parser->at))
        parser->at++;
    size_t len = (size_t)(parser->at - start);
    if (!len)
        return wrong(parser, start,
                     start > parser->text && !*start ? "another condition is missing"
                                                     : "a column's name is missing");
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)len, start);
    const struct column *column = columns_find(parser->columns, name);
    if (!column) {
        char *where = mem_printf("%s '%s', at character %zu: ", parser->option, parser->text,
                                 (size_t)(start - parser->text) + 1);
        int r = columns_say_unknown(parser->columns, where, name);
        free(where);
        return r;
    }
    bool by_key = strcasecmp(column_key(column), name) == 0;
    int r = add(parser, (struct condition_step){ .column = column, .by_key = by_key }, start);
    skip_blanks(parser);
    for (const struct sign *sign = signs; r == 0 && sign < signs + ARRAY_SIZE(signs); sign++) {
        struct condition_step *step = &parser->condition->steps[parser->condition->count - 1];
        if (!take_sign(parser, sign->text))
            continue;
        skip_blanks(parser);
        const char *operand = parser->at;
        r = parse_operand(parser, step, sign->is == CONDITION_MATCH);
        if (r < 0)
            return r;
        step->is = sign->is;
        step->opposite = *sign->text == '!';
        return check_operand(parser, step, operand);
    }
    return r;
}

static int parse_joined(struct parser *parser, char joint);

static int parse_not(struct parser *parser)
{
    if (++parser->depth > DEPTH_MOST)
        return wrong(parser, parser->at, "nested too deeply,");
    int r;
    if (take_keyword(parser, "not") || take_sign(parser, "!")) {
        r = parse_not(parser);
        if (r == 0)
            r = add(parser, (struct condition_step){ .joint = '!' }, parser->at);
    } else if (take_sign(parser, "(")) {
        r = parse_joined(parser, '|');
        if (r == 0 && !take_sign(parser, ")"))
            r = wrong(parser, parser->at, "')' is missing");
    } else {
        r = parse_comparison(parser);
    }
    parser->depth--;
    return r;
}

/* Conditions joined by "or", or by "and", which binds tighter. */
static int parse_joined(struct parser *parser, char joint)
{
    bool is_or = joint == '|';
    int r = is_or ? parse_joined(parser, '&') : parse_not(parser);
    while (r == 0 && (take_keyword(parser, is_or ? "or" : "and") || take_sign(parser, is_or ? "||" : "&&"))) {
        r = is_or ? parse_joined(parser, '&') : parse_not(parser);
        if (r == 0)
            r = add(parser, (struct condition_step){ .joint = joint }, parser->at);
    }
    return r;
}

int condition_parse(struct condition *condition, const struct column *columns, const char *option,
                    const char *text)
{
    struct parser parser = {
        .condition = condition, .columns = columns, .option = option, .text = text, .at = text
    };
    condition->count = 0;
    int r = parse_joined(&parser, '|');
    skip_blanks(&parser);
    if (r == 0 && *parser.at)
        r = wrong(&parser, parser.at, "'and' or 'or' was expected");
    if (r < 0)
        condition_free(condition);
    return r;
}

void condition_free(struct condition *condition)
{
    for (size_t i = 0; i < condition->count; i++)
        if (condition->steps[i].is == CONDITION_MATCH)
            regfree(&condition->steps[i].regex);
    condition->count = 0;
}

/* The operand in the unit of the column's numbers. A rate without a suffix is in Gb/s as the table shows it,
 * or, where the column was named by its key, in the key's Mb/s. */
static double operand_number(const struct condition_step *step, enum value_type type)
{
    if (type == VALUE_MBPS)
        return step->number * (step->scale ? step->scale / 1e6 : step->by_key ? 1 : 1000);
    if (type == VALUE_BYTES)
        return step->number * (step->scale ? step->binary_scale : 1);
    double unit = step->scale ? unit_of(step->column) : 0;
    return step->number * (unit ? step->scale / unit : step->scale ? step->scale : 1);
}

static bool order_fits(const struct condition_step *step, int order)
{
    return step->is & (order < 0 ? CONDITION_BELOW : order > 0 ? CONDITION_ABOVE : CONDITION_EQUAL);
}

static bool text_fits(const struct condition_step *step, const char *text)
{
    if (step->is == CONDITION_MATCH)
        return mem_regex(regexec(&step->regex, text, 0, NULL, 0));
    if (step->is == CONDITION_EQUAL)
        return strcasecmp(text, step->text) == 0 ||
               (text_is_pattern(step->text) && text_matches(step->text, text));
    return order_fits(step, text_version_compare(text, step->text));
}

/* Does a value that isn't absent meet the step's condition, before any negation? */
static bool value_fits(const struct condition_step *step, const struct value *value)
{
    bool fits = false;
    if (step->is != CONDITION_MATCH && value_type_is_number(value->type)) {
        double a = cell_number(value), b = operand_number(step, value->type);
        return order_fits(step, (a > b) - (a < b));
    }
    if (step->is != CONDITION_MATCH && value->type == VALUE_BOOLEAN)
        return (yes_or_no(step->text) == TRI_YES) == (value->number != 0);
    if (value->type == VALUE_STRINGS) {
        for (size_t i = 0; i < value->count && !fits; i++)
            fits = text_fits(step, value->texts[i]);
        return fits;
    }
    char *text = value->type == VALUE_JSON ? json_dumps(value->json, JSON_COMPACT | JSON_ENCODE_ANY)
                                           : cell_text(value);
    fits = text_fits(step, text);
    free(text);
    return fits;
}

static bool step_holds(const struct condition_step *step, const struct value *value)
{
    bool absent = !value_is_known(value);
    if (!step->is)
        return !absent && !(value->type == VALUE_BOOLEAN && !value->number);
    if (strcmp(step->text, "-") == 0 && (step->is == CONDITION_EQUAL || step->opposite))
        return absent != step->opposite;
    return (!absent && value_fits(step, value)) != step->opposite;
}

bool condition_applies(const struct condition *condition, const struct cell_context *cells, const void *row)
{
    bool all = true;
    for (size_t i = 0; i < condition->count; i++)
        if (condition->steps[i].column) {
            struct value value = column_value(condition->steps[i].column, cells, row);
            all &= value_is_known(&value);
            json_decref(value.json);
        }
    return all;
}

bool condition_holds(const struct condition *condition, const struct cell_context *cells, const void *row)
{
    bool stack[CONDITION_STEPS] = { false };
    size_t depth = 0;
    for (size_t i = 0; i < condition->count; i++) {
        const struct condition_step *step = &condition->steps[i];
        if (step->joint == '!') {
            stack[depth - 1] = !stack[depth - 1];
        } else if (step->joint) {
            bool second = stack[--depth], *first = &stack[depth - 1];
            *first = step->joint == '&' ? *first && second : *first || second;
        } else {
            struct value value = column_value(step->column, cells, row);
            stack[depth++] = step_holds(step, &value);
            json_decref(value.json);
        }
    }
    return depth == 0 || stack[depth - 1];
}

static int make_sort(struct query *query, const struct column *columns, const char *list)
{
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        bool falling = *at == '-';
        at += falling || *at == '+';
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        const struct column *column = columns_find(columns, name);
        if (!column)
            return columns_say_unknown(columns, "--sort: ", name);
        if (query->nsort == SORT_MOST) {
            say_error("--sort takes at most %d columns", SORT_MOST);
            return -E2BIG;
        }
        query->sort[query->nsort++] = (struct sort_column){ column, falling };
    }
    return 0;
}

int query_make(struct query *query, const struct column *columns, const struct look *look)
{
    query->condition.count = query->set.count = query->nsort = 0;
    int r = 0;
    if (look_is_exact(look) && !look->columns)
        columns_all(&query->set, columns);
    else
        r = columns_choose(&query->set, columns, look->columns, look->verbose > 0 || look_is_exact(look));
    if (r == 0)
        r = make_sort(query, columns, look->sort);
    if (r == 0 && look->filter)
        r = condition_parse(&query->condition, columns, "--filter", look->filter);
    return r;
}

void query_free(struct query *query)
{
    condition_free(&query->condition);
}

needs_t query_needs(const struct query *query)
{
    needs_t needs = 0;
    for (size_t i = 0; i < query->set.count; i++)
        needs |= column_needs(query->set.items[i]);
    for (size_t i = 0; i < query->nsort; i++)
        needs |= column_needs(query->sort[i].column);
    for (size_t i = 0; i < query->condition.count; i++)
        if (query->condition.steps[i].column)
            needs |= column_needs(query->condition.steps[i].column);
    return needs;
}

/* A row with the values it is sorted by. */
struct sorted_row {
    const void *row;
    size_t place; /* before sorting */
    struct sort_value {
        struct value value;
        char *text; /* if it isn't a number */
    } values[SORT_MOST];
};

static int compare_values(const struct sort_value *a, const struct sort_value *b, bool falling)
{
    bool a_absent = !value_is_known(&a->value), b_absent = !value_is_known(&b->value);
    if (a_absent || b_absent)
        return a_absent - b_absent; /* absent values come last in either direction */
    int order;
    if (value_type_is_number(a->value.type) && value_type_is_number(b->value.type)) {
        double x = cell_number(&a->value), y = cell_number(&b->value);
        order = (x > y) - (x < y);
    } else {
        order = text_version_compare(a->text, b->text);
    }
    return falling ? -order : order;
}

static int compare_rows(const void *left, const void *right, void *data)
{
    const struct sorted_row *a = left, *b = right;
    const struct query *query = data;
    for (size_t i = 0; i < query->nsort; i++) {
        int order = compare_values(&a->values[i], &b->values[i], query->sort[i].falling);
        if (order)
            return order;
    }
    return (a->place > b->place) - (a->place < b->place);
}

static void sort_rows(const struct query *query, const struct cell_context *cells, const void **rows,
                      size_t count)
{
    struct sorted_row *sorted = mem_alloc(count, sizeof(*sorted));
    for (size_t r = 0; r < count; r++) {
        sorted[r].row = rows[r];
        sorted[r].place = r;
        for (size_t i = 0; i < query->nsort; i++) {
            struct sort_value *value = &sorted[r].values[i];
            value->value = column_value(query->sort[i].column, cells, rows[r]);
            value->text = cell_text(&value->value);
        }
    }
    qsort_r(sorted, count, sizeof(*sorted), compare_rows, (void *)query);
    for (size_t r = 0; r < count; r++) {
        rows[r] = sorted[r].row;
        for (size_t i = 0; i < query->nsort; i++) {
            free(sorted[r].values[i].text);
            json_decref(sorted[r].values[i].value.json);
        }
    }
    free(sorted);
}

const void **query_rows(const struct query *query, const struct cell_context *cells, const void *rows,
                        size_t count, size_t size, size_t *chosen)
{
    const void **wanted = mem_alloc(count ? count : 1, sizeof(*wanted));
    *chosen = 0;
    for (size_t r = 0; r < count; r++) {
        const void *row = (const char *)rows + r * size;
        if (condition_holds(&query->condition, cells, row))
            wanted[(*chosen)++] = row;
    }
    if (query->nsort && *chosen > 1)
        sort_rows(query, cells, wanted, *chosen);
    return wanted;
}
