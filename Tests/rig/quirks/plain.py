"""Cameras without a quirk, over each network and with each codec."""
from registry import row
from server import Camera


@row(0, "good", "does all as it should")
class Good(Camera):
    pass


@row(0, "good over UDP", "does all as it should, with datagrams")
class GoodDatagrams(Camera):
    transport = "udp"


@row(0, "IPv6", "is reached by IPv6 only")
class Six(Camera):
    host = "::1"


@row(0, "IPv6 over UDP", "is reached by IPv6 only, with datagrams")
class SixDatagrams(Six):
    transport = "udp"


@row(0, "H.265", "sends H.265")
class H265(Camera):
    codec = "h265"
