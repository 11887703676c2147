"""The night scenes and their labels. `SETS` has the tuning set, which the detector's numbers may be chosen on, and the held-out
set, which only judges: other seeds, sizes, rates, weather, and another resolution."""
import json
import zlib

import numpy

from . import things
from .camera import Camera, Encoder

SECONDS = 24
# Sizes in shares of the picture's height, times in seconds. `walker` is the height of somebody far away: 6 to 20 pixels of the
# small picture that the detector looks at.
SETS = {
    "tuning": {"seeds": (1, 2), "size": (640, 360), "fps": 12.5, "rate": "500k", "noise": (2.0, 4.5), "flicker": 0.008,
               "lamp": (0.15, 0.35), "insects": 0.8, "insect": (0.02, 0.09), "crossing": (0.08, 0.64), "lingering": (0.7, 1.8),
               "rain": (8, 30), "slant": (-0.25, 0.25), "bright": (0.25, 0.6), "flakes": (25, 70), "walker": (0.045, 0.11),
               "contrast": (18, 45), "near": (0.2, 0.5), "cat": (0.1, 0.2), "cat_s": (1.6, 2.8), "swing": (0.01, 0.05)},
    "held-out": {"seeds": (101, 102), "size": (800, 448), "fps": 15, "rate": "600k", "noise": (1.5, 6.0), "flicker": 0.012,
                 "lamp": (0.08, 0.5), "insects": 1.3, "insect": (0.015, 0.12), "crossing": (0.07, 0.8), "lingering": (0.6, 2.2),
                 "rain": (5, 45), "slant": (-0.4, 0.4), "bright": (0.2, 0.8), "flakes": (15, 100), "walker": (0.04, 0.1),
                 "contrast": (16, 50), "near": (0.18, 0.6), "cat": (0.09, 0.24), "cat_s": (1.4, 3.0), "swing": (0.008, 0.07)},
}


class Scene:
    """Collects what is to be seen, and when something that should be noticed is."""

    def __init__(self, random, ranges):
        self.random, self.ranges = random, ranges
        self.width, self.height = ranges["size"]
        self.things, self.events = [], []

    def within(self, name):
        return self.random.uniform(*self.ranges[name])

    def add(self, thing, is_event=False):
        self.things.append(thing)
        if is_event:
            self.events.append([round(thing.begin, 2), round(min(thing.end, SECONDS), 2)])

    def insects(self, lasts, rate, turns=0):
        at = 3.0
        while True:
            at += self.random.exponential(1 / rate)
            if at > SECONDS - 0.5:
                return
            self.add(things.Insect(self.random, self.width, self.height, at, self.within(lasts), self.within("insect"), turns))

    def rain(self):
        self.add(things.Rain(self.random, self.width, self.height, self.within("rain"), self.within("slant"),
                             self.within("bright")))

    def snow(self):
        self.add(things.Snow(self.random, self.width, self.height, int(self.within("flakes"))))

    def web(self, crawls=None):
        self.add(things.Web(self.random, self.width, self.height, self.within("swing"), crawls))

    def walk(self, begin, lasts, tall, kind=things.Walker, contrast=None):
        """Somebody walks at 1.1 to 1.5 m/s, from somewhere to where these bring him, roughly across."""
        metres = self.random.uniform(1.1, 1.5) * lasts
        across = metres / 1.7 * tall * self.height / self.width
        start = self.random.uniform(0.08, max(0.1, 0.92 - across))
        ground = min(0.97, max(0.5, 0.45 + tall))
        ends = [(start, ground), (start + across, ground + self.random.uniform(-0.03, 0.03))]
        if self.random.integers(2):
            ends.reverse()
        self.add(kind(begin, lasts, *ends, tall, contrast=self.within("contrast") if contrast is None else contrast), True)


def plain(scene):
    """Nothing but noise."""


def insects(scene):
    scene.insects("crossing", scene.ranges["insects"])


def insects_linger(scene):
    """They turn before the lens and stay up to two seconds."""
    scene.insects("lingering", scene.ranges["insects"] / 2, turns=3)


def rain(scene):
    scene.rain()


def snow(scene):
    scene.snow()


def web(scene):
    scene.web()


def spider_crawls(scene):
    scene.web(crawls=(9, 16))


def moths(scene):
    scene.add(things.Moths(scene.random, scene.width, scene.height, scene.random.integers(1, 5), [(6, 11), (15, 20)]))


def headlight_sweep(scene):
    for begin in (5, 11, 17):
        scene.add(things.HeadlightSweep(scene.random, scene.width, scene.height, begin + scene.random.uniform(0, 2),
                                        scene.random.uniform(1, 3), scene.random.uniform(25, 80)))


def walker_far(scene):
    scene.walk(8, 10, scene.within("walker"))


def torch_far(scene):
    scene.walk(8, 10, scene.within("walker"), things.Torch, contrast=6)


def walker_near(scene):
    scene.walk(8, 5, scene.within("near"))


def approach(scene):
    """Somebody comes straight to the camera."""
    x = scene.random.uniform(0.35, 0.65)
    scene.add(things.Walker(8, 8, (x, 0.6), (x + scene.random.uniform(-0.1, 0.1), 1.05), scene.within("walker"), 0.6,
                            scene.within("contrast")), True)


def cat(scene):
    for begin in (7, 16):
        scene.add(things.Cat(scene.random, begin, scene.within("cat_s"), scene.random.uniform(0.55, 0.85), scene.within("cat"),
                             scene.within("contrast")), True)


def car(scene):
    for begin in (7, 16):
        scene.add(things.Car(scene.random, begin, scene.random.uniform(3, 5), scene.random.uniform(0.55, 0.8),
                             scene.random.uniform(0.35, 0.7)), True)


def walker_rain(scene):
    scene.rain()
    scene.walk(9, 8, scene.within("near"))


def walker_snow(scene):
    scene.snow()
    scene.walk(9, 8, scene.within("near"))


def walker_insects(scene):
    scene.insects("crossing", scene.ranges["insects"])
    scene.walk(9, 8, scene.within("near") / 1.5)


def walker_web(scene):
    scene.web()
    scene.walk(9, 8, scene.within("near"))


KINDS = {f.__name__.replace("_", "-"): f for f in (
    plain, insects, insects_linger, rain, snow, web, spider_crawls, moths, headlight_sweep, walker_far, torch_far, walker_near,
    approach, cat, car, walker_rain, walker_snow, walker_insects, walker_web)}


def make(folder, name, kind, seed):
    """Writes a clip of `kind` with its labels into the folder, unless it is there; gives the path of the labels."""
    ranges = SETS[name]
    path = folder / ("%s-%d.json" % (kind, seed))
    if path.exists():
        return path
    random = numpy.random.default_rng([seed, zlib.crc32(kind.encode())])
    scene = Scene(random, ranges)
    KINDS[kind](scene)
    camera = Camera(random, scene.width, scene.height, ranges["fps"], scene.within("noise"), ranges["flicker"],
                    scene.within("lamp"))
    encoder = Encoder(path.with_suffix(".mp4"), scene.width, scene.height, ranges["fps"], ranges["rate"])
    frames = round(SECONDS * ranges["fps"])
    for frame in range(frames):
        lit = camera.still.copy()
        for thing in scene.things:
            thing.draw(lit, frame / ranges["fps"])
        encoder.write(camera.expose(lit))
    encoder.close()
    path.write_text(json.dumps({
        "fps": ranges["fps"], "frames": frames, "labelled_frames": [0, frames - 1], "width": scene.width,
        "height": scene.height, "events_s": scene.events, "tolerance_s": 0.3, "kind": kind}))
    return path
