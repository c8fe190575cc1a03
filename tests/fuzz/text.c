/* SPDX-License-Identifier: MIT */
/* The parsers of sysfs text: GIDs, GUIDs, rates, states, numbers; and what makes untrusted text safe to show.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/device.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_alloc(size + 1, 1);
    memcpy(text, data, size);
    uint8_t raw[16];
    char gid[GID_TEXT_SIZE], guid_text[GUID_TEXT_SIZE], address[GID_ADDRESS_SIZE];
    uint64_t number;
    int64_t integer;
    const char *rest;
    if (gid_parse(text, raw) == 0) {
        uint8_t again[16];
        gid_format(raw, gid);
        gid_address(raw, address);
        if (gid_parse(gid, again) != 0 || memcmp(raw, again, 16) != 0)
            abort(); /* what was printed reads back the same */
    }
    if (guid_parse(text, &number) == 0) {
        uint64_t again = 0;
        guid_format(number, guid_text);
        if (guid_parse(guid_text, &again) != 0 || again != number)
            abort();
    }
    (void)rate_parse(text, &number);
    if (state_parse(text, &number, &rest) == 0 && (rest < text || rest > text + strlen(text)))
        abort();
    (void)text_to_u64(text, 0, &number);
    (void)text_to_i64(text, 10, &integer);
    (void)gid_type_parse(text);
    (void)link_layer_parse(text);
    char *clean = text_clean(text, TEXT_ONE_LINE);
    if (!text_is_clean(clean) || text_prefix(clean, text_width(clean)) != strlen(clean))
        abort();
    free(clean);
    free(text);
    return 0;
}
