#!/usr/bin/python3
"""Scripted cameras over TLS, each with a certificate of its own.

  tls_cameras.py FOLDER
makes the certificates there, prints one line `camera NAME URL AUTHORITY` for each, then `ready`, and ends with its standard input:
  good       signed by the authority, for 127.0.0.1     other     the same, for camera.example
  expired    it ended on 2020-01-02                     early     it begins in 2090
  self       signed by itself, which is its authority   stranger  signed by another authority than is named
  basic      as good; asks for a basic login
"""
import os
import ssl
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "quirks"))
from server import Camera, Login  # noqa: E402

VALID = ("20200101000000Z", "20890101000000Z")
CERTIFICATES = {    # name: (names, first and last moment)
    "good": ("IP:127.0.0.1", VALID), "other": ("DNS:camera.example", VALID),
    "expired": ("IP:127.0.0.1", ("20200101000000Z", "20200102000000Z")),
    "early": ("IP:127.0.0.1", ("20900101000000Z", "20910101000000Z"))}
CONFIGURATION = """[ca]
default_ca = c
[c]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = p
unique_subject = no
[p]
commonName = supplied
"""


def openssl(folder, *words):
    """Runs openssl in the folder; ends the script with its words where it fails."""
    done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit("openssl %s: %s" % (words[0], done.stderr))


def itself(folder, name, names):
    """A certificate that has signed itself."""
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj",
            "/CN=" + name, "-addext", "subjectAltName=" + names, "-keyout", name + "-key.pem", "-out", name + ".pem")


def certificates(folder):
    """Makes them all."""
    os.makedirs(folder, exist_ok=True)
    for name, text in (("ca.cnf", CONFIGURATION), ("index.txt", ""), ("serial", "01\n")):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    for name in ("ca", "otherca", "self"):
        itself(folder, name, "IP:127.0.0.1")
    for name, (names, (first, last)) in CERTIFICATES.items():
        with open(os.path.join(folder, "extensions"), "w") as f:
            f.write("subjectAltName=%s\nbasicConstraints=CA:FALSE\n" % names)
        openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name, "-keyout",
                name + "-key.pem", "-out", "request.pem")
        openssl(folder, "ca", "-batch", "-notext", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca-key.pem", "-in", "request.pem",
                "-startdate", first, "-enddate", last, "-extfile", "extensions", "-out", name + ".pem")


class Secure(Camera):
    """A camera that speaks TLS."""

    def __init__(self, folder, certificate, login=None):
        self.login = login
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(os.path.join(folder, certificate + ".pem"), os.path.join(folder, certificate + "-key.pem"))
        super().__init__()

    @property
    def address(self):
        return "rtsps://%s%s" % (self.authority, self.path)

    def serve(self, connection, peer):
        try:
            connection = self.tls.wrap_socket(connection, server_side=True)
        except OSError:
            return                      # the client does not believe the certificate
        super().serve(connection, peer)


def main():
    """Serves until its standard input ends."""
    folder = sys.argv[1]
    certificates(folder)
    cameras = {name: Secure(folder, name) for name in (*CERTIFICATES, "self")}
    cameras["stranger"] = Secure(folder, "good")
    cameras["basic"] = Secure(folder, "good", Login('Basic realm="REALM"'))
    authority = {"self": "self.pem", "stranger": "otherca.pem"}
    for name, camera in cameras.items():
        print("camera", name, camera.address, os.path.join(folder, authority.get(name, "ca.pem")))
    print("ready", flush=True)
    sys.stdin.read()
    os._exit(0)                         # the connections' threads have nothing to finish


if __name__ == "__main__":
    main()
