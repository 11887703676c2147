"""A port for whoever has to be told one before it listens."""
import random
import socket

# Below those that Linux gives to connections (net.ipv4.ip_local_port_range), of which one may be taken before it is used.
RANGE = range(20_000, 30_000)


def free_port():
    """A TCP port of 127.0.0.1 that nobody has."""
    for port in random.sample(RANGE, 100):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise SystemExit("rig: 100 ports between %d and %d are taken: end what listens there (ss -Htlnp)" % (RANGE.start, RANGE.stop))
