"""What is before the camera at night. Each thing draws itself into a picture (`lit`, brightness under the lamp) at a time.

Sizes and speeds are in shares of the picture's height, so that a scene is the same at each resolution. What is near the lens is
brighter than all else, out of focus, and blurred by its motion while the shutter is open.
"""
import math

import numpy

SHUTTER_S = 0.04


def blend(lit, left, top, alpha, value):
    """Lays a patch over the picture at (left, top), as far as it lies inside."""
    height, width = lit.shape
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(width, left + alpha.shape[1]), min(height, top + alpha.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    a = alpha[y0 - top:y1 - top, x0 - left:x1 - left]
    part = lit[y0:y1, x0:x1]
    part += a * (value - part)


def around(lit, x, y):
    """How bright the picture is about a place; what stands there is as much lit by the lamp."""
    row, column = min(lit.shape[0] - 1, max(0, int(y))), min(lit.shape[1] - 1, max(0, int(x)))
    return float(lit[max(0, row - 6):row + 6, max(0, column - 6):column + 6].mean())


def swept(lit, points, radius, edge, alpha, value, stretch=1.0):
    """A disc that goes through `points` while the shutter is open; `edge` is how wide its rim is, `stretch` width by height."""
    xs, ys = zip(*points)
    rx, ry = radius * stretch + edge + 1, radius + edge + 1
    left, top = math.floor(min(xs) - rx), math.floor(min(ys) - ry)
    right, bottom = math.ceil(max(xs) + rx) + 1, math.ceil(max(ys) + ry) + 1
    height, width = lit.shape
    if right < 0 or bottom < 0 or left > width or top > height:
        return
    left, top, right, bottom = max(left, -80), max(top, -80), min(right, width + 80), min(bottom, height + 80)
    if right <= left or bottom <= top:
        return
    y, x = numpy.mgrid[top:bottom, left:right].astype(numpy.float32)
    mask = numpy.zeros_like(x)
    for px, py in points:
        away = numpy.sqrt(((x - px) / stretch) ** 2 + (y - py) ** 2)
        mask += numpy.clip((radius + edge / 2 - away) / max(edge, 0.5), 0, 1)
    blend(lit, left, top, mask * (alpha / len(points)), value)


def path_points(place, at, radius):
    """Where a thing is while the shutter is open, close enough together for its size."""
    (x0, y0), (x1, y1) = place(at), place(at + SHUTTER_S)
    count = int(min(24, max(2, math.hypot(x1 - x0, y1 - y0) / max(1.0, radius / 2))))
    return [place(at + SHUTTER_S * i / (count - 1)) for i in range(count)]


class Insect:
    """Crosses close to the lens in `lasts` seconds on a curve, or lingers and turns."""

    def __init__(self, random, width, height, begin, lasts, radius, turns=0):
        self.begin, self.end = begin, begin + lasts
        self.radius, self.height = radius * height, height
        self.edge = self.radius * random.uniform(0.5, 1.0)
        self.alpha, self.value = random.uniform(0.35, 0.95), random.uniform(170, 250)
        side = random.uniform(0, 2 * math.pi)
        far = 0.6 * math.hypot(width, height) + self.radius
        one = (width / 2 + far * math.cos(side), height / 2 + far * math.sin(side))
        side += math.pi + random.uniform(-1.2, 1.2)
        other = (width / 2 + far * math.cos(side), height / 2 + far * math.sin(side))
        middle = [(random.uniform(0.1, 0.9) * width, random.uniform(0.1, 0.9) * height) for _ in range(1 + turns)]
        self.knots = [one] + middle + [other]

    def place(self, at):
        u = min(1, max(0, (at - self.begin) / (self.end - self.begin)))
        points = self.knots
        while len(points) > 1:
            points = [(a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1])) for a, b in zip(points, points[1:])]
        return points[0]

    def draw(self, lit, at):
        if self.begin <= at <= self.end:
            swept(lit, path_points(self.place, at, self.radius), self.radius, self.edge, self.alpha, self.value)


class Rain:
    """Streaks, each in one picture; near ones wide and out of focus. `heavy` is how many a picture has on average."""

    def __init__(self, random, width, height, heavy, slant, bright):
        self.random, self.width, self.height, self.heavy, self.slant, self.bright = random, width, height, heavy, slant, bright
        self.gust = random.uniform(0, 6)

    def draw(self, lit, at):
        random, height = self.random, self.height
        count = random.poisson(self.heavy * (1 + 0.6 * math.sin(at * 0.9 + self.gust)))
        for _ in range(count):
            nearness = random.uniform(0, 1) ** 3
            length, width = height * (0.05 + 0.35 * nearness), height * (0.004 + 0.016 * nearness)
            x, y = random.uniform(-0.1, 1.1) * self.width, random.uniform(-0.2, 1) * height
            slant = self.slant + random.normal() * 0.03
            steps = max(3, int(length / max(1.5, width)))
            points = [(x + slant * length * i / steps, y + length * i / steps) for i in range(steps + 1)]
            swept(lit, points, width, width, min(0.9, self.bright * (steps + 1) * random.uniform(0.3, 1) / max(1, steps * 0.35)),
                  230)


class Snow:
    """Flakes that fall through the picture, near ones large, fast and blurred."""

    def __init__(self, random, width, height, count):
        self.flakes = []
        self.width, self.height = width, height
        for _ in range(count):
            nearness = random.uniform(0, 1) ** 2
            self.flakes.append((random.uniform(0, 1.2) * width, random.uniform(0, 1.2), 0.004 + 0.03 * nearness ** 2,
                                0.4 + 1.6 * nearness, random.uniform(0, 6), random.uniform(0.02, 0.08),
                                random.uniform(0.3, 0.8)))

    def draw(self, lit, at):
        for x, phase, radius, speed, sway, swing, alpha in self.flakes:
            def place(t):
                fallen = phase + speed * t
                lap = math.floor(fallen / 1.2)
                return ((x + lap * 0.377 * self.width + swing * self.height * math.sin(2 * t + sway)) % (1.2 * self.width)
                        - 0.1 * self.width, (fallen % 1.2 - 0.1) * self.height)
            points = [place(at), place(at + SHUTTER_S)]
            if abs(points[0][1] - points[1][1]) > 0.3 * self.height:
                continue
            size = radius * self.height
            count = max(2, int(abs(points[1][1] - points[0][1]) / max(1, size / 2)))
            (x0, y0), (x1, y1) = points
            if abs(x1 - x0) > 0.3 * self.width:
                continue
            swept(lit, [(x0 + (x1 - x0) * i / count, y0 + (y1 - y0) * i / count) for i in range(count + 1)], size, size, alpha,
                  225)


class Web:
    """A thread before the lens that swings in the wind, with a spider that sits on it; or the spider crawls along it."""

    def __init__(self, random, width, height, swing, crawls=None):
        self.ends = (random.uniform(0, 0.4) * width, -5.0), (random.uniform(0.6, 1) * width, height * random.uniform(0.5, 1.05))
        self.swing, self.speed, self.gust = swing * height, random.uniform(0.5, 1.8), random.uniform(0, 6)
        self.thick, self.alpha = height * random.uniform(0.006, 0.014), random.uniform(0.25, 0.6)
        self.seat, self.size = random.uniform(0.3, 0.7), height * random.uniform(0.03, 0.07)
        self.crawls = crawls

    def at(self, share, at):
        (x0, y0), (x1, y1) = self.ends
        wind = max(0, math.sin(0.6 * at + self.gust)) ** 2
        out = self.swing * wind * math.sin(2 * math.pi * self.speed * at) * math.sin(math.pi * share)
        length = math.hypot(x1 - x0, y1 - y0)
        return x0 + (x1 - x0) * share - out * (y1 - y0) / length, y0 + (y1 - y0) * share + out * (x1 - x0) / length

    def draw(self, lit, at):
        steps = 60
        for i in range(steps):
            swept(lit, [self.at((i + j / 4) / steps, at) for j in range(4)], self.thick, self.thick, self.alpha, 200)
        seat = self.seat
        if self.crawls:
            begin, end = self.crawls
            seat = 0.1 + 0.8 * min(1, max(0, (at - begin) / (end - begin)))
        swept(lit, [self.at(seat, at)], self.size, self.size * 0.8, 0.9, 235)


class Moths:
    """Circle about a lamp on the wall for seconds."""

    def __init__(self, random, width, height, count, stays):
        self.lamp = random.uniform(0.2, 0.8) * width, random.uniform(0.15, 0.4) * height
        self.stays, self.height = stays, height
        self.moths = [(random.uniform(0.03, 0.14) * height, random.uniform(3, 11) * random.choice([-1, 1]), random.uniform(0, 6),
                       random.uniform(0.006, 0.018) * height, random.uniform(0.5, 0.95)) for _ in range(count)]

    def draw(self, lit, at):
        swept(lit, [self.lamp], 0.03 * self.height, 0.05 * self.height, 0.9, 250)
        for begin, end in self.stays:
            if not begin <= at <= end:
                continue
            for reach, speed, phase, size, alpha in self.moths:
                def place(t):
                    angle = speed * t + phase + 0.9 * math.sin(2.3 * t + phase)
                    far = reach * (1 + 0.4 * math.sin(1.7 * t + 2 * phase))
                    return self.lamp[0] + far * math.cos(angle), self.lamp[1] + 0.8 * far * math.sin(angle)
                swept(lit, path_points(place, at, size), size, size, alpha, 235)


class HeadlightSweep:
    """The light of a car that is not in the picture goes over walls and ground, with the shadows of posts in it."""

    def __init__(self, random, width, height, begin, lasts, bright):
        self.begin, self.end, self.bright, self.width = begin, begin + lasts, bright, width
        self.wide = random.uniform(0.25, 0.6) * width
        self.direction = random.choice([-1, 1])
        self.posts = sorted(random.uniform(-0.5, 0.5) * self.wide for _ in range(random.integers(1, 5)))
        self.post = random.uniform(0.01, 0.03) * width
        self.lean = random.uniform(-0.2, 0.2)

    def draw(self, lit, at):
        if not self.begin <= at <= self.end:
            return
        u = (at - self.begin) / (self.end - self.begin)
        u = u if self.direction > 0 else 1 - u
        height, width = lit.shape
        x = numpy.arange(width, dtype=numpy.float32)[None, :] + self.lean * numpy.arange(height, dtype=numpy.float32)[:, None]
        x = x - ((1 + 2 * self.wide / width) * u * width - self.wide)
        light = numpy.clip((self.wide / 2 - numpy.abs(x)) / (0.2 * self.wide) + 0.5, 0, 1)
        for post in self.posts:
            light *= 1 - 0.8 * numpy.clip((self.post - numpy.abs(x - post * (1.3 - 0.6 * u))) / 3 + 0.5, 0, 1)
        # Light falls on what is there: bright walls become brighter than grass.
        lit += light * self.bright * (0.3 + lit / 90)


class Walker:
    """A person of `tall`, from `begin` on along the line from `one` to `other` (shares of width and height, of the feet)."""

    def __init__(self, begin, lasts, one, other, tall, tall_end=None, contrast=35.0):
        self.begin, self.end, self.one, self.other = begin, begin + lasts, one, other
        self.tall, self.tall_end, self.contrast = tall, tall_end or tall, contrast

    def feet(self, lit, at):
        u = min(1, max(0, (at - self.begin) / (self.end - self.begin)))
        height, width = lit.shape
        return ((self.one[0] + u * (self.other[0] - self.one[0])) * width,
                (self.one[1] + u * (self.other[1] - self.one[1])) * height,
                height * self.tall * (self.tall_end / self.tall) ** u)

    def draw(self, lit, at):
        if not self.begin <= at <= self.end:
            return
        x, y, tall = self.feet(lit, at)
        value = around(lit, x, y - tall / 2) + self.contrast
        step = math.sin(2 * math.pi * 0.9 * (at - self.begin))
        edge = max(1.0, 0.03 * tall)
        for leg in (1, -1):
            for part in range(6):
                swept(lit, [(x + leg * step * 0.14 * tall * part / 5, y - 0.46 * tall * (1 - part / 5))], 0.055 * tall, edge, 0.9,
                      value * 0.9)
        swept(lit, [(x, y - 0.62 * tall)], 0.2 * tall, edge, 0.95, value, stretch=0.62)
        for arm in (1, -1):
            for part in range(4):
                swept(lit, [(x - arm * step * 0.12 * tall * part / 3, y - 0.75 * tall + 0.3 * tall * part / 3)], 0.04 * tall, edge,
                      0.9, value * 0.95)
        swept(lit, [(x, y - 0.91 * tall)], 0.075 * tall, edge, 0.95, value * 1.15)


class Torch(Walker):
    """A person far away who carries a torch: a small bright light with a halo, and its spot on the ground before him."""

    def draw(self, lit, at):
        if not self.begin <= at <= self.end:
            return
        super().draw(lit, at)
        x, y, tall = self.feet(lit, at)
        swing = math.sin(2 * math.pi * 0.7 * at)
        hand = x + 0.15 * tall * (1 + swing), y - 0.45 * tall
        heading = 1 if self.other[0] > self.one[0] else -1
        swept(lit, [(x + heading * tall * (1.6 + 0.5 * swing), y + 0.2 * tall)], 0.5 * tall, 0.6 * tall, 0.35, 170, stretch=2.2)
        # Now and then it points away.
        if math.sin(1.1 * at) > -0.6:
            swept(lit, [hand], 0.35 * tall, 0.7 * tall, 0.3, 220)
            swept(lit, [hand], 0.09 * tall, 0.08 * tall, 1, 250)


class Cat:
    """Runs across: a long low body with a tail, head first, eyes that shine."""

    def __init__(self, random, begin, lasts, ground, long, contrast):
        self.begin, self.end, self.ground, self.long, self.contrast = begin, begin + lasts, ground, long, contrast
        self.heading = random.choice([-1, 1])

    def draw(self, lit, at):
        if not self.begin <= at <= self.end:
            return
        height, width = lit.shape
        long = self.long * height
        y = self.ground * height - abs(math.sin(2 * math.pi * 1.6 * at)) * 0.12 * long

        def place(t):
            u = (t - self.begin) / (self.end - self.begin)
            x = -long + u * (width + 2 * long)
            return (x if self.heading > 0 else width - x), y
        points = path_points(place, at, long / 4)
        value = around(lit, points[0][0], y) + self.contrast
        swept(lit, points, 0.17 * long, 2, 0.95, value, stretch=2.2)
        ahead = [(x + self.heading * 0.42 * long, y - 0.12 * long) for x, y in points]
        swept(lit, ahead, 0.13 * long, 2, 0.95, value * 1.1)
        swept(lit, [(x + self.heading * 0.05 * long, y) for x, y in ahead], 1.5, 1, 0.8, 250)
        for leg in (-0.3, -0.2, 0.25, 0.35):
            swing = 0.1 * long * math.sin(2 * math.pi * 3.1 * at + leg * 9)
            swept(lit, [(x + leg * long + swing, y + 0.22 * long) for x, y in points], 0.05 * long, 2, 0.9, value)


class Car:
    """Drives across with its headlamps on: two lights with glare, a body behind them, light on the road before them."""

    def __init__(self, random, begin, lasts, ground, long):
        self.begin, self.end, self.ground, self.long = begin, begin + lasts, ground, long
        self.heading = random.choice([-1, 1])

    def draw(self, lit, at):
        if not self.begin <= at <= self.end:
            return
        height, width = lit.shape
        long, u = self.long * height, (at - self.begin) / (self.end - self.begin)
        x = -long + u * (width + 2 * long)
        x = x if self.heading > 0 else width - x
        y = self.ground * height
        swept(lit, [(x, y - 0.16 * long)], 0.14 * long, 3, 0.95, 55, stretch=3.4)
        swept(lit, [(x - self.heading * 0.05 * long, y - 0.3 * long)], 0.12 * long, 3, 0.95, 45, stretch=2.2)
        for wheel in (-0.3, 0.3):
            swept(lit, [(x + wheel * long, y - 0.05 * long)], 0.07 * long, 2, 0.95, 25)
        front = x + self.heading * 0.46 * long
        swept(lit, [(front + self.heading * 0.9 * long, y + 0.02 * long)], 0.16 * long, 0.3 * long, 0.5, 200, stretch=4)
        for lamp in (0, 0.1):
            swept(lit, [(front - self.heading * lamp * long, y - 0.17 * long)], 0.16 * long, 0.3 * long, 0.35, 230)
            swept(lit, [(front - self.heading * lamp * long, y - 0.17 * long)], 0.035 * long, 2, 1, 255)
