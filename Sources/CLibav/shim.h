#ifndef VIGIL_CLIBAV_SHIM_H
#define VIGIL_CLIBAV_SHIM_H
// libav's macros that Swift cannot import, as functions and constants.
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

static const int64_t vigil_av_nopts = AV_NOPTS_VALUE;
static const int vigil_averror_eof = AVERROR_EOF;
static const int vigil_averror_exit = AVERROR_EXIT;
static const int vigil_averror_invaliddata = AVERROR_INVALIDDATA;
static const int vigil_averror_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int vigil_averror_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int vigil_averror_http_not_found = AVERROR_HTTP_NOT_FOUND;
static inline int vigil_averror(int posix) { return AVERROR(posix); }
static const int vigil_averror_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
static const int vigil_averror_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int vigil_averror_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int vigil_averror_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int vigil_averror_stream_not_found = AVERROR_STREAM_NOT_FOUND;
static const int vigil_codec_flag2_fast = AV_CODEC_FLAG2_FAST;
static const int vigil_codec_flag_qscale = AV_CODEC_FLAG_QSCALE;
static const int vigil_qp_to_lambda = FF_QP2LAMBDA;
static const int vigil_packet_flag_key = AV_PKT_FLAG_KEY;
// Bits of brightness of a pixel format that keeps it in a plane of its own, in the machine's byte order; 0 for any other.
static inline int vigil_luma_bits(int format) {
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get((enum AVPixelFormat)format);
    if (!d || (d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM
                           | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT)))
        return 0;
    if (d->nb_components > 1 && !(d->flags & AV_PIX_FMT_FLAG_PLANAR)) return 0;
    if (d->comp[0].plane != 0 || d->comp[0].offset != 0 || d->comp[0].shift != 0) return 0;
    return d->comp[0].step == (d->comp[0].depth > 8 ? 2 : 1) ? d->comp[0].depth : 0;
}
// How many planes a pixel format has; NV12 and the like, whose colours share a plane, count as having brightness only.
static inline int vigil_planes(int format) {
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get((enum AVPixelFormat)format);
    if (!d) return 0;
    return d->nb_components >= 3 && d->comp[1].plane == 1 && d->comp[2].plane == 2 ? 3 : 1;
}
// By which power of two the colours are coarser than the brightness; axis 0 across, 1 down.
static inline int vigil_chroma_shift(int format, int axis) {
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get((enum AVPixelFormat)format);
    return !d ? 0 : axis ? d->log2_chroma_h : d->log2_chroma_w;
}
// Whether the picture uses all values instead of leaving room at both ends.
static inline int vigil_is_full_range(const AVFrame *frame) {
    return frame->color_range == AVCOL_RANGE_JPEG || frame->format == AV_PIX_FMT_YUVJ420P
        || frame->format == AV_PIX_FMT_YUVJ422P || frame->format == AV_PIX_FMT_YUVJ444P;
}
static inline uint8_t *vigil_plane(const AVFrame *frame, int plane) { return frame->data[plane]; }
static inline int vigil_stride(const AVFrame *frame, int plane) { return frame->linesize[plane]; }
// Linux's event counter; Swift's Glibc module does not offer it.
static inline int vigil_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
// Names the calling thread, as ps and gdb show it; 15 characters.
static inline void vigil_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
