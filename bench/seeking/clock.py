"""The clock that the demo draws into its pictures, and times."""
import collections
import datetime
import re
import statistics

FRAME_MS = 1000 / 15
# The clock: 23 characters of 5 by 7 dots, each dot 2 by 2 pixels, one character each 12 pixels, from (4, 4) on.
CLOCK_WIDTH, CLOCK_HEIGHT = 276, 14
CLOCK = "crop=%d:%d:4:4:exact=1,format=gray" % (CLOCK_WIDTH, CLOCK_HEIGHT)
GLYPHS = {(14, 17, 19, 21, 25, 17, 14): "0", (4, 12, 4, 4, 4, 4, 14): "1", (14, 17, 1, 2, 4, 8, 31): "2",
          (31, 2, 4, 2, 1, 17, 14): "3", (2, 6, 10, 18, 31, 2, 2): "4", (31, 16, 30, 1, 1, 17, 14): "5",
          (6, 8, 16, 30, 17, 17, 14): "6", (31, 1, 2, 4, 8, 8, 8): "7", (14, 17, 17, 14, 17, 17, 14): "8",
          (14, 17, 17, 15, 1, 2, 12): "9", (0, 0, 0, 31, 0, 0, 0): "-", (0,) * 7: " ", (0, 4, 4, 0, 4, 4, 0): ":",
          (0, 0, 0, 0, 0, 12, 12): "."}
Frame = collections.namedtuple("Frame", "wall md5 clock clip")


def clock(pixels):
    """The time in a picture, in milliseconds since 1970; None where it cannot be read."""
    text = ""
    for place in range(23):
        first = CLOCK_WIDTH + 12 * place
        rows = [[pixels[first + 2 * y * CLOCK_WIDTH + 2 * x] > 128 for x in range(5)] for y in range(7)]
        text += GLYPHS.get(tuple(sum(dot << (4 - x) for x, dot in enumerate(row)) for row in rows), "?")
    return ms(text.replace(" ", "T") + "Z") if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}", text) else None


def clocks(path):
    """The times in a file of pictures."""
    size = CLOCK_WIDTH * CLOCK_HEIGHT
    with open(path, "rb") as file:
        return [clock(pixels) for pixels in iter(lambda: file.read(size), b"")]


def ms(text):
    """Milliseconds since 1970 of a time in RFC 3339."""
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def stamp(moment):
    """A time in RFC 3339 of milliseconds since 1970."""
    whole = datetime.datetime.fromtimestamp(moment // 1000, datetime.timezone.utc)
    return whole.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment % 1000)


def spread(values):
    """Least, median and most, rounded."""
    found = [value for value in values if value is not None]
    return [round(v, 2) for v in (min(found), statistics.median(found), max(found))] if found else None
