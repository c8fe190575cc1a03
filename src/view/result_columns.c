/* SPDX-License-Identifier: MIT */
/* The columns of a test's results. */
#include "view/results.h"
#include "view/rows.h"

static const struct result *result_of(const void *row)
{
    return row;
}

static struct value get_port(const void *row)
{
    return value_num(num_if(result_of(row)->port > 0, result_of(row)->port));
}

static struct value get_to_port(const void *row)
{
    return value_num(num_if(result_of(row)->to_device != NULL, result_of(row)->to_port));
}

static struct value get_verdict(const void *row)
{
    enum verdict verdict = result_of(row)->verdict;
    return value_with_tone(value_text(verdict_name(verdict)), verdict_tone(verdict));
}

static struct value get_size_min(const void *row)
{
    return value_num(num_if(result_of(row)->messages > 0, result_of(row)->size_min));
}

static struct value get_gbits(const void *row)
{
    return value_real(result_of(row)->mbytes_per_second * 8 / 1000);
}

static struct value make_share(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    return value_share(context, r->rate_gbits > 0 ? r->mbytes_per_second * 0.8 / r->rate_gbits : 0);
}

static struct value get_histogram(const void *row)
{
    const struct result *r = result_of(row);
    return value_text(r->latency.count ? r->picture : NULL);
}

static const char *size_text(struct arena *arena, uint32_t size)
{
    if (size == 1 << 30)
        return "1 GiB";
    if (size >= 1 << 20 && size % (1 << 20) == 0)
        return arena_printf(arena, "%u MiB", size >> 20);
    if (size >= 1024 && size % 1024 == 0)
        return arena_printf(arena, "%u KiB", size >> 10);
    return arena_printf(arena, "%u B", size);
}

static struct value make_size(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (r->size == 0)
        return NO_VALUE;
    if (!context->for_people)
        return value_unsigned(r->size);
    const char *text = size_text(context->arena, r->size);
    if (r->size_min != r->size)
        text = arena_printf(context->arena, "%s to %s", size_text(context->arena, r->size_min), text);
    return value_text(text);
}

static struct value make_note(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (*r->note)
        return value_text(r->note);
    if (r->verdict != VERDICT_FAIL)
        return NO_VALUE;
    struct diagnosis d;
    diagnose(&r->failure, &(struct facts){ 0 }, &d);
    return value_text(arena_strdup(context->arena, d.what));
}

static struct value get_step(const void *row)
{
    const struct result *r = result_of(row);
    return r->failure.step ? value_text(step_text(r->failure.step)) : NO_VALUE;
}

static struct value get_error(const void *row)
{
    const struct failure *f = &result_of(row)->failure;
    if (f->step == STEP_NONE)
        return NO_VALUE;
    return value_text(f->wc_status > 0 ? wc_name(f->wc_status) : f->err ? strerrorname_np(f->err) : NULL);
}

static struct value get_vendor_err(const void *row)
{
    const struct failure *f = &result_of(row)->failure;
    return f->step && f->wc_status > 0 ? value_unsigned(f->vendor_err) : NO_VALUE;
}

const struct column result_columns[] = { RESULT_COLUMNS };
