// Serves one H.264 file as any number of live RTSP cameras over TCP, at so little cost that what reads them can be
// measured on the same machine. The file is cut into RTP packets once; each client then has a timeline of its own over
// the shared packets, of which only sequence numbers and timestamps are rewritten before one send per frame.
//
//   rtsp_flood FILE.h264 FPS [PORT [SECONDS]]     FILE is an Annex B byte stream that begins with SPS, PPS and an IDR
//
// Prints `ready PORT`; any path is a camera. Ends with SECONDS or the end of stdin, and prints what it sent. One thread.
// Only what the benches need: interleaved transport, no login, one video track.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PAYLOAD_MAX = 1400,        // bytes of RTP payload
    PACKET_HEAD = 4 + 12,      // interleaving and RTP headers
    CLIENTS_MAX = 1200,
    REQUEST_MAX = 4096,
    BACKLOG_MAX = 8 << 20,     // a reader this far behind is cut off, and counted
    UNIT_MAX = 1 << 20,        // access units in the file
};
static const int64_t SECOND = 1000000000;
static const int64_t REPORT_EVERY = 5 * SECOND;

typedef struct {
    uint8_t *data;
    size_t used, room;
} Bytes;

typedef struct {
    size_t start, end;         // its packets in `packets`
    bool key;
} Unit;

typedef struct {
    int fd;
    bool playing;
    char request[REQUEST_MAX];
    size_t requested;
    Bytes backlog;             // what the socket did not take
    size_t backlogDone;
    size_t unit;               // next access unit
    int64_t zero;              // monotonic time of the first frame
    uint64_t frames;           // frames sent
    uint16_t sequence;
    uint32_t base, ssrc, packetCount, octets;
    int64_t nextReport;
} Client;

static Bytes packets;
static Unit units[UNIT_MAX];
static size_t unitCount, gopLength;
static Client *clients[CLIENTS_MAX];
static char sdp[2048];
static double fps;
static uint64_t bytesSent, framesSent, served, cutOff;
static int64_t latest;         // worst delay of a frame, ns

static void die(const char *what) {
    fprintf(stderr, "rtsp_flood: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

static void append(Bytes *b, const void *data, size_t count) {
    if (b->used + count > b->room) {
        b->room = (b->used + count) * 2;
        b->data = realloc(b->data, b->room);
        if (!b->data) die("memory");
    }
    if (count) memcpy(b->data + b->used, data, count);
    b->used += count;
}

static void put16(uint8_t *p, uint32_t v) { p[0] = v >> 8; p[1] = v; }
static void put32(uint8_t *p, uint32_t v) { put16(p, v >> 16); put16(p + 2, v); }

// One packet with an empty RTP header; `head` is the FU indicator and header where there is one.
static void appendPacket(const uint8_t *head, size_t headCount, const uint8_t *body, size_t count) {
    uint8_t h[PACKET_HEAD] = {'$', 0};
    put16(h + 2, 12 + headCount + count);
    h[4] = 0x80;
    h[5] = 96;
    append(&packets, h, sizeof h);
    append(&packets, head, headCount);
    append(&packets, body, count);
}

static void packetise(const uint8_t *nal, size_t count) {
    if (count <= PAYLOAD_MAX) {
        appendPacket(NULL, 0, nal, count);
        return;
    }
    uint8_t head[2] = {(nal[0] & 0xE0) | 28, (nal[0] & 0x1F) | 0x80};
    for (size_t at = 1; at < count; at += PAYLOAD_MAX - 2) {
        size_t part = count - at < PAYLOAD_MAX - 2 ? count - at : PAYLOAD_MAX - 2;
        if (at + part == count) head[1] |= 0x40;
        appendPacket(head, 2, nal + at, part);
        head[1] &= 0x1F;
    }
}

static size_t base64(char *out, const uint8_t *in, size_t count) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t v = in[i] << 16 | (i + 1 < count ? in[i + 1] << 8 : 0) | (i + 2 < count ? in[i + 2] : 0);
        out[n++] = letters[v >> 18];
        out[n++] = letters[v >> 12 & 63];
        out[n++] = i + 1 < count ? letters[v >> 6 & 63] : '=';
        out[n++] = i + 2 < count ? letters[v & 63] : '=';
    }
    out[n] = 0;
    return n;
}

static size_t startCode(const uint8_t *data, size_t at, size_t count) {
    for (; at + 3 <= count; at++)
        if (!data[at] && !data[at + 1] && data[at + 2] == 1) return at;
    return count;
}

// Marks the last packet of the unit that ends here.
static void endUnit(size_t lastPacket) {
    units[unitCount].end = packets.used;
    packets.data[lastPacket + 5] |= 0x80;
    if (!gopLength && unitCount && units[unitCount].key) gopLength = unitCount;
    if (++unitCount == UNIT_MAX) die("too many access units");
}

static size_t lastPacketOf(size_t start) {
    size_t at = start, last = start;
    while (at < packets.used) {
        last = at;
        at += 4 + (packets.data[at + 2] << 8 | packets.data[at + 3]);
    }
    return last;
}

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    Bytes in = {0};
    uint8_t block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) append(&in, block, n);
    fclose(file);
    char sps[700] = "", pps[700] = "", profile[7] = "42C01E";
    bool open = false, hasSlice = false;
    for (size_t at = startCode(in.data, 0, in.used); at < in.used;) {
        size_t begin = at + 3, next = startCode(in.data, begin, in.used), end = next;
        while (end > begin && !in.data[end - 1]) end--;
        at = next;
        if (end == begin) continue;
        const uint8_t *nal = in.data + begin;
        int kind = nal[0] & 0x1F;
        bool slice = kind >= 1 && kind <= 5;
        // first_mb_in_slice is zero: a new picture; anything but a slice after one belongs to the next.
        if (open && hasSlice && (!slice || (end - begin > 1 && nal[1] & 0x80))) {
            endUnit(lastPacketOf(units[unitCount].start));
            open = false;
        }
        if (!open) {
            units[unitCount] = (Unit){packets.used, 0, false};
            open = true;
            hasSlice = false;
        }
        hasSlice |= slice;
        units[unitCount].key |= kind == 5;
        if (kind == 7 && !*sps && end - begin > 4 && end - begin < 500) {
            base64(sps, nal, end - begin);
            snprintf(profile, sizeof profile, "%02X%02X%02X", nal[1], nal[2], nal[3]);
        }
        if (kind == 8 && !*pps && end - begin < 500) base64(pps, nal, end - begin);
        packetise(nal, end - begin);
    }
    if (open && hasSlice) endUnit(lastPacketOf(units[unitCount].start));
    free(in.data);
    if (!unitCount || !units[0].key || !*sps || !*pps) {
        fprintf(stderr, "rtsp_flood: %s: not an H.264 byte stream that begins with SPS, PPS and an IDR\n", path);
        exit(1);
    }
    if (!gopLength) gopLength = unitCount;
    snprintf(sdp, sizeof sdp,
             "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=flood\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\na=control:*\r\n"
             "a=range:npt=now-\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;"
             "profile-level-id=%s;sprop-parameter-sets=%s,%s\r\na=framerate:%g\r\na=control:track0\r\n",
             profile, sps, pps, fps);
}

static void closeClient(size_t i) {
    close(clients[i]->fd);
    free(clients[i]->backlog.data);
    free(clients[i]);
    clients[i] = NULL;
}

// Hands bytes to the socket; the rest waits, in order. False when the client is lost or too slow.
static bool push(Client *c, const uint8_t *data, size_t count) {
    size_t done = 0;
    if (c->backlogDone == c->backlog.used) {
        c->backlog.used = c->backlogDone = 0;
        ssize_t n = send(c->fd, data, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN) return false;
        done = n > 0 ? n : 0;
    }
    if (done < count) append(&c->backlog, data + done, count - done);
    bytesSent += count;
    if (c->backlog.used - c->backlogDone > BACKLOG_MAX) {
        cutOff++;
        return false;
    }
    return true;
}

static bool flush(Client *c) {
    size_t left = c->backlog.used - c->backlogDone;
    if (!left) return true;
    ssize_t n = send(c->fd, c->backlog.data + c->backlogDone, left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) return errno == EAGAIN;
    c->backlogDone += n;
    return true;
}

static uint32_t rtpTime(const Client *c, int64_t elapsed) {
    return c->base + (uint32_t)(uint64_t)(elapsed / (double)SECOND * 90000 + 0.5);
}

// An RTCP sender report, so that readers know the wall-clock time of the frames.
static bool report(Client *c, int64_t at) {
    uint8_t p[4 + 28] = {'$', 1, 0, 28, 0x80, 200, 0, 6};
    int64_t wall = now(CLOCK_REALTIME);
    put32(p + 8, c->ssrc);
    put32(p + 12, (uint32_t)(wall / SECOND + 2208988800));
    put32(p + 16, (uint32_t)(((wall % SECOND) << 32) / SECOND));
    put32(p + 20, rtpTime(c, at - c->zero));
    put32(p + 24, c->packetCount);
    put32(p + 28, c->octets);
    c->nextReport = at + REPORT_EVERY;
    return push(c, p, sizeof p);
}

static int64_t due(const Client *c) { return c->zero + (int64_t)(c->frames * (SECOND / fps)); }

static bool sendFrame(Client *c, int64_t at) {
    const Unit *u = &units[c->unit];
    uint32_t timestamp = rtpTime(c, due(c) - c->zero);
    if (at - due(c) > latest) latest = at - due(c);
    for (size_t p = u->start; p < u->end;) {
        uint8_t *packet = packets.data + p;
        size_t length = packet[2] << 8 | packet[3];
        put16(packet + 6, c->sequence++);
        put32(packet + 8, timestamp);
        put32(packet + 12, c->ssrc);
        c->packetCount++;
        c->octets += length - 12;
        p += 4 + length;
    }
    if (at >= c->nextReport && !report(c, at)) return false;
    c->unit = (c->unit + 1) % unitCount;
    c->frames++;
    framesSent++;
    return push(c, packets.data + u->start, u->end - u->start);
}

static void begin(Client *c) {
    // Clients that start together are spread over one GOP, so that their key frames do not come at the same moment.
    static unsigned number;
    double spread = number++ * 0.6180339887;
    spread -= (unsigned)spread;
    c->playing = true;
    c->zero = now(CLOCK_MONOTONIC) + (int64_t)(spread * gopLength * (SECOND / fps));
    served++;
}

static bool answer(Client *c, const char *request) {
    char method[16] = "", path[512] = "", out[4096], transport[64] = "";
    const char *line = strcasestr(request, "\r\ncseq:"), *mode = strcasestr(request, "\r\ntransport:");
    unsigned sequence = line ? (unsigned)strtoul(line + 7, NULL, 10) : 0;
    if (sscanf(request, "%15s %511s", method, path) != 2) return false;
    int n;
    if (!strcmp(method, "OPTIONS")) {
        n = snprintf(out, sizeof out, "RTSP/1.0 200 OK\r\nCSeq: %u\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, "
                     "GET_PARAMETER, TEARDOWN\r\n\r\n", sequence);
    } else if (!strcmp(method, "DESCRIBE")) {
        n = snprintf(out, sizeof out, "RTSP/1.0 200 OK\r\nCSeq: %u\r\nContent-Type: application/sdp\r\nContent-Base: "
                     "%s/\r\nContent-Length: %zu\r\n\r\n%s", sequence, path, strlen(sdp), sdp);
    } else if (!strcmp(method, "SETUP") && (!mode || !strcasestr(mode, "interleaved"))) {
        n = snprintf(out, sizeof out, "RTSP/1.0 461 Unsupported Transport\r\nCSeq: %u\r\n\r\n", sequence);
    } else if (!strcmp(method, "SETUP")) {
        snprintf(transport, sizeof transport, "RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=%08X", c->ssrc);
        n = snprintf(out, sizeof out, "RTSP/1.0 200 OK\r\nCSeq: %u\r\nSession: %u;timeout=60\r\nTransport: %s\r\n\r\n",
                     sequence, c->ssrc, transport);
    } else if (!strcmp(method, "PLAY")) {
        n = snprintf(out, sizeof out, "RTSP/1.0 200 OK\r\nCSeq: %u\r\nSession: %u\r\nRange: npt=now-\r\nRTP-Info: "
                     "url=%s/track0;seq=%u;rtptime=%u\r\n\r\n", sequence, c->ssrc, path, c->sequence, c->base);
        if (!c->playing) begin(c);
    } else {
        n = snprintf(out, sizeof out, "RTSP/1.0 200 OK\r\nCSeq: %u\r\nSession: %u\r\n\r\n", sequence, c->ssrc);
    }
    bool more = strcmp(method, "TEARDOWN") != 0;
    return n > 0 && (size_t)n < sizeof out && push(c, (uint8_t *)out, n) && more;
}

// Takes what has come: requests, and the reader's RTCP, which is thrown away.
static bool receive(Client *c) {
    ssize_t n = recv(c->fd, c->request + c->requested, REQUEST_MAX - 1 - c->requested, MSG_DONTWAIT);
    if (n <= 0) return n < 0 && errno == EAGAIN;
    c->requested += n;
    for (;;) {
        size_t used;
        c->request[c->requested] = 0;
        if (c->requested >= 4 && c->request[0] == '$') {
            used = 4 + ((uint8_t)c->request[2] << 8 | (uint8_t)c->request[3]);
            if (used >= REQUEST_MAX) return false;
            if (used > c->requested) return true;
        } else {
            char *end = c->request[0] == '$' ? NULL : strstr(c->request, "\r\n\r\n");
            if (!end) return c->requested < REQUEST_MAX - 1;
            used = end + 4 - c->request;
            char rest = *(end + 4);
            *(end + 4) = 0;
            if (!answer(c, c->request)) return false;
            *(end + 4) = rest;
        }
        memmove(c->request, c->request + used, c->requested - used);
        c->requested -= used;
        if (!c->requested) return true;
    }
}

static void acceptClient(int listener, int poll) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        if (clients[i]) continue;
        Client *c = clients[i] = calloc(1, sizeof *c);
        if (!c) die("memory");
        int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        static uint32_t ssrc = 0x10000000;
        *c = (Client){.fd = fd, .ssrc = ssrc++, .base = 0x7000 * (uint32_t)i + 1, .sequence = (uint16_t)(i * 997 + 1)};
        struct epoll_event e = {EPOLLIN, {.u64 = i + 2}};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &e) < 0) die("epoll");
        return;
    }
    close(fd);
}

// Sends every frame that is due; the time of the next one, or `until`.
static int64_t tick(int64_t until) {
    for (size_t i = 0; i < CLIENTS_MAX; i++) {
        Client *c = clients[i];
        if (!c || !c->playing) continue;
        int64_t at = now(CLOCK_MONOTONIC);
        bool alive = flush(c);
        while (alive && due(c) <= at) alive = sendFrame(c, at);
        if (!alive) {
            closeClient(i);
            continue;
        }
        int64_t next = c->backlogDone < c->backlog.used ? at + SECOND / 200 : due(c);
        if (next > due(c)) next = due(c);
        if (next < until) until = next;
    }
    return until;
}

int main(int count, char **words) {
    if (count < 3 || (fps = atof(words[2])) <= 0) {
        fprintf(stderr, "usage: rtsp_flood FILE.h264 FPS [PORT [SECONDS]]\n");
        return 2;
    }
    load(words[1]);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons(count > 3 ? (uint16_t)atoi(words[3]) : 0)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 128) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0)
        die("cannot listen");
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {EPOLLIN, {.u64 = 0}};
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    bool timed = count > 4;
    event.data.u64 = 1;
    if (!timed && epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &event) < 0) die("stdin must be a pipe, or give SECONDS");
    printf("ready %u\n", ntohs(address.sin_port));
    fflush(stdout);
    int64_t end = timed ? now(CLOCK_MONOTONIC) + (int64_t)(atof(words[4]) * SECOND) : INT64_MAX;
    for (bool running = true; running && now(CLOCK_MONOTONIC) < end;) {
        int64_t at = now(CLOCK_MONOTONIC), next = tick(at + SECOND / 5);
        int64_t wait = (next - now(CLOCK_MONOTONIC) + 999999) / 1000000;
        struct epoll_event events[64];
        int n = epoll_wait(poll, events, 64, wait < 0 ? 0 : (int)wait);
        for (int i = 0; i < n; i++) {
            uint64_t who = events[i].data.u64;
            char byte[64];
            if (who == 0) acceptClient(listener, poll);
            else if (who == 1) running = read(STDIN_FILENO, byte, sizeof byte) > 0;
            else if (clients[who - 2] && !receive(clients[who - 2])) closeClient(who - 2);
        }
    }
    printf("{\"clients\":%lu,\"frames\":%lu,\"bytes\":%lu,\"cutOff\":%lu,\"worstDelayMs\":%.1f,\"cpuSeconds\":%.2f}\n",
           served, framesSent, bytesSent, cutOff, latest / 1e6, (double)clock() / CLOCKS_PER_SEC);
    return 0;
}
