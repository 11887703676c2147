#!/usr/bin/env python3
"""What an independent client (onvif-zeep-async, which reads the standard's own WSDL) makes of the rig's device. Prints one line of JSON.

    Tests/onvif/client.py --port PORT [--user NAME:PASSWORD] [--channels | --speaker]

With --speaker it is about the loudspeaker of each profile alone. With --channels it is about a device of several channels: what each has, and that what is done to one is done to that one alone.

What it prints as `order …` whoever runs it passes on to the device, and answers with a line when that is done.
"""

import argparse
import asyncio
import datetime
import json
import sys

from onvif import ONVIFCamera
from zeep.exceptions import Fault, TransportError


def order(text):
    """Tells the device something, by way of whoever runs this, and waits until it is done."""
    print("order " + text, flush=True)
    sys.stdin.readline()


def states(messages):
    """What notifications tell: topic, operation, source and state."""
    told = []
    for one in messages:
        data = one.Message._value_1
        items = {item.Name: item.Value for item in data.Data.SimpleItem}
        told.append([one.Topic._value_1.strip(), data.PropertyOperation, data.Source.SimpleItem[0].Value, list(items.values())[0]])
    return told


async def events(camera):
    """Subscribes, sees the initial states, then what changes; renews and ends the subscription."""
    manager = await camera.create_pullpoint_manager(datetime.timedelta(seconds=60), lambda: None)
    service = manager.get_service()

    async def pull():
        answer = await service.PullMessages({"Timeout": datetime.timedelta(seconds=5), "MessageLimit": 10})
        return states(answer.NotificationMessage)
    seen = {"initial": await pull()}
    order("motion on")
    seen["began"] = await pull()
    order("motion off")
    order("input on")
    seen["ended"] = await pull()
    await manager.set_synchronization_point()
    seen["again"] = await pull()
    await manager.shutdown()
    try:
        await pull()
        seen["over"] = False
    except Fault:
        seen["over"] = True
    return seen


async def ptz(camera, token):
    """Moves the camera, keeps a place and comes back to it."""
    service = await camera.create_ptz_service()
    seen = {"nodes": [node.token for node in await service.GetNodes()]}
    await service.AbsoluteMove({"ProfileToken": token, "Position": {"PanTilt": {"x": 0.5, "y": -0.25}, "Zoom": {"x": 0.75}}})
    preset = await service.SetPreset({"ProfileToken": token, "PresetName": "door"})
    await service.RelativeMove({"ProfileToken": token, "Translation": {"PanTilt": {"x": -1, "y": 0}}})
    away = (await service.GetStatus({"ProfileToken": token})).Position
    await service.GotoPreset({"ProfileToken": token, "PresetToken": preset})
    back = (await service.GetStatus({"ProfileToken": token})).Position
    await service.ContinuousMove({"ProfileToken": token, "Velocity": {"PanTilt": {"x": 0.1, "y": 0}}})
    moving = (await service.GetStatus({"ProfileToken": token})).MoveStatus.PanTilt
    await service.Stop({"ProfileToken": token})
    still = (await service.GetStatus({"ProfileToken": token})).MoveStatus.PanTilt
    seen.update(presets=[one.Name for one in await service.GetPresets({"ProfileToken": token})], away=away.PanTilt.x,
                back=[back.PanTilt.x, back.PanTilt.y, back.Zoom.x], moving=moving, still=still)
    return seen


async def channels(camera):
    """The channels of a device with their streams; what moves at the second and turns at the third."""
    media = await camera.create_media_service()
    seen = {"sources": [one.token for one in await media.GetVideoSources()], "streams": {}}
    profiles = await media.GetProfiles()
    for one in profiles:
        uri = (await media.GetStreamUri(
            {"StreamSetup": {"Stream": "RTP-Unicast", "Transport": {"Protocol": "RTSP"}}, "ProfileToken": one.token})).Uri
        seen["streams"].setdefault(one.VideoSourceConfiguration.SourceToken, []).append(uri)
    of_source = {one.VideoSourceConfiguration.SourceToken: one for one in profiles}
    service = await camera.create_ptz_service()
    seen["nodes"] = len(await service.GetNodes())
    third = seen["sources"][2]
    await service.ContinuousMove({"ProfileToken": of_source[third].token, "Velocity": {"PanTilt": {"x": 0.1, "y": 0}}})
    seen["moving"] = [source for source, one in of_source.items()
                      if (await service.GetStatus({"ProfileToken": one.token})).MoveStatus.PanTilt == "MOVING"]
    await service.Stop({"ProfileToken": of_source[third].token})
    manager = await camera.create_pullpoint_manager(datetime.timedelta(seconds=60), lambda: None)
    pull = manager.get_service()
    await pull.PullMessages({"Timeout": datetime.timedelta(seconds=5), "MessageLimit": 20})
    order("motion on " + seen["sources"][1])
    order("cells on " + third)
    answer = await pull.PullMessages({"Timeout": datetime.timedelta(seconds=5), "MessageLimit": 20})
    seen["told"] = states(answer.NotificationMessage)
    seen["configuration"] = of_source[third].VideoSourceConfiguration.token
    order("motion off " + seen["sources"][1])
    order("cells off " + third)
    await manager.shutdown()
    return seen


async def speaker(camera):
    """Each profile with its stream, its audio output, its decoder, and of what that takes how much (kbit/s) at which rate (kHz)."""
    media = await camera.create_media_service()
    seen = []
    for one in await media.GetProfiles():
        # What begins with elements of any name has all of them there.
        output, decoder = one.Extension._value_1
        uri = (await media.GetStreamUri(
            {"StreamSetup": {"Stream": "RTP-Unicast", "Transport": {"Protocol": "RTSP"}}, "ProfileToken": one.token})).Uri
        options = await media.GetAudioDecoderConfigurationOptions({"ProfileToken": one.token, "ConfigurationToken": decoder.token})
        takes = options.G711DecOptions
        seen.append({"stream": uri, "output": output.OutputToken, "g711": [takes.Bitrate.Items, takes.SampleRateRange.Items],
                     "aac": options.AACDecOptions is not None})
    return {"speakers": seen, "outputs": [one.token for one in await media.GetAudioOutputs()]}


async def imaging(camera):
    """Changes the brightness, and does not get one that no camera has."""
    service = await camera.create_imaging_service()
    source = {"VideoSourceToken": "source"}
    options = (await service.GetOptions(source)).Brightness
    await service.SetImagingSettings({**source, "ImagingSettings": {"Brightness": 60}})
    try:
        await service.SetImagingSettings({**source, "ImagingSettings": {"Brightness": 600}})
        refused = False
    except Fault:
        refused = True
    return {"range": [options.Min, options.Max], "now": (await service.GetImagingSettings(source)).Brightness, "refused": refused}


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--user", default="admin:secret")
    parser.add_argument("--channels", action="store_true")
    parser.add_argument("--speaker", action="store_true")
    options = parser.parse_args()
    user, _, password = options.user.partition(":")
    camera = ONVIFCamera(options.host, options.port, user, password, adjust_time=True)
    seen = {}
    try:
        await camera.update_xaddrs()
        if options.channels or options.speaker:
            seen = await (channels if options.channels else speaker)(camera)
            return
        device = await camera.create_devicemgmt_service()
        try:
            seen["model"] = (await device.GetDeviceInformation()).Model
        except (Fault, TransportError) as error:
            seen["refused"] = str(error)
            return
        seen["scopes"] = [one.ScopeItem for one in await device.GetScopes()]
        capabilities = await device.GetCapabilities({"Category": "All"})
        seen["pullPoint"] = capabilities.Events.WSPullPointSupport
        media = await camera.create_media_service()
        profiles = await media.GetProfiles()
        seen["profiles"] = [[one.token, one.VideoEncoderConfiguration.Encoding, one.VideoEncoderConfiguration.Resolution.Width]
                            for one in profiles]
        token = profiles[0].token
        seen["stream"] = (await media.GetStreamUri(
            {"StreamSetup": {"Stream": "RTP-Unicast", "Transport": {"Protocol": "RTSP"}}, "ProfileToken": token})).Uri
        seen["outputs"] = [one.token for one in await media.GetAudioOutputs()]
        seen["snapshot"] = len(await camera.get_snapshot(token) or b"")
        io = await camera.create_deviceio_service()
        seen["inputs"] = [one.token for one in await io.GetDigitalInputs()]
        seen["imaging"] = await imaging(camera)
        seen["ptz"] = await ptz(camera, token)
        seen["events"] = await events(camera)
    finally:
        await camera.close()
        print(json.dumps(seen, default=str), flush=True)


asyncio.run(main())
