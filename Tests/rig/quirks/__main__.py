"""Cameras with quirks: one scripted camera for each row of the list, all in one process.

  python3 Tests/rig/quirks [NAME…]
prints one line of JSON for each row (of the named ones) and then `ready`. The line `told NAME` on stdin prints one line of
JSON: what the camera was asked, what it complains of, and the digests of what must have been recorded. Ends with stdin.
--table prints the rows as the table of docs/reference/cameras.md and ends.
"""
import json
import os
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import registry
import table
import plain            # noqa: F401
import connection       # noqa: F401  rows 1 to 12
import addresses        # noqa: F401  rows 13 to 22
import sessions         # noqa: F401  rows 23 to 46
import description      # noqa: F401  rows 47 to 56, and 44
import packets          # noqa: F401  rows 57 to 73


def main():
    """Serves until stdin ends."""
    arguments = sys.argv[1:]
    if arguments == ["--table"]:
        print("\n".join(table.lines()))
        return
    unknown = set(arguments) - {r.name for r in registry.ROWS}
    if unknown:
        sys.exit("unknown: " + ", ".join(sorted(unknown)))
    cameras = {r.name: r() for r in registry.ROWS if not arguments or r.name in arguments}
    for camera in cameras.values():
        print(json.dumps(camera.row()))
    print("ready", flush=True)
    for line in sys.stdin:
        word, _, name = line.strip().partition(" ")
        if word == "told" and name in cameras:
            print(json.dumps(cameras[name].told()), flush=True)
        else:
            print("null", flush=True)


if __name__ == "__main__":
    main()
