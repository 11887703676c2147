#!/usr/bin/python3
"""A device of ONVIF, written from the standard (Core, Media, Media2, Event, Imaging, PTZ, DeviceIO): what profiles S and T ask for.

    onvif.py --stream main=rtsp://127.0.0.1:8554/front,1920x1080,25,4096,H264 --stream sub=…,640x360,12,512,H264 --user admin:secret

prints `ready PORT`. Its streams are those of camera.py, or any other's. With TOKEN@SOURCE in the place of a token the stream is of that
channel (video source): a recorder or an encoder with several of them, each with pictures, events, imaging and PTZ of its own. It ends
with its standard input, or after --for SECONDS.
Lines on standard input change it at run time:

    motion on|off        tamper on|off        input on|off       an event of the camera's own detector, or of its digital input
    motion on SOURCE     the same of one channel; `cells on SOURCE` is a rule's event, which names the channel by a configuration
    forget               drops every subscription, as a restart of the camera does
    reboot               drops every subscription, and what was set of imaging and of the speaker
    night ON|OFF|AUTO    moves the filter against infrared light, as somebody on its own page does
    level NAME NUMBER    sets a level of the picture, such as Brightness, the same way
    refuses NAME…        refuses whatever sets one of these elements, OutputLevel too, and changes nothing then; without a name it ends that
    late SECONDS         answers so much later, but for what is asked of events
    clock SECONDS        sets its clock that far ahead
    position X Y Z       turns it there: pan, tilt and zoom
    fault KIND           plays a fault from now on; `fault none` ends that
    asked                prints one line of JSON: what was asked, how often, by which login; and where PTZ, imaging and the speaker are

--login   digest (HTTP, MD5 and SHA-256), md5, token (WS-Security), both, basic, none
--clock   by how many seconds its clock is ahead
--discover ADDRESS    answers WS-Discovery on the interface of this address
--without SERVICE     does not tell that it has this service: tev is that of events
--speaker             its profiles have an audio output and a decoder of G.711: their streams have a back channel (loudspeaker.py)

Faults: endless (a body without end), slow (a byte a second), html, bomb (entities that grow), deep (elements in elements), huge
(a body of 64 MiB), binary, lies (addresses of other hosts, figures that no picture has), redirect, cut, silence, refused, stale (each
nonce of a digest holds once), forgetful (it cannot be asked for its states anew), deaf (it takes settings and changes nothing), mute (it never says how it is set), dumb (it
never says so once it was set), single (it takes one setting of the picture at a time), lone (of several it takes the first alone, and refuses none), early (it tells no profiles, as a recorder that
has just started), hung (it never tells the streams of its first channel), torn (it tells no profiles, and moves without an answer),
reference (subscriptions have one address and are told apart by a reference parameter), flood and stranger (answers to probes: thousands, or to other probes).
"""
import argparse
import base64
import datetime
import hashlib
import hmac
import http.server
import json
import os
import re
import secrets
import socket
import struct
import sys
import threading
import time
import uuid
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape

SOAP, SOAP11 = "http://www.w3.org/2003/05/soap-envelope", "http://schemas.xmlsoap.org/soap/envelope/"
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
WSNT, TOPICS = "http://docs.oasis-open.org/wsn/b-2", "http://www.onvif.org/ver10/topics"
WSA, WSA04 = "http://www.w3.org/2005/08/addressing", "http://schemas.xmlsoap.org/ws/2004/08/addressing"
VENDOR = "http://rig.example/event"
DISCOVERY = "http://schemas.xmlsoap.org/ws/2005/04/discovery"
SPACES = {
    "tt": "http://www.onvif.org/ver10/schema", "tds": "http://www.onvif.org/ver10/device/wsdl",
    "trt": "http://www.onvif.org/ver10/media/wsdl", "tr2": "http://www.onvif.org/ver20/media/wsdl",
    "tev": "http://www.onvif.org/ver10/events/wsdl", "timg": "http://www.onvif.org/ver20/imaging/wsdl",
    "tptz": "http://www.onvif.org/ver20/ptz/wsdl", "tmd": "http://www.onvif.org/ver10/deviceIO/wsdl",
    "wsnt": WSNT, "wsa": WSA, "tns1": TOPICS, "ter": "http://www.onvif.org/ver10/error",
    "wstop": "http://docs.oasis-open.org/wsn/t-1", "s": SOAP}
# Where each service is, and which of its operations need no login (Core, 5.9.4: the class PRE_AUTH).
PATHS = {"tds": "/onvif/device_service", "trt": "/onvif/media", "tr2": "/onvif/media2", "tev": "/onvif/events",
         "timg": "/onvif/imaging", "tptz": "/onvif/ptz", "tmd": "/onvif/deviceio"}
OPEN = {"GetSystemDateAndTime", "GetServices", "GetServiceCapabilities", "GetCapabilities", "GetHostname", "GetWsdlUrl"}
# How far a login's time may be away, in seconds; how long a request may be, in bytes; how long a subscription holds, in seconds.
SKEW_MAX, REQUEST_MAX, SUBSCRIPTION_MAX, SUBSCRIPTIONS_MAX, QUEUE_MAX = 300, 1 << 20, 3600, 8, 256
# The modes of the filter against infrared light, and the loudest level of the speaker.
NIGHTS, VOLUME_MAX = ("ON", "OFF", "AUTO"), 10
# The elements of the type ImagingSettings20, in their order.
IMAGING = ("BacklightCompensation Brightness ColorSaturation Contrast Exposure Focus IrCutFilter Sharpness WideDynamicRange WhiteBalance "
           "Extension").split()
# The greatest levels of the picture; the least ones are 0.
LEVELS = {"Brightness": 100.0, "ColorSaturation": 255.0, "Contrast": 1.0, "Sharpness": 10.0}
GROUP, DISCOVERY_PORT = "239.255.255.250", 3702
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////"
    "wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AR//Z")


def local(element):
    return element.tag.rpartition("}")[2]


def space(element):
    return element.tag[1:].partition("}")[0]


def find(element, name):
    """The text of the first element of this name below."""
    for one in element.iter():
        if local(one) == name:
            return (one.text or "").strip()
    return None


def seconds(duration, now):
    """How long an absolute or relative time of WS-Notification is."""
    if not duration:
        return 60
    match = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?", duration)
    if match:
        hours, minutes, rest = (int(part or 0) for part in match.groups())
        return hours * 3600 + minutes * 60 + rest
    return datetime.datetime.fromisoformat(duration.replace("Z", "+00:00")).timestamp() - now


class Refused(Exception):
    """A fault of SOAP: the code of the sender or the receiver, what refines it, and words."""

    def __init__(self, *codes, reason, status=400):
        super().__init__(reason)
        self.codes, self.reason, self.status = codes, reason, status


class Cut(Exception):
    """The connection ends without an answer."""


class Stream:
    """One stream: its token, address and figures."""

    def __init__(self, text):
        token, _, rest = text.partition("=")
        self.token, _, source = token.partition("@")
        self.source = source or "source"
        self.address, size, rate, bits, self.codec = rest.rsplit(",", 4)
        self.width, self.height = size.split("x")
        self.rate, self.bits = rate, bits


class Subscription:
    """One pull point: what waits in it, and until when it holds."""

    def __init__(self, until):
        self.until, self.messages, self.condition = until, [], threading.Condition()

    def put(self, messages):
        with self.condition:
            self.messages = (self.messages + messages)[-QUEUE_MAX:]
            self.condition.notify_all()

    def take(self, limit, timeout):
        """At most so many messages, as soon as there is any."""
        with self.condition:
            self.condition.wait_for(lambda: self.messages or self.until == 0, timeout)
            taken, self.messages = self.messages[:limit], self.messages[limit:]
        return taken


class Channel:
    """One video source: how its picture is set, and where it looks."""

    def __init__(self):
        self.position, self.moving, self.presets = [0.0, 0.0, 0.0], False, {}
        self.is_dumb = False
        self.begin()

    def begin(self):
        self.imaging = {name: most / 2 for name, most in LEVELS.items()}
        self.night = "AUTO"


class Device:
    """What the device is and knows, apart from how it is asked."""

    SOURCES = {
        # word on stdin: topic, source, its token, the item that tells the state
        "motion": ("tns1:VideoSource/MotionAlarm", "Source", "source", "State"),
        "tamper": ("tns1:VideoSource/GlobalSceneChange/ImagingService", "Source", "source", "State"),
        "input": ("tns1:Device/Trigger/DigitalInput", "InputToken", "input", "LogicalState"),
        "cells": ("tns1:RuleEngine/CellMotionDetector/Motion", "VideoSourceConfigurationToken", "source", "IsMotion")}

    def __init__(self, options):
        self.options = options
        self.streams = [Stream(text) for text in options.stream]
        self.user, _, self.password = options.user.partition(":")
        self.uuid = options.uuid or str(uuid.uuid4())
        self.fault = options.fault
        self.refused, self.late = set(), 0.0
        self.lock = threading.Lock()
        self.nonces, self.tokens, self.asked = {}, {}, {}
        self.channels = {stream.source: Channel() for stream in self.streams}
        self.first = next(iter(self.channels.values()))
        self.states = {(name, source): False for name in self.SOURCES for source in (self.channels if name != "input" else [""])}
        self.subscriptions = {}
        self.begin()

    def begin(self):
        """What a start of the device begins with."""
        self.volume = 5
        for channel in self.channels.values():
            channel.begin()

    def configuration(self, source):
        """The token of a channel's configuration: of several one that another channel has as its own, so that nobody takes one for the other."""
        sources = list(self.channels)
        return "sourceConfiguration" if len(sources) == 1 else sources[(sources.index(source) + 1) % len(sources)]

    # Time

    def now(self):
        return time.time() + self.options.clock

    def stamp(self, moment=None):
        moment = self.now() if moment is None else moment
        return datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    # Logins

    def challenges(self):
        """What a 401 asks for."""
        kind = self.options.login
        if kind == "basic":
            return ['Basic realm="rig"']
        with self.lock:
            nonce = secrets.token_hex(16)
            self.nonces[nonce] = 0
        algorithms = ["MD5"] if kind == "md5" else ["SHA-256", "MD5"]
        return ['Digest realm="rig", qop="auth", nonce="%s", algorithm=%s' % (nonce, name) for name in algorithms]

    def http_login(self, field, method, path):
        """Whether a field Authorization is right (RFC 7616, RFC 7617)."""
        scheme, _, rest = field.partition(" ")
        if scheme.lower() == "basic" and self.options.login == "basic":
            return hmac.compare_digest(base64.b64decode(rest).decode(), self.user + ":" + self.password)
        if scheme.lower() != "digest" or self.options.login not in ("digest", "md5", "both"):
            return False
        values = {name.lower(): quoted or bare for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', rest)}
        algorithm = values.get("algorithm", "MD5").upper()
        if algorithm not in ("MD5", "SHA-256") or values.get("uri") != path or values.get("username") != self.user:
            return False
        with self.lock:
            count, used = int(values.get("nc", "0"), 16), self.nonces.get(values.get("nonce"), None)
            if used is None or count <= used:
                return False
            self.nonces[values["nonce"]] = count if self.fault != "stale" else 1 << 32

        def digest(text):
            return (hashlib.md5 if algorithm == "MD5" else hashlib.sha256)(text.encode()).hexdigest()
        first = digest("%s:rig:%s" % (self.user, self.password))
        second = digest("%s:%s" % (method, path))
        right = digest(":".join((first, values["nonce"], values["nc"], values["cnonce"], values["qop"], second)))
        return hmac.compare_digest(right, values.get("response", ""))

    def token_login(self, envelope):
        """Whether a token in the head is right; none at all is no login."""
        token = next((one for one in envelope.iter() if one.tag == "{%s}UsernameToken" % WSSE), None)
        if token is None or self.options.login not in ("token", "both"):
            return False
        user, nonce, created, password = (find(token, name) for name in ("Username", "Nonce", "Created", "Password"))
        moment = datetime.datetime.fromisoformat(created.replace("Z", "+00:00")).timestamp()
        right = hashlib.sha1(base64.b64decode(nonce) + created.encode() + self.password.encode()).digest()
        with self.lock:
            fresh = nonce not in self.tokens
            self.tokens[nonce] = moment
        return (user == self.user and fresh and abs(moment - self.now()) <= SKEW_MAX
                and hmac.compare_digest(base64.b64encode(right).decode(), password))

    # Events

    def message(self, name, source, operation):
        topic, key, token, item = self.SOURCES[name]
        if name != "input":
            token = self.configuration(source) if name == "cells" else source
        state = "true" if self.states[(name, source)] else "false"
        return ('<wsnt:NotificationMessage><wsnt:Topic Dialect="http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet">%s'
                '</wsnt:Topic><wsnt:Message><tt:Message UtcTime="%s" PropertyOperation="%s"><tt:Source><tt:SimpleItem Name="%s" '
                'Value="%s"/></tt:Source><tt:Data><tt:SimpleItem Name="%s" Value="%s"/></tt:Data></tt:Message></wsnt:Message>'
                '</wsnt:NotificationMessage>' % (topic, self.stamp(), operation, key, token, item, state))

    def initial(self):
        # A rule tells its states where it has begun to.
        return [self.message(name, source, "Initialized") for (name, source), on in self.states.items() if name != "cells" or on]

    def set_state(self, name, on, source):
        self.states[(name, source)] = on
        with self.lock:
            subscriptions = list(self.subscriptions.values())
        for one in subscriptions:
            one.put([self.message(name, source, "Changed")])

    def forget(self):
        with self.lock:
            gone, self.subscriptions = list(self.subscriptions.values()), {}
        for one in gone:
            with one.condition:
                one.until = 0
                one.condition.notify_all()

    def subscription(self, key):
        with self.lock:
            for key, one in list(self.subscriptions.items()):
                if one.until < self.now():
                    del self.subscriptions[key]
            found = self.subscriptions.get(key)
        if found is None:
            raise Refused("Receiver", "ter:InvalidArgVal", reason="no such subscription")
        return found


class Answers:
    """The operations, by service: each gives what stands in its answer's element."""

    def __init__(self, device, host):
        self.device, self.host = device, host
        self.root = "http://%s" % ("198.51.100.9:1" if device.fault == "lies" else host)

    def at(self, service):
        return self.root + PATHS[service]

    # Device

    def tds_GetSystemDateAndTime(self, _):
        now = datetime.datetime.fromtimestamp(self.device.now(), datetime.timezone.utc)
        return ("<tds:SystemDateAndTime><tt:DateTimeType>Manual</tt:DateTimeType><tt:DaylightSavings>false</tt:DaylightSavings>"
                "<tt:TimeZone><tt:TZ>UTC0</tt:TZ></tt:TimeZone><tt:UTCDateTime><tt:Time><tt:Hour>%d</tt:Hour><tt:Minute>%d</tt:Minute>"
                "<tt:Second>%d</tt:Second></tt:Time><tt:Date><tt:Year>%d</tt:Year><tt:Month>%d</tt:Month><tt:Day>%d</tt:Day></tt:Date>"
                "</tt:UTCDateTime></tds:SystemDateAndTime>" % (now.hour, now.minute, now.second, now.year, now.month, now.day))

    def tds_GetDeviceInformation(self, _):
        return ("<tds:Manufacturer>Vigil</tds:Manufacturer><tds:Model>%s</tds:Model><tds:FirmwareVersion>1.0</tds:FirmwareVersion>"
                "<tds:SerialNumber>%s</tds:SerialNumber><tds:HardwareId>rig</tds:HardwareId>" % (escape(self.device.options.model), self.device.uuid))

    def tds_GetServices(self, _):
        if self.device.options.old:
            raise Refused("Receiver", "ter:ActionNotSupported", reason="no such operation")
        return "".join("<tds:Service><tds:Namespace>%s</tds:Namespace><tds:XAddr>%s</tds:XAddr><tds:Version><tt:Major>2</tt:Major>"
                       "<tt:Minor>60</tt:Minor></tds:Version></tds:Service>" % (SPACES[key], self.at(key)) for key in PATHS if key not in self.device.options.without)

    def tds_GetServiceCapabilities(self, _):
        return ('<tds:Capabilities><tds:Network NTP="1"/><tds:Security UsernameToken="true" HttpDigest="true"/><tds:System '
                'DiscoveryResolve="false" DiscoveryBye="false"/></tds:Capabilities>')

    def tds_GetCapabilities(self, _):
        return ("<tds:Capabilities><tt:Device><tt:XAddr>%s</tt:XAddr></tt:Device><tt:Events><tt:XAddr>%s</tt:XAddr>"
                "<tt:WSSubscriptionPolicySupport>false</tt:WSSubscriptionPolicySupport><tt:WSPullPointSupport>true"
                "</tt:WSPullPointSupport><tt:WSPausableSubscriptionManagerInterfaceSupport>false"
                "</tt:WSPausableSubscriptionManagerInterfaceSupport></tt:Events><tt:Imaging><tt:XAddr>%s</tt:XAddr></tt:Imaging>"
                "<tt:Media><tt:XAddr>%s</tt:XAddr><tt:StreamingCapabilities><tt:RTP_RTSP_TCP>true</tt:RTP_RTSP_TCP>"
                "</tt:StreamingCapabilities></tt:Media><tt:PTZ><tt:XAddr>%s</tt:XAddr></tt:PTZ></tds:Capabilities>"
                % tuple(self.at(key) for key in ("tds", "tev", "timg", "trt", "tptz")))

    def tds_GetScopes(self, _):
        return "".join("<tds:Scopes><tt:ScopeDef>Fixed</tt:ScopeDef><tt:ScopeItem>%s</tt:ScopeItem></tds:Scopes>" % scope
                       for scope in scopes(self.device))

    def tds_GetHostname(self, _):
        return "<tds:HostnameInformation><tt:FromDHCP>false</tt:FromDHCP><tt:Name>rig</tt:Name></tds:HostnameInformation>"

    def tds_GetNetworkInterfaces(self, _):
        return ('<tds:NetworkInterfaces token="eth0"><tt:Enabled>true</tt:Enabled><tt:Info><tt:Name>eth0</tt:Name><tt:HwAddress>'
                '02:00:00:00:00:01</tt:HwAddress></tt:Info></tds:NetworkInterfaces>')

    # Media, version 1

    def source(self, source, name):
        return ('<%s token="%s"><tt:Name>%s</tt:Name><tt:UseCount>2</tt:UseCount><tt:SourceToken>%s</tt:SourceToken>'
                '<tt:Bounds x="0" y="0" width="1920" height="1080"/></%s>'
                % (name, escape(self.device.configuration(source)), escape(source), escape(source), name))

    def figures(self, stream):
        lies = self.device.fault == "lies"
        return "99999999999" if lies else stream.width, "-1" if lies else stream.height, stream.rate, stream.bits

    def encoder(self, stream, name):
        width, height, rate, bits = self.figures(stream)
        return ('<%s token="encoder-%s"><tt:Name>%s</tt:Name><tt:UseCount>1</tt:UseCount><tt:Encoding>%s</tt:Encoding><tt:Resolution>'
                '<tt:Width>%s</tt:Width><tt:Height>%s</tt:Height></tt:Resolution><tt:Quality>4</tt:Quality><tt:RateControl>'
                '<tt:FrameRateLimit>%s</tt:FrameRateLimit><tt:EncodingInterval>1</tt:EncodingInterval><tt:BitrateLimit>%s'
                '</tt:BitrateLimit></tt:RateControl><tt:H264><tt:GovLength>50</tt:GovLength><tt:H264Profile>Main</tt:H264Profile>'
                '</tt:H264><tt:Multicast><tt:Address><tt:Type>IPv4</tt:Type><tt:IPv4Address>0.0.0.0</tt:IPv4Address></tt:Address>'
                '<tt:Port>0</tt:Port><tt:TTL>1</tt:TTL><tt:AutoStart>false</tt:AutoStart></tt:Multicast><tt:SessionTimeout>PT60S'
                '</tt:SessionTimeout></%s>' % (name, escape(stream.token), escape(stream.token),
                                               "H264" if stream.codec == "H265" else stream.codec, width, height, rate, bits, name))

    def profile(self, stream, name):
        more = "<tt:Extension>%s</tt:Extension>" % self.speaker("tt:AudioOutputConfiguration", "tt:AudioDecoderConfiguration")
        return ('<%s token="%s" fixed="true"><tt:Name>%s</tt:Name>%s%s%s%s</%s>'
                % (name, escape(stream.token, {'"': "&quot;"}), escape(stream.token), self.source(stream.source, "tt:VideoSourceConfiguration"),
                   self.encoder(stream, "tt:VideoEncoderConfiguration"), self.ptz(stream.source, "tt:PTZConfiguration"),
                   more if self.device.options.speaker else "", name))

    def output(self, name):
        return ('<%s token="speakerConfiguration"><tt:Name>speaker</tt:Name><tt:UseCount>1</tt:UseCount><tt:OutputToken>speaker'
                '</tt:OutputToken><tt:SendPrimacy>www.onvif.org/ver20/HalfDuplex/Server</tt:SendPrimacy><tt:OutputLevel>%d'
                '</tt:OutputLevel></%s>' % (name, self.device.volume, name))

    def decoder(self, name):
        return '<%s token="decoder"><tt:Name>decoder</tt:Name><tt:UseCount>1</tt:UseCount></%s>' % (name, name)

    def speaker(self, output, decoder):
        """What a profile has whose stream has a back channel."""
        return self.output(output) + self.decoder(decoder)

    def node(self, source):
        return "node" if len(self.device.channels) == 1 else "node-" + source

    def ptz(self, source, name):
        token = "ptz" if len(self.device.channels) == 1 else "ptz-" + source
        return ('<%s token="%s"><tt:Name>ptz</tt:Name><tt:UseCount>1</tt:UseCount><tt:NodeToken>%s</tt:NodeToken></%s>'
                % (name, escape(token), escape(self.node(source)), name))

    def channel(self, body):
        """The channel of the profile that a request of PTZ names."""
        return self.device.channels[self.stream(body).source]

    def imaged(self, body):
        """The channel that a request of imaging names."""
        channel = self.device.channels.get(find(body, "VideoSourceToken"))
        if channel is None:
            raise Refused("Sender", "ter:InvalidArgVal", "ter:NoSource", reason="no such source")
        return channel

    def stream(self, body):
        token = find(body, "ProfileToken")
        for one in self.device.streams:
            if one.token == token:
                return one
        raise Refused("Sender", "ter:InvalidArgVal", "ter:NoProfile", reason="no such profile")

    def told(self):
        """The streams of which profiles tell."""
        if self.device.fault in ("early", "torn"):
            raise Refused("Receiver", "ter:Action", reason="no profiles yet")
        return self.device.streams

    def address(self, stream):
        while self.device.fault == "hung" and stream.source == next(iter(self.device.channels)):
            time.sleep(0.2)
        return escape("rtsp://198.51.100.9/other" if self.device.fault == "lies" else stream.address)

    def trt_GetProfiles(self, _):
        return "".join(self.profile(one, "trt:Profiles") for one in self.told() if one.codec != "H265")

    def trt_GetProfile(self, body):
        return self.profile(self.stream(body), "trt:Profile")

    def trt_GetVideoSources(self, _):
        return "".join('<trt:VideoSources token="%s"><tt:Framerate>25</tt:Framerate><tt:Resolution><tt:Width>1920</tt:Width><tt:Height>'
                       '1080</tt:Height></tt:Resolution></trt:VideoSources>' % escape(source) for source in self.device.channels)

    def trt_GetVideoSourceConfigurations(self, _):
        return "".join(self.source(source, "trt:Configurations") for source in self.device.channels)

    def trt_GetVideoEncoderConfigurations(self, _):
        return "".join(self.encoder(one, "trt:Configurations") for one in self.device.streams)

    def trt_GetStreamUri(self, body):
        return ("<trt:MediaUri><tt:Uri>%s</tt:Uri><tt:InvalidAfterConnect>false</tt:InvalidAfterConnect><tt:InvalidAfterReboot>false"
                "</tt:InvalidAfterReboot><tt:Timeout>PT0S</tt:Timeout></trt:MediaUri>" % self.address(self.stream(body)))

    def trt_GetSnapshotUri(self, body):
        return ("<trt:MediaUri><tt:Uri>http://%s/snapshot/%s</tt:Uri><tt:InvalidAfterConnect>false</tt:InvalidAfterConnect>"
                "<tt:InvalidAfterReboot>false</tt:InvalidAfterReboot><tt:Timeout>PT0S</tt:Timeout></trt:MediaUri>"
                % (self.host, escape(self.stream(body).token)))

    def trt_GetAudioOutputs(self, _):
        return '<trt:AudioOutputs token="speaker"/>'

    def trt_GetAudioOutputConfigurations(self, _):
        return self.output("trt:Configurations")

    def trt_GetAudioDecoderConfigurations(self, _):
        return self.decoder("trt:Configurations") if self.device.options.speaker else ""

    def trt_GetAudioDecoderConfigurationOptions(self, _):
        g711 = ("<tt:G711DecOptions><tt:Bitrate><tt:Items>64</tt:Items></tt:Bitrate><tt:SampleRateRange><tt:Items>8</tt:Items>"
                "</tt:SampleRateRange></tt:G711DecOptions>")
        return "<trt:Options>%s</trt:Options>" % (g711 if self.device.options.speaker else "")

    def trt_GetAudioOutputConfigurationOptions(self, _):
        return ('<trt:Options><tt:OutputTokensAvailable>speaker</tt:OutputTokensAvailable><tt:OutputLevelRange><tt:Min>0</tt:Min>'
                '<tt:Max>%d</tt:Max></tt:OutputLevelRange></trt:Options>' % VOLUME_MAX)

    def trt_SetAudioOutputConfiguration(self, body):
        level = int(find(body, "OutputLevel"))
        if find(body, "OutputToken") != "speaker" or not 0 <= level <= VOLUME_MAX:
            raise Refused("Sender", "ter:InvalidArgVal", "ter:ConfigModify", reason="no such output or level")
        if "OutputLevel" in self.device.refused:
            raise Refused("Sender", "ter:InvalidArgVal", "ter:ConfigModify", reason="not this level")
        if self.device.fault != "deaf":
            self.device.volume = level
        return ""

    def trt_GetServiceCapabilities(self, _):
        return ('<trt:Capabilities SnapshotUri="true"><trt:ProfileCapabilities MaximumNumberOfProfiles="8"/><trt:StreamingCapabilities '
                'RTP_RTSP_TCP="true"/></trt:Capabilities>')

    # Media, version 2

    def tr2_GetProfiles(self, _):
        more = self.speaker("tr2:AudioOutput", "tr2:AudioDecoder") if self.device.options.speaker else ""
        return "".join('<tr2:Profiles token="%s" fixed="true"><tr2:Name>%s</tr2:Name><tr2:Configurations>%s%s%s%s</tr2:Configurations>'
                       '</tr2:Profiles>' % (escape(one.token, {'"': "&quot;"}), escape(one.token), self.source(one.source, "tr2:VideoSource"),
                                            self.encoder2(one, "tr2:VideoEncoder"), self.ptz(one.source, "tr2:PTZ"), more) for one in self.told())

    def encoder2(self, stream, name):
        width, height, rate, bits = self.figures(stream)
        return ('<%s token="encoder-%s" GovLength="50" Profile="Main"><tt:Name>%s</tt:Name><tt:UseCount>1</tt:UseCount><tt:Encoding>%s'
                '</tt:Encoding><tt:Resolution><tt:Width>%s</tt:Width><tt:Height>%s</tt:Height></tt:Resolution><tt:RateControl '
                'ConstantBitRate="false"><tt:FrameRateLimit>%s</tt:FrameRateLimit><tt:BitrateLimit>%s</tt:BitrateLimit>'
                '</tt:RateControl><tt:Quality>4</tt:Quality></%s>' % (name, escape(stream.token), escape(stream.token), stream.codec,
                                                                        width, height, rate, bits, name))

    def tr2_GetVideoEncoderConfigurations(self, _):
        return "".join(self.encoder2(one, "tr2:Configurations") for one in self.device.streams)

    def tr2_GetStreamUri(self, body):
        return "<tr2:Uri>%s</tr2:Uri>" % self.address(self.stream(body))

    def tr2_GetSnapshotUri(self, body):
        return "<tr2:Uri>http://%s/snapshot/%s</tr2:Uri>" % (self.host, escape(self.stream(body).token))

    def tr2_GetServiceCapabilities(self, _):
        return ('<tr2:Capabilities SnapshotUri="true"><tr2:ProfileCapabilities MaximumNumberOfProfiles="8" ConfigurationsSupported='
                '"VideoSource VideoEncoder"/><tr2:StreamingCapabilities RTSPStreaming="true" RTP_RTSP_TCP="true"/></tr2:Capabilities>')

    # Events

    def tev_GetServiceCapabilities(self, _):
        return ('<tev:Capabilities WSSubscriptionPolicySupport="false" WSPullPointSupport="true" MaxPullPoints="%d" '
                'PersistentNotificationStorage="false"/>' % SUBSCRIPTIONS_MAX)

    def tev_GetEventProperties(self, _):
        return ('<tev:TopicNamespaceLocation>http://www.onvif.org/onvif/ver10/topics/topicns.xml</tev:TopicNamespaceLocation>'
                '<wsnt:FixedTopicSet>true</wsnt:FixedTopicSet><wstop:TopicSet><tns1:VideoSource><MotionAlarm wstop:topic="true"/>'
                '<GlobalSceneChange><ImagingService wstop:topic="true"/></GlobalSceneChange></tns1:VideoSource><tns1:Device><Trigger>'
                '<DigitalInput wstop:topic="true"/></Trigger></tns1:Device></wstop:TopicSet><wsnt:TopicExpressionDialect>'
                'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet</wsnt:TopicExpressionDialect>'
                '<tev:MessageContentFilterDialect>http://www.onvif.org/ver10/tev/messageContentFilter/ItemFilter'
                '</tev:MessageContentFilterDialect><tev:MessageContentSchemaLocation>http://www.onvif.org/onvif/ver10/schema/onvif.xsd'
                '</tev:MessageContentSchemaLocation>')

    def tev_CreatePullPointSubscription(self, body):
        device = self.device
        held = seconds(find(body, "InitialTerminationTime"), device.now())
        if not 0 < held <= SUBSCRIPTION_MAX:
            raise Refused("Sender", "wsnt:UnacceptableInitialTerminationTimeFault", reason="not that long")
        one = Subscription(device.now() + held)
        one.put(device.initial())
        with device.lock:
            device.subscriptions = {key: old for key, old in device.subscriptions.items() if old.until >= device.now()}
            if len(device.subscriptions) >= SUBSCRIPTIONS_MAX:
                raise Refused("Receiver", "ter:Action", "ter:MaxPullPoints", reason="too many subscriptions")
            key = secrets.token_hex(8)
            device.subscriptions[key] = one
        reference = "<wsa:Address>%s/%s</wsa:Address>" % (self.at("tev"), key)
        if device.fault == "reference":
            reference = ('<wsa:Address>%s</wsa:Address><wsa:ReferenceParameters><x:SubscriptionId xmlns:x="%s">%s</x:SubscriptionId>'
                         '</wsa:ReferenceParameters>' % (self.at("tev"), VENDOR, key))
        return ("<tev:SubscriptionReference>%s</tev:SubscriptionReference><wsnt:CurrentTime>%s</wsnt:CurrentTime>"
                "<wsnt:TerminationTime>%s</wsnt:TerminationTime>" % (reference, device.stamp(), device.stamp(one.until)))

    def tev_PullMessages(self, body, key):
        device, one = self.device, self.device.subscription(key)
        messages = one.take(max(1, int(find(body, "MessageLimit") or 1)), min(seconds(find(body, "Timeout"), device.now()), 60))
        if one.until == 0:
            raise Refused("Receiver", "ter:InvalidArgVal", reason="the subscription is gone")
        return ("<tev:CurrentTime>%s</tev:CurrentTime><tev:TerminationTime>%s</tev:TerminationTime>%s"
                % (device.stamp(), device.stamp(one.until), "".join(messages)))

    def tev_SetSynchronizationPoint(self, _, key):
        if self.device.fault == "forgetful":
            raise Refused("Receiver", "ter:ActionNotSupported", reason="no such operation")
        self.device.subscription(key).put(self.device.initial())
        return ""

    def wsnt_Renew(self, body, key):
        one = self.device.subscription(key)
        one.until = self.device.now() + seconds(find(body, "TerminationTime"), self.device.now())
        return ("<wsnt:TerminationTime>%s</wsnt:TerminationTime><wsnt:CurrentTime>%s</wsnt:CurrentTime>"
                % (self.device.stamp(one.until), self.device.stamp()))

    def wsnt_Unsubscribe(self, _, key):
        self.device.subscription(key)
        with self.device.lock:
            self.device.subscriptions.pop(key, None)
        return ""

    # Imaging

    def timg_GetImagingSettings(self, body):
        channel = self.imaged(body)
        while self.device.fault == "mute" or self.device.fault == "dumb" and channel.is_dumb:
            time.sleep(0.2)
        # In the order of the type ImagingSettings20.
        values = {**channel.imaging, "IrCutFilter": channel.night}
        return "<timg:ImagingSettings>%s</timg:ImagingSettings>" % "".join(
            "<tt:%s>%s</tt:%s>" % (name, values[name], name) for name in sorted(values))

    def timg_SetImagingSettings(self, body):
        channel = self.imaged(body)
        settings = next(one for one in body if local(one) == "ImagingSettings")
        values = {local(one): (one.text or "").strip() for one in settings}
        if [local(one) for one in settings] != [name for name in IMAGING if name in values]:
            raise Refused("Sender", "ter:WellFormed", reason="not in the order of the type")
        if self.device.refused & set(values) or self.device.fault == "single" and len(values) > 1:
            raise Refused("Sender", "ter:InvalidArgVal", "ter:SettingsInvalid", reason="not these settings")
        for name, value in values.items():
            if name == "IrCutFilter" and value not in NIGHTS:
                raise Refused("Sender", "ter:InvalidArgVal", "ter:SettingsInvalid", reason="no such mode")
            if name in LEVELS and not 0 <= float(value) <= LEVELS[name]:
                raise Refused("Sender", "ter:InvalidArgVal", "ter:SettingsInvalid", reason="out of range")
        if self.device.fault == "lone":
            values = dict(list(values.items())[:1])
        channel.is_dumb = self.device.fault == "dumb"
        if self.device.fault != "deaf":
            channel.imaging.update({name: float(value) for name, value in values.items() if name in LEVELS})
            channel.night = values.get("IrCutFilter", channel.night)
        return ""

    def timg_GetOptions(self, body):
        options = {name: "<tt:%s><tt:Min>0</tt:Min><tt:Max>%g</tt:Max></tt:%s>" % (name, LEVELS[name], name) for name in self.imaged(body).imaging}
        options["IrCutFilterModes"] = "".join("<tt:IrCutFilterModes>%s</tt:IrCutFilterModes>" % one for one in NIGHTS)
        return "<timg:ImagingOptions>%s</timg:ImagingOptions>" % "".join(options[name] for name in sorted(options))

    def timg_GetServiceCapabilities(self, _):
        return '<timg:Capabilities ImageStabilization="false"/>'

    # PTZ

    RANGES = "".join(
        "<tt:%s><tt:URI>http://www.onvif.org/ver10/tptz/%s</tt:URI><tt:XRange><tt:Min>-1</tt:Min><tt:Max>1</tt:Max></tt:XRange>%s</tt:%s>"
        % (name, uri, "<tt:YRange><tt:Min>-1</tt:Min><tt:Max>1</tt:Max></tt:YRange>" if "Pan" in name else "", name)
        for name, uri in (("AbsolutePanTiltPositionSpace", "PanTiltSpaces/PositionGenericSpace"),
                          ("AbsoluteZoomPositionSpace", "ZoomSpaces/PositionGenericSpace"),
                          ("RelativePanTiltTranslationSpace", "PanTiltSpaces/TranslationGenericSpace"),
                          ("ContinuousPanTiltVelocitySpace", "PanTiltSpaces/VelocityGenericSpace"),
                          ("ContinuousZoomVelocitySpace", "ZoomSpaces/VelocityGenericSpace")))

    def tptz_GetNodes(self, _):
        return "".join('<tptz:PTZNode token="%s"><tt:Name>node</tt:Name><tt:SupportedPTZSpaces>%s</tt:SupportedPTZSpaces>'
                       '<tt:MaximumNumberOfPresets>8</tt:MaximumNumberOfPresets><tt:HomeSupported>true</tt:HomeSupported></tptz:PTZNode>'
                       % (escape(self.node(source)), self.RANGES) for source in self.device.channels)

    def tptz_GetConfigurations(self, _):
        return "".join(self.ptz(source, "tptz:PTZConfiguration") for source in self.device.channels)

    def tptz_GetStatus(self, body):
        channel = self.channel(body)
        moving = "MOVING" if channel.moving else "IDLE"
        place = '<tt:PanTilt x="%g" y="%g"/><tt:Zoom x="%g"/>' % tuple(channel.position)
        return ("<tptz:PTZStatus><tt:Position>%s</tt:Position><tt:MoveStatus><tt:PanTilt>%s</tt:PanTilt><tt:Zoom>%s</tt:Zoom>"
                "</tt:MoveStatus><tt:UtcTime>%s</tt:UtcTime></tptz:PTZStatus>" % (place, moving, moving, self.device.stamp()))

    def vector(self, body, name):
        """Pan, tilt and zoom of an element; None where it does not tell."""
        for one in body.iter():
            if local(one) == name:
                values = {local(part): part.attrib for part in one}
                pan, zoom = values.get("PanTilt"), values.get("Zoom")
                vector = [float(pan["x"]) if pan else None, float(pan["y"]) if pan else None, float(zoom["x"]) if zoom else None]
                if any(value is not None and not -1 <= value <= 1 for value in vector):
                    raise Refused("Sender", "ter:InvalidArgVal", "ter:InvalidPosition", reason="out of range")
                return vector
        raise Refused("Sender", "ter:InvalidArgVal", reason="no vector")

    def tptz_AbsoluteMove(self, body):
        channel, vector = self.channel(body), self.vector(body, "Position")
        channel.position = [old if new is None else new for old, new in zip(channel.position, vector)]
        return ""

    def tptz_RelativeMove(self, body):
        channel, vector = self.channel(body), self.vector(body, "Translation")
        channel.position = [max(-1.0, min(1.0, old + (new or 0))) for old, new in zip(channel.position, vector)]
        return ""

    def tptz_ContinuousMove(self, body):
        channel = self.channel(body)
        self.vector(body, "Velocity")
        channel.moving = True
        if self.device.fault == "torn":
            raise Cut
        return ""

    def tptz_Stop(self, body):
        self.channel(body).moving = False
        return ""

    def tptz_GetPresets(self, body):
        return "".join('<tptz:Preset token="%s"><tt:Name>%s</tt:Name></tptz:Preset>' % (token, escape(name))
                       for token, (name, _) in self.channel(body).presets.items())

    def tptz_SetPreset(self, body):
        channel = self.channel(body)
        token = find(body, "PresetToken") or "preset%d" % (len(channel.presets) + 1)
        if token not in channel.presets and len(channel.presets) >= 8:
            raise Refused("Receiver", "ter:Action", "ter:TooManyPresets", reason="too many presets")
        channel.presets[token] = (find(body, "PresetName") or token, list(channel.position))
        return "<tptz:PresetToken>%s</tptz:PresetToken>" % escape(token)

    def tptz_GotoPreset(self, body):
        channel = self.channel(body)
        if find(body, "PresetToken") not in channel.presets:
            raise Refused("Sender", "ter:InvalidArgVal", "ter:NoToken", reason="no such preset")
        channel.position = list(channel.presets[find(body, "PresetToken")][1])
        return ""

    def tptz_RemovePreset(self, body):
        if self.channel(body).presets.pop(find(body, "PresetToken"), None) is None:
            raise Refused("Sender", "ter:InvalidArgVal", "ter:NoToken", reason="no such preset")
        return ""

    def tptz_GotoHomePosition(self, body):
        self.channel(body).position = [0.0, 0.0, 0.0]
        return ""

    def tptz_GetServiceCapabilities(self, _):
        return '<tptz:Capabilities EFlip="false" Reverse="false"/>'

    # Inputs and outputs

    def tmd_GetDigitalInputs(self, _):
        return '<tmd:DigitalInputs token="input"/>'

    def tmd_GetServiceCapabilities(self, _):
        return '<tmd:Capabilities VideoSources="%d" AudioOutputs="1" DigitalInputs="1"/>' % len(self.device.channels)


def envelope(body):
    return ('<?xml version="1.0" encoding="UTF-8"?><s:Envelope %s><s:Body>%s</s:Body></s:Envelope>'
            % (" ".join('xmlns:%s="%s"' % pair for pair in SPACES.items()), body)).encode()


def faulted(refused):
    """A fault as SOAP 1.2 has it."""
    code = ""
    for one in reversed(refused.codes[1:]):
        code = "<s:Subcode><s:Value>%s</s:Value>%s</s:Subcode>" % (one, code)
    return envelope("<s:Fault><s:Code><s:Value>s:%s</s:Value>%s</s:Code><s:Reason><s:Text xml:lang=\"en\">%s</s:Text></s:Reason>"
                    "</s:Fault>" % (refused.codes[0], code, escape(refused.reason)))


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = 120

    def log_message(self, *_):
        pass

    def reply(self, status, body, kind="application/soap+xml; charset=utf-8", more=()):
        self.send_response(status)
        for name, value in more:
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):  # whoever asked has gone meanwhile
            self.close_connection = True

    def refuse(self):
        if self.device.options.login == "token":
            return self.reply(400, faulted(Refused("Sender", "ter:NotAuthorized", reason="Sender not authorized")))
        self.reply(401, b"", more=[("WWW-Authenticate", text) for text in self.device.challenges()])

    def do_GET(self):
        if not self.path.startswith("/snapshot/"):
            return self.reply(404, b"", "text/plain")
        if self.device.options.login != "none" and not self.device.http_login(self.headers.get("Authorization", ""), "GET", self.path):
            return self.refuse()
        self.reply(200, JPEG, "image/jpeg")

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > REQUEST_MAX:
            return self.reply(413, b"", "text/plain")
        request = self.rfile.read(length)
        if play(self):
            self.close_connection = True
            return
        try:
            root = ET.fromstring(request)
            if root.tag not in ("{%s}Envelope" % SOAP, "{%s}Envelope" % SOAP11):
                raise ValueError("no envelope")
            operation = next(one for one in root if local(one) == "Body")[0]
        except (ET.ParseError, StopIteration, IndexError, ValueError):
            return self.reply(400, faulted(Refused("Sender", "ter:WellFormed", reason="no request of SOAP")))
        name, device = local(operation), self.device
        service = next((key for key, value in SPACES.items() if value == space(operation)), "")
        way = "none"
        if device.options.login != "none":
            field = self.headers.get("Authorization")
            is_right = device.http_login(field, "POST", self.path) if field else device.token_login(root)
            way = field.partition(" ")[0].lower() if field else "token" if is_right else "none"
            if not is_right and (name not in OPEN or field):
                way = "refused"
        self.note(name, way)
        if service not in ("tev", "wsnt"):
            time.sleep(device.late)
        if way == "refused":
            return self.refuse()
        answers = Answers(device, device.options.advertise or self.headers.get("Host") or "127.0.0.1")
        action = getattr(answers, "%s_%s" % (service, name), None)
        try:
            if action is None:
                raise Refused("Receiver", "ter:ActionNotSupported", reason="no such operation", status=500)
            is_of_one = name in ("PullMessages", "SetSynchronizationPoint", "Renew", "Unsubscribe")
            content = action(operation, self.subscription(root)) if is_of_one else action(operation)
            self.reply(200, envelope("<%s:%sResponse>%s</%s:%sResponse>" % (service, name, content, service, name)))
        except Refused as refused:
            self.reply(refused.status, faulted(refused))
        except Cut:
            self.close_connection = True

    def subscription(self, envelope):
        """Which subscription a request is about: its path says so, or what the head gives back."""
        if self.device.fault != "reference":
            return self.path.rpartition("/")[2]
        head = next((one for one in envelope if local(one) == "Header"), ())
        return next((one.text for one in head if one.tag == "{%s}SubscriptionId" % VENDOR
                     and one.get("{%s}IsReferenceParameter" % WSA) == "true"), "")

    def note(self, name, way):
        with self.device.lock:
            by = self.device.asked.setdefault(name, {})
            by[way] = by.get(way, 0) + 1


def play(handler):
    """Plays the fault in place of an answer; whether it did."""
    fault, out = handler.device.fault, handler.wfile
    whole = {
        "html": ("text/html", b"<html><body><h1>Login</h1></body></html>"),
        "binary": ("application/soap+xml", bytes(range(256)) * 16),
        "bomb": ("application/soap+xml", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + b"".join(
            b'<!ENTITY %c "%s">' % (98 + index, b"&%c;" % (97 + index) * 10) for index in range(9)) + b"]><a>&j;</a>"),
        "deep": ("application/soap+xml", b"<a>" * 500_000)}
    try:
        if fault in whole:
            handler.reply(200, whole[fault][1], whole[fault][0])
        elif fault == "redirect":
            handler.reply(302, b"", more=[("Location", "http://198.51.100.9/")])
        elif fault == "cut":
            out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<Envelope>")
        elif fault in ("endless", "huge"):
            out.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/soap+xml\r\nConnection: close\r\n\r\n<s:Envelope>")
            for _ in range(1024) if fault == "huge" else iter(int, 1):
                out.write(b"<a>text</a>" * 6000)
        elif fault == "slow":
            out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
            for _ in range(600):
                out.write(b" ")
                time.sleep(1)
        elif fault == "silence":
            time.sleep(600)
        elif fault == "refused":
            handler.reply(500, faulted(Refused("Receiver", "ter:OutofMemory", reason="no\x0amemory" * 500)))
        else:
            return False
    except OSError:
        pass
    return True


def scopes(device):
    return ["onvif://www.onvif.org/%s" % text for text in
            ("type/video_encoder", "type/ptz", "Profile/Streaming", "Profile/T", "hardware/" + device.options.model.replace(" ", "%20"),
             "name/" + device.options.name.replace(" ", "%20"), "location/rig")]


class Discovery(threading.Thread):
    """Answers probes of WS-Discovery, by multicast on one interface and by themselves."""

    def __init__(self, device, address, port):
        super().__init__(daemon=True)
        self.device, self.address, self.port = device, address, port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("", DISCOVERY_PORT))
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(address)))

    def run(self):
        while True:
            data, sender = self.socket.recvfrom(65536)
            try:
                root = ET.fromstring(data)
                identity, types = find(root, "MessageID"), find(root, "Types") or ""
            except ET.ParseError:
                continue
            kind = types.rpartition(":")[2]
            if not identity or kind not in ("", "NetworkVideoTransmitter", "Device"):
                continue
            with self.device.lock:
                by = self.device.asked.setdefault("Probe", {})
                by[kind] = by.get(kind, 0) + 1
            fault = self.device.fault
            for index in range(5000 if fault == "flood" else 1):
                name = self.device.uuid if fault != "flood" else str(uuid.uuid4())
                self.socket.sendto(self.match("urn:uuid:" + str(uuid.uuid4()) if fault == "stranger" else identity, name), sender)
                if index % 50 == 49:
                    time.sleep(0.005)  # what is sent faster than it is read is lost anyway

    def match(self, identity, name):
        host = self.device.options.advertise or "%s:%d" % (self.address, self.port)
        if self.device.fault == "lies":
            host = "198.51.100.9"
        return ('<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="%s" xmlns:a="%s" xmlns:d="%s" xmlns:dn="http://www.onvif.org/'
                'ver10/network/wsdl" xmlns:tds="%s"><s:Header><a:MessageID>urn:uuid:%s</a:MessageID><a:RelatesTo>%s</a:RelatesTo><a:To>'
                'http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous</a:To><a:Action>%s/ProbeMatches</a:Action></s:Header>'
                '<s:Body><d:ProbeMatches><d:ProbeMatch><a:EndpointReference><a:Address>urn:uuid:%s</a:Address></a:EndpointReference>'
                '<d:Types>dn:NetworkVideoTransmitter tds:Device</d:Types><d:Scopes>%s</d:Scopes><d:XAddrs>http://%s%s</d:XAddrs>'
                '<d:MetadataVersion>1</d:MetadataVersion></d:ProbeMatch></d:ProbeMatches></s:Body></s:Envelope>'
                % (SOAP, WSA04, DISCOVERY, SPACES["tds"], uuid.uuid4(), escape(identity), DISCOVERY, name, " ".join(scopes(self.device)),
                   host, PATHS["tds"])).encode()


def obey(device, line):
    """One line of standard input."""
    words = line.split()
    if words[:1] == ["asked"]:
        with device.lock:
            # What stands outside of `channels` is of the first one.
            first = device.first
            print(json.dumps({"asked": device.asked, "position": first.position, "moving": first.moving, "imaging": first.imaging,
                              "night": first.night, "volume": device.volume, "subscriptions": len(device.subscriptions),
                              "channels": {source: {"position": one.position, "moving": one.moving, "night": one.night, "imaging": one.imaging}
                                           for source, one in device.channels.items()}}), flush=True)
    elif words[:1] == ["forget"]:
        device.forget()
    elif words[:1] == ["reboot"]:
        device.begin()
        device.forget()
    elif len(words) == 2 and words[0] == "night" and words[1] in NIGHTS:
        device.first.night = words[1]
    elif len(words) == 3 and words[0] == "level" and words[1] in LEVELS:
        device.first.imaging[words[1]] = float(words[2])
    elif words[:1] == ["refuses"]:
        device.refused = set(words[1:])
    elif len(words) == 2 and words[0] == "late":
        device.late = float(words[1])
    elif len(words) == 4 and words[0] == "position":
        device.first.position = [float(word) for word in words[1:]]
    elif len(words) == 2 and words[0] == "clock":
        device.options.clock = float(words[1])
    elif len(words) == 2 and words[0] == "fault":
        device.fault = "" if words[1] == "none" else words[1]
        for channel in device.channels.values():
            channel.is_dumb = False
    elif len(words) in (2, 3) and words[0] in device.SOURCES and words[1] in ("on", "off"):
        source = "" if words[0] == "input" else words[2] if len(words) == 3 else next(iter(device.channels))
        if (words[0], source) in device.states:
            device.set_state(words[0], words[1] == "on", source)
        else:
            print("onvif: no such channel: " + source, file=sys.stderr, flush=True)
    elif words:
        print("onvif: not understood: " + line.strip(), file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stream", action="append", required=True, metavar="TOKEN=ADDRESS,WIDTHxHEIGHT,RATE,KBITS,CODEC")
    parser.add_argument("--listen", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--user", default="admin:secret")
    parser.add_argument("--login", default="digest", choices=("digest", "md5", "token", "both", "basic", "none"))
    parser.add_argument("--clock", type=float, default=0)
    parser.add_argument("--old", action="store_true", help="a device that has no GetServices, and version 1 of media alone")
    parser.add_argument("--model", default="Rig 1")
    parser.add_argument("--name", default="Front Door")
    parser.add_argument("--uuid")
    parser.add_argument("--advertise", metavar="HOST:PORT", help="what it calls itself, in place of the address that was asked")
    parser.add_argument("--discover", metavar="ADDRESS")
    parser.add_argument("--speaker", action="store_true")
    parser.add_argument("--without", action="append", default=[], metavar="SERVICE", choices=PATHS)
    parser.add_argument("--fault", default="")
    parser.add_argument("--for", dest="seconds", type=float)
    options = parser.parse_args()
    Handler.device = device = Device(options)
    server = http.server.ThreadingHTTPServer((options.listen, options.port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if options.discover:
        Discovery(device, options.discover, server.server_port).start()
    if options.seconds:
        timer = threading.Timer(options.seconds, os._exit, [0])
        timer.daemon = True
        timer.start()
    print("ready", server.server_port, flush=True)
    for line in sys.stdin:
        obey(device, line)


main()
