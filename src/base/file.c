/* SPDX-License-Identifier: MIT */
/* Reads and writes all of an open file. */

int file_read(int fd, size_t most, struct bytes *text)
{
    enum { PIECE = 64 << 10 };
    ssize_t n = 0;
    char *piece = mem_alloc(PIECE, 1);
    do {
        n = read(fd, piece, PIECE);
        if (n > 0)
            bytes_append(text, piece, (size_t)n);
    } while ((n > 0 && text->len <= most) || (n < 0 && errno == EINTR));
    int r = n < 0 ? -errno : 0;
    free(piece);
    return r;
}

int file_write(int fd, const void *data, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, (const char *)data + done, len - done);
        if (n < 0 && errno != EINTR)
            return -errno;
        done += n < 0 ? 0 : (size_t)n;
    }
    return 0;
}
