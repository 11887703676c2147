#!/usr/bin/python3
"""A camera with a back channel whose RTSP is GStreamer's own: its ONVIF server, which shares no code with Vigil.

  onvif_speaker.py FILE
prints `camera URL`, then `ready`. What is said to it goes into FILE, as samples of 16 bits at 8 kHz. Ends with its standard input.
"""
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

CAPS = "application/x-rtp, media=audio, payload=8, clock-rate=8000, encoding-name=PCMA"


def main():
    Gst.init(None)
    server = GstRtspServer.RTSPOnvifServer.new()
    server.set_address("127.0.0.1")
    server.set_service("0")
    factory = GstRtspServer.RTSPOnvifMediaFactory.new()
    # Who only talks does not set up the camera's own sound, which is then linked to nothing: without the second branch its source may
    # end with an error, and all that is said is lost.
    factory.set_launch("( audiotestsrc is-live=true ! tee name=sound ! queue ! fakesink async=false sync=false "
                       "sound. ! queue ! mulawenc ! rtppcmupay name=pay0 )")
    factory.set_backchannel_launch(
        "( capsfilter caps=\"%s\" name=depay_backchannel ! rtppcmadepay ! alawdec ! filesink location=%s buffer-mode=unbuffered async=false sync=false )" % (CAPS, sys.argv[1]))
    factory.set_media_gtype(GstRtspServer.RTSPOnvifMedia)
    server.get_mount_points().add_factory("/live", factory)
    server.attach(None)
    print("camera rtsp://127.0.0.1:%d/live" % server.get_bound_port())
    print("ready", flush=True)
    loop = GLib.MainLoop()
    threading.Thread(target=lambda: (sys.stdin.read(), loop.quit()), daemon=True).start()
    loop.run()


if __name__ == "__main__":
    main()
