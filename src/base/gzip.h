/* SPDX-License-Identifier: MIT */
/* Text that is packed with gzip, by zlib. */
#pragma once

bool gzip_is(const struct bytes *packed); /* does it begin as gzip's files do? */
/* Appends what one or several members hold to text. Stops soon after most bytes (text is longer then). Returns
 * 0, or -EBADMSG: it is damaged, or its end is missing; -ENOMEM. */
int gzip_unpack(const struct bytes *packed, size_t most, struct bytes *text);
/* What the build packed, for the caller to free; ends the program if that can't be unpacked. what: for the
 * message. */
char *gzip_embedded(const unsigned char *data, size_t size, const char *what);
/* Prose that is seldom asked for: the line that the build (embed.awk) gave this number, as long as the program
 * runs; 0: NULL. Unpacked when first asked for, by one thread. */
const char *packed_line(unsigned number);
extern const unsigned char lines_packed[];
extern const size_t lines_packed_size;
extern const unsigned
    lines_first; /* so many of them, that a finding needs, are within the first so many bytes */
extern const size_t lines_first_size;
/* Unpacks the member at *at, which is moved behind it, or behind what is damaged: to where the next member
 * seems to begin, or the end. Returns 0, or -EBADMSG: then text has what of it could be read; -ENOMEM. */
int gzip_unpack_next(const struct bytes *packed, size_t *at, size_t most, struct bytes *text);
/* Appends text as one member without name and time: the same text gives the same bytes. 0 or -ENOMEM. */
int gzip_pack(const struct bytes *text, struct bytes *packed);
