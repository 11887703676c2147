// The floor of any recorder: reads N cameras over RTSP/TCP and writes the bytes as they come to N files, understanding
// nothing. What a recorder costs above this is what it does; below this nobody can be.
//
//   socket_floor HOST PORT COUNT FOLDER       cameras are rtsp://HOST:PORT/0 … COUNT-1; ends with the end of stdin
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CAMERAS_MAX = 512, BLOCK = 1 << 18 };
static int sockets[CAMERAS_MAX], files[CAMERAS_MAX];

static void die(const char *what) {
    fprintf(stderr, "socket_floor: %s: %s\n", what, strerror(errno));
    exit(1);
}

// One request and its answer, which must say 200; what follows the answer's headers is left unread.
static void ask(int fd, const char *method, const char *url, const char *more, int sequence) {
    char text[1024], answer[4096];
    int n = snprintf(text, sizeof text, "%s %s RTSP/1.0\r\nCSeq: %d\r\n%s\r\n", method, url, sequence, more);
    if (send(fd, text, n, MSG_NOSIGNAL) != n) die("send");
    size_t used = 0;
    do {
        if (used == sizeof answer - 1 || recv(fd, answer + used, 1, 0) != 1) die("no answer");
        answer[++used] = 0;
    } while (used < 4 || strcmp(answer + used - 4, "\r\n\r\n"));
    if (strncmp(answer, "RTSP/1.0 200", 12)) {
        fprintf(stderr, "socket_floor: %s refused: %.60s\n", method, answer);
        exit(1);
    }
}

int main(int count, char **words) {
    if (count != 5 || atoi(words[3]) < 1 || atoi(words[3]) > CAMERAS_MAX) {
        fprintf(stderr, "usage: socket_floor HOST PORT COUNT FOLDER   (at most %d)\n", CAMERAS_MAX);
        return 2;
    }
    int cameras = atoi(words[3]), poll = epoll_create1(EPOLL_CLOEXEC);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[2]))};
    if (inet_pton(AF_INET, words[1], &address.sin_addr) != 1) die(words[1]);
    for (int i = 0; i < cameras; i++) {
        char url[256], path[4096];
        sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(sockets[i], (struct sockaddr *)&address, sizeof address) < 0) die("connect");
        snprintf(url, sizeof url, "rtsp://%s:%s/%d", words[1], words[2], i);
        ask(sockets[i], "SETUP", url, "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n", 1);
        ask(sockets[i], "PLAY", url, "Session: 1\r\n", 2);
        snprintf(path, sizeof path, "%s/%d.rtp", words[4], i);
        files[i] = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (files[i] < 0) die(path);
        struct epoll_event e = {EPOLLIN, {.u32 = (uint32_t)i}};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, sockets[i], &e) < 0) die("epoll");
    }
    struct epoll_event e = {EPOLLIN, {.u32 = CAMERAS_MAX}};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &e) < 0) die("stdin must be a pipe");
    printf("ready\n");
    fflush(stdout);
    static char block[BLOCK];
    for (;;) {
        struct epoll_event events[64];
        int n = epoll_wait(poll, events, 64, -1);
        for (int k = 0; k < n; k++) {
            uint32_t i = events[k].data.u32;
            if (i == CAMERAS_MAX) {
                if (read(STDIN_FILENO, block, sizeof block) <= 0) return 0;
                continue;
            }
            ssize_t got = recv(sockets[i], block, sizeof block, 0);
            if (got <= 0) die("a camera went away");
            if (write(files[i], block, (size_t)got) != got) die("write");
        }
    }
}
