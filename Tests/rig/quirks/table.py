"""The rows as the table of docs/reference/cameras.md."""
import registry
import seen


def verdict(camera):
    """What becomes of the camera, in a few words."""
    if camera.verdict:
        return camera.verdict
    if camera.end == "unauthorized":
        return "refused: wrong login"
    if camera.end == "unsupported":
        return "refused with the reason"
    if camera.end:
        return "lost with the reason"
    parts = []
    if camera.sound and not camera.wants_sound:
        parts.append("recorded without sound, with the reason")
    elif not camera.wants_video:
        parts.append("sound recorded")
    else:
        parts.append("recorded whole")
    if camera.makes_sound:
        parts.append("its sound as AAC")
    if camera.may_miss:
        parts.append("but for at most %d pictures at the begin" % camera.may_miss)
    if camera.damage:
        parts.append("%d frames flagged as damaged" % camera.damage)
    return ", ".join(parts)


def lines():
    """The table, line by line: the rows of the list, then those beyond it."""
    yield "| row | what the camera does | what becomes of it | case of the test | seen with | source |"
    yield "|---|---|---|---|---|---|"
    cameras = sorted(registry.ROWS, key=lambda r: r.number or 1000)
    for i, camera in enumerate(cameras):
        is_first = i == 0 or cameras[i - 1].number != camera.number
        devices, sources = seen.SEEN.get(camera.number, ("", "")) if is_first else ("", "")
        yield "| %s | %s | %s | `%s` | %s | %s |" % (camera.number or "–", camera.quirk, verdict(camera), camera.name, devices,
                                                     sources)
