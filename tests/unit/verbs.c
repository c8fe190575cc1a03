/* SPDX-License-Identifier: MIT */
/* The JSON that a recording keeps of a verbs device: nothing is lost on the way there and back, nothing
 * impossible comes out of it. */
#include <criterion/criterion.h>

#include "model/verbs.h"

static struct arena *arena;
static struct bytes text;

static void set_up(void)
{
    arena = arena_new();
}

static void tear_down(void)
{
    arena_free(arena);
    bytes_free(&text);
}

TestSuite(verbs, .init = set_up, .fini = tear_down);

/* Every number gets its own value, the extreme ones among them. */
#define NUMBER(kind, name, ...) device->name = (VERBS_##kind)next(&seed, sizeof(VERBS_##kind));
#define PORT_NUMBER(kind, name, ...) port->name = (VERBS_##kind)next(&seed, sizeof(VERBS_##kind));

static uint64_t next(uint64_t *seed, size_t size)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return size == 8 ? *seed : *seed >> 32;
}

static struct verbs_device *made_up(void)
{
    uint64_t seed = 1;
    struct verbs_device *device = arena_alloc(arena, 1, sizeof(*device));
    VERBS_DEVICE_ATTRS(NUMBER)
    VERBS_DEVICE_EX_ATTRS(NUMBER)
    device->max_mr_size = UINT64_MAX;
    device->max_ee = -1;
    device->device_cap_flags = UINT32_MAX;
    device->transport_type = -1;
    device->fw_ver = "28.39.1002";
    device->node_guid = 0x0c42a103007a9611;
    device->num_comp_vectors = 63;
    device->ports = arena_alloc(arena, 2, sizeof(*device->ports));
    device->nports = 2;
    for (uint32_t i = 0; i < 2; i++) {
        struct verbs_port *port = &device->ports[i];
        VERBS_PORT_ATTRS(PORT_NUMBER)
        port->number = i + 1;
    }
    device->ports[1].err = EIO;
    struct gid *gid = ARENA_PUSH(arena, device->ports[0].gids, device->ports[0].ngids);
    *gid = (struct gid){
        .index = 1023, .raw = { 0xfe, 0x80, [15] = 0x11 }, .type = GID_TYPE_ROCE_V2, .ifindex = UINT32_MAX
    };
    return device;
}

#define SAME(kind, name, ...) cr_expect_eq(device->name, back->name, #name);
#define SAME_PORT(kind, name, ...) cr_expect_eq(port->name, other->name, #name);

Test(verbs, there_and_back)
{
    struct verbs_device *device = made_up(), *back = NULL;
    verbs_encode(device, &text);
    cr_assert_eq(verbs_decode(text.data, text.len, arena, &back), 0);
    VERBS_DEVICE_ATTRS(SAME)
    VERBS_DEVICE_EX_ATTRS(SAME)
    SAME(INT, transport_type)
    SAME(HEX, node_guid)
    SAME(HEX, sys_image_guid)
    SAME(U32, num_comp_vectors)
    cr_expect_str_eq(back->fw_ver, "28.39.1002");
    cr_assert_eq(back->nports, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct verbs_port *port = &device->ports[i], *other = &back->ports[i];
        VERBS_PORT_ATTRS(SAME_PORT)
        SAME_PORT(U32, number)
        SAME_PORT(U32, err)
        cr_expect_eq(port->ngids, other->ngids);
    }
    const struct gid *gid = &back->ports[0].gids[0];
    cr_expect_eq(gid->index, 1023);
    cr_expect_eq(gid->type, GID_TYPE_ROCE_V2);
    cr_expect_eq(gid->ifindex, UINT32_MAX);
    cr_expect_arr_eq(gid->raw, device->ports[0].gids[0].raw, 16);
}

Test(verbs, the_same_bytes_again)
{
    struct verbs_device *back = NULL;
    struct bytes again = { 0 };
    verbs_encode(made_up(), &text);
    cr_assert_eq(verbs_decode(text.data, text.len, arena, &back), 0);
    verbs_encode(back, &again);
    cr_expect_str_eq(text.data, again.data);
    bytes_free(&again);
}

Test(verbs, what_an_older_recording_lacks_is_0)
{
    static const char old[] = "{\"ports\": [{\"number\": 1}]}";
    struct verbs_device *device = NULL;
    cr_assert_eq(verbs_decode(old, strlen(old), arena, &device), 0);
    cr_expect_str_eq(device->fw_ver, "");
    cr_expect_eq(device->nports, 1);
    cr_expect_eq(device->ports[0].ngids, 0);
    cr_expect_eq(device->max_qp, 0);
}

Test(verbs, refuses_what_cannot_be)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"ports\": {}}",
        "{\"ports\": []",
        "{\"ports\": [], \"max_qp\": \"many\"}",
        "{\"ports\": [], \"max_qp\": 2147483648}",
        "{\"ports\": [], \"max_pkeys\": -1}",
        "{\"ports\": [], \"node_guid\": 12}",
        "{\"ports\": [], \"node_guid\": \"0x1ffffffffffffffff\"}",
        "{\"ports\": [1]}",
        "{\"ports\": [{\"gids\": [{\"index\": 0}]}]}",
        "{\"ports\": [{\"gids\": [{\"index\": 0, \"gid\": \"fe80::1\"}]}]}",
        "{\"ports\": [{\"gids\": [{\"index\": -1, \"gid\": \"0000:0000:0000:0000:0000:0000:0000:0001\"}]}]}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        struct verbs_device *device = NULL;
        cr_expect_eq(verbs_decode(bad[i], strlen(bad[i]), arena, &device), -EBADMSG, "%s", bad[i]);
        cr_expect_null(device);
    }
}

Test(verbs, mtu_in_bytes)
{
    cr_expect_eq(verbs_mtu_bytes(1), 256);
    cr_expect_eq(verbs_mtu_bytes(3), 1024);
    cr_expect_eq(verbs_mtu_bytes(5), 4096);
    cr_expect_eq(verbs_mtu_bytes(0), 0);
    cr_expect_eq(verbs_mtu_bytes(6), 0);
}
