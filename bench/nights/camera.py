"""A camera with an infrared lamp: the yard that it looks at, the lamp's fall-off, the sensor's noise, the encoder."""
import subprocess

import numpy


def smooth(field, radius):
    """Mean over windows of 2 * radius + 1 pixels, by cumulative sums."""
    radius = max(0, int(round(radius)))
    for axis in (0, 1) if radius else ():
        padded = numpy.pad(field, [(radius + 1, radius) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        total = numpy.cumsum(padded, axis=axis, dtype=numpy.float64)
        side = 2 * radius + 1
        low = numpy.take(total, range(field.shape[axis]), axis=axis)
        high = numpy.take(total, range(side, side + field.shape[axis]), axis=axis)
        field = (high - low) / side
    return field.astype(numpy.float32)


class Camera:
    """Makes pictures of `width` by `height` pixels, `fps` a second. `noise` is the sensor's, in grey levels where it is dark;
    `flicker` the share by which the gain wavers; `lamp` the share of light that is left in the corners."""

    def __init__(self, random, width, height, fps, noise, flicker, lamp):
        self.random, self.width, self.height, self.fps, self.flicker = random, width, height, fps, flicker
        y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
        self.x, self.y = x, y
        across = (x / width - random.uniform(0.4, 0.6)) ** 2 * 4 + (y / height - random.uniform(0.45, 0.65)) ** 2 * 4
        self.light = lamp + (1 - lamp) * numpy.exp(-1.6 * across)
        self.still = self.yard() * self.light
        # Noise that is left by the camera's own filter: grains of some pixels, and columns that differ.
        grains = [smooth(random.normal(0, 1, (height + 40, width + 40)).astype(numpy.float32), 1) for _ in range(4)]
        fine = [random.normal(0, 1, (height + 40, width + 40)).astype(numpy.float32) for _ in range(4)]
        self.grains = [0.6 * f + 1.6 * g for f, g in zip(fine, grains)]
        self.columns = random.normal(0, 0.25 * noise, width).astype(numpy.float32)
        self.hot = [(random.integers(height), random.integers(width)) for _ in range(40)]
        self.noise = noise
        self.gain = 1.0

    def yard(self):
        """Brightness under even light: a house wall, ground, a fence, bushes."""
        random, width, height = self.random, self.width, self.height
        horizon = int(height * random.uniform(0.3, 0.5))
        picture = numpy.full((height, width), 40, numpy.float32)
        grit = smooth(random.normal(0, 60, (height, width)).astype(numpy.float32), 2)
        picture[horizon:] = random.uniform(75, 115) + grit[horizon:]
        left = int(width * random.uniform(0.2, 0.5))
        picture[:horizon, :left] = random.uniform(100, 140)
        picture[:horizon:max(6, height // 40), :left] -= 18
        for post in range(left + 20, width, int(width * random.uniform(0.05, 0.09))):
            picture[horizon - height // 10:horizon + 4, post:post + max(3, width // 200)] = 120
        leaves = smooth(random.normal(0, 160, (height, width)).astype(numpy.float32), 3)
        for _ in range(3):
            cx, cy, r = random.uniform(0.5, 1) * width, horizon, random.uniform(0.06, 0.14) * height
            bush = ((self.x - cx) / 2) ** 2 + (self.y - cy) ** 2 < r * r
            picture[bush] = 85 + leaves[bush]
        return smooth(numpy.clip(picture, 5, 200), 1)

    def expose(self, lit):
        """What the sensor makes of a picture under the lamp."""
        random, (height, width) = self.random, lit.shape
        self.gain = 1 + 0.8 * (self.gain - 1) + self.flicker * random.normal()
        dx, dy = random.integers(40), random.integers(40)
        grain = self.grains[random.integers(4)][dy:dy + height, dx:dx + width]
        if random.integers(2):
            grain = grain[:, ::-1]
        out = 10 + lit * self.gain + grain * self.noise * (0.8 + 0.02 * numpy.sqrt(numpy.maximum(lit, 0)) * 4) + self.columns
        for row, column in self.hot:
            out[row, column] += 60
        return numpy.clip(out, 0, 255).astype(numpy.uint8)


class Encoder:
    """Writes grey pictures as a camera's H.264."""

    def __init__(self, path, width, height, fps, rate):
        command = ["nice", "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "%dx%d" % (width, height),
                   "-r", "%g" % fps, "-i", "-", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "main", "-bf", "0",
                   "-g", "%d" % round(2 * fps), "-b:v", rate, "-maxrate", rate, "-bufsize", rate, "-threads", "1",
                   "-pix_fmt", "yuv420p", str(path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE)

    def write(self, picture):
        self.process.stdin.write(picture.tobytes())

    def close(self):
        self.process.stdin.close()
        if self.process.wait():
            raise SystemExit("bench: ffmpeg could not encode a night scene")
