"""The rows: which camera plays which quirk of the list, and what a recorder must make of it."""

ROWS = []


def row(number, name, quirk):
    """Registers a camera class as one case of row `number` of the list (0: a quirk beyond the list). `name` is unique;
    `quirk` says in one sentence what the camera does."""
    def add(camera):
        if any(r.name == name for r in ROWS):
            raise ValueError("two rows are called %s" % name)
        camera.number, camera.name, camera.quirk = number, name, quirk
        ROWS.append(camera)
        return camera
    return add
