#!/usr/bin/python3
"""OpenCV's MOG2 over a clip, for bench/motion: prints times and verdicts as JSON.  mog2.py FILE [X Y W H]"""
import json
import sys
import time

import cv2
import numpy


def main():
    """Runs over the file."""
    cv2.setNumThreads(1)
    capture = cv2.VideoCapture(sys.argv[1])
    zone = [float(v) for v in sys.argv[2:6]]
    rate = capture.get(cv2.CAP_PROP_FPS) or 25
    model = cv2.createBackgroundSubtractorMOG2(history=300, varThreshold=16, detectShadows=True)
    mean, run, index, due = None, 0, 0, 0.0
    times, moving = [], []
    detection = 0.0
    begin = time.process_time()
    while capture.grab():
        at = index / rate
        index += 1
        if at < due - 1e-6:
            continue
        due = max(due + 0.1, at)
        _, picture = capture.retrieve()
        start = time.process_time()
        height = round(picture.shape[0] * 320 / picture.shape[1])
        small = cv2.cvtColor(cv2.resize(picture, (320, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        small = small.astype(numpy.float32)
        if mean is None:
            mean = small.copy()
        gain = float(numpy.median(mean)) / max(1.0, float(numpy.median(small)))
        level = numpy.clip(small * gain, 0, 255)
        mean += 0.02 * (level - mean)
        mask = (model.apply(level.astype(numpy.uint8)) == 255).astype(numpy.uint8)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, numpy.ones((3, 3), numpy.uint8))
        if zone:
            x, y, w, h = zone
            mask = mask[int(y * height):max(int(y * height) + 1, int((y + h) * height)), int(x * 320):int((x + w) * 320)]
        areas = cv2.connectedComponentsWithStats(mask)[2][1:, cv2.CC_STAT_AREA]
        run = run + 1 if areas.size and areas.max() > 0.0003 * mask.size else 0
        detection += time.process_time() - start
        times.append(at)
        moving.append(run >= 5)
    print(json.dumps({"times": times, "moving": moving, "detection": detection, "cpu": time.process_time() - begin}))


if __name__ == "__main__":
    main()
