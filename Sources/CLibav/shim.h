#ifndef VIGIL_CLIBAV_SHIM_H
#define VIGIL_CLIBAV_SHIM_H
// libav's macros that Swift cannot import, as functions and constants.
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int64_t vigil_av_nopts = AV_NOPTS_VALUE;
static const int vigil_averror_eof = AVERROR_EOF;
static const int vigil_averror_exit = AVERROR_EXIT;
static const int vigil_averror_invaliddata = AVERROR_INVALIDDATA;
static const int vigil_averror_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int vigil_averror_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int vigil_averror_http_not_found = AVERROR_HTTP_NOT_FOUND;
static inline int vigil_averror(int posix) { return AVERROR(posix); }

#endif
