"""Two browsers behind one small interface: Debian's chromium by playwright, Debian's firefox-esr by Marionette."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

DEADLINE = 120.0  # seconds until a fact must hold
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "End": "\ue010", "Home": "\ue011", "Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", " ": " "}


class Missing(AssertionError):
    """A fact that did not come to hold in time."""


class Browser:
    """What a person does: go somewhere, press, type, look. Where `is_still`, no video plays."""

    def words(self):
        """Where the browser is, and the words that are seen there."""
        try:
            return self.js("(location.pathname + location.search + ': ' + document.body.innerText.replace(/\\s+/g, ' ')).slice(0, 1500)")
        except Exception as error:  # it is between two pages, or has ended
            return f"no page: {error}"

    def until(self, expression, what, deadline=DEADLINE):
        """Waits until a JavaScript expression is true, and gives its value."""
        end = time.monotonic() + deadline
        while True:
            try:
                value = self.js(expression)
            except Exception as error:  # the page is just being left for another one
                value, reason = None, error
            else:
                reason = None
            if value:
                return value
            if time.monotonic() > end:
                raise Missing(f"{self.name}: {what}: not within {deadline} s: {expression}") from reason
            time.sleep(0.1)

    def wait(self, fact, what, deadline=DEADLINE):
        """Waits for what somebody else than the page tells."""
        end = time.monotonic() + deadline
        while not fact():
            if time.monotonic() > end:
                raise Missing(f"{self.name}: {what}: not within {deadline} s")
            time.sleep(0.1)

    def has(self, selector, what, deadline=DEADLINE):
        return self.until(f"Boolean(document.querySelector({json.dumps(selector)}))", what, deadline)


class Chromium(Browser):
    name = "chromium"

    def __init__(self, address, size=(1440, 900), scheme="dark", touch=False, is_still=False):
        from playwright.sync_api import sync_playwright
        self.address, self.problems, self.is_still = address, [], is_still
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--allow-loopback-in-peer-connection", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
        self.context = None
        self.look(size, scheme, touch)

    def look(self, size, scheme, touch=False):
        """Another device: its size, its colours, a finger or a mouse. The login stays."""
        cookies = self.context.cookies() if self.context else []
        if self.context:
            self.context.close()
        self.context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, has_touch=touch, is_mobile=touch, locale="en-GB",
            accept_downloads=True)
        self.context.add_cookies(cookies)
        if self.is_still:
            self.context.add_init_script("HTMLMediaElement.prototype.play = () => Promise.resolve()")
        self.page = self.context.new_page()
        self.page.set_default_timeout(DEADLINE * 1000)
        self.page.on("pageerror", lambda error: self.problems.append(f"{self.page.url}: {error}"))
        self.page.on("console", lambda message: self._heard(message))

    def colours(self, scheme):
        """Dark or light, while the page stands; drawn before this returns."""
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    def _heard(self, message):
        if message.type == "error" and ("Content Security Policy" in message.text or "Refused to" in message.text):
            self.problems.append(message.text)

    def go(self, path):
        self.page.goto(self.address + path)

    def js(self, expression):
        return self.page.evaluate(expression)

    def click(self, selector):
        self.page.click(selector)

    def fill(self, selector, text):
        self.page.fill(selector, text)

    def key(self, key):
        self.page.keyboard.press(key)

    def press_at(self, points, is_drag=False):
        """Clicks places on the screen, or drags along them."""
        mouse = self.page.mouse
        if not is_drag:
            for x, y in points:
                mouse.click(x, y)
            return
        mouse.move(*points[0])
        mouse.down()
        for x, y in points[1:]:
            mouse.move(x, y, steps=8)
        mouse.up()

    def download(self, selector):
        """The path of what is downloaded after a click."""
        with self.page.expect_download() as info:
            self.click(selector)
        return info.value.path()

    def shot(self, path):
        self.page.screenshot(path=path)

    def violations(self):
        """What axe finds serious or worse."""
        from axe_playwright_python.sync_playwright import Axe
        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found if one["impact"] in ("serious", "critical")]

    def close(self):
        self.browser.close()
        self.playwright.stop()


class Firefox(Browser):
    """Marionette: JSON over TCP, each message behind its length."""
    name = "firefox"

    def __init__(self, address, size=(1440, 900), is_still=False):
        self.address, self.problems, self.count, self.rest = address, [], 0, b""
        self.folder = tempfile.mkdtemp(prefix="vigil-firefox-")
        with open(f"{self.folder}/user.js", "w", encoding="utf-8") as prefs:
            prefs.write('user_pref("media.autoplay.default", 0);\nuser_pref("marionette.port", 0);\nuser_pref("ui.systemUsesDarkTheme", 1);\n'
                        'user_pref("intl.accept_languages", "en");\nuser_pref("browser.shell.checkDefaultBrowser", false);\n')
            if is_still:
                # All playing is refused, but for what the handler of a key or a click begins itself.
                prefs.write('user_pref("media.autoplay.default", 5);\nuser_pref("media.autoplay.blocking_policy", 2);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.folder, f"--width={size[0]}", f"--height={size[1]}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.folder, "MOZ_HEADLESS": "1"})
        self.socket = socket.create_connection(("127.0.0.1", self._port()), timeout=DEADLINE)
        self._read()
        self._ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        self._ask("WebDriver:SetWindowRect", {"width": size[0], "height": size[1] + 85})

    def _port(self):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                with open(f"{self.folder}/MarionetteActivePort", encoding="ascii") as file:
                    return int(file.read())
            except (OSError, ValueError):
                time.sleep(0.1)
        raise Missing("firefox: no port of Marionette")

    def _read(self):
        while b":" not in self.rest or len(self.rest) < int(self.rest.split(b":", 1)[0]) + len(self.rest.split(b":", 1)[0]) + 1:
            data = self.socket.recv(1 << 16)
            if not data:
                raise ConnectionError("firefox has ended")
            self.rest += data
        length, rest = self.rest.split(b":", 1)
        message, self.rest = rest[:int(length)], rest[int(length):]
        return json.loads(message)

    def _ask(self, name, values):
        self.count += 1
        data = json.dumps([0, self.count, name, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"firefox: {name}: {error['error']}: {error['message']}")
        return result

    def go(self, path):
        self._ask("WebDriver:Navigate", {"url": self.address + path})

    def js(self, expression):
        return self._ask("WebDriver:ExecuteScript", {"script": f"return ({expression});", "args": [], "sandbox": None})["value"]

    def _element(self, selector):
        self.has(selector, f"{selector} is there")
        return list(self._ask("WebDriver:FindElement", {"using": "css selector", "value": selector})["value"].values())[0]

    def click(self, selector):
        self._ask("WebDriver:ElementClick", {"id": self._element(selector)})

    def fill(self, selector, text):
        element = self._element(selector)
        self._ask("WebDriver:ElementClear", {"id": element})
        self._ask("WebDriver:ElementSendKeys", {"id": element, "text": text})

    def key(self, key):
        parts = key.split("+") if len(key) > 1 else [key]
        held = ["\ue008"] if parts[0] == "Shift" else []
        last = KEYS.get(parts[-1], parts[-1])
        actions = [{"type": "keyDown", "value": one} for one in held + [last]] + [{"type": "keyUp", "value": one} for one in [last] + held]
        self._ask("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def press_at(self, points, is_drag=False):
        move = lambda x, y, ms=0: {"type": "pointerMove", "x": int(x), "y": int(y), "duration": ms}
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        if is_drag:
            actions = [move(*points[0]), down] + [move(x, y, 200) for x, y in points[1:]] + [up]
        else:
            actions = [action for point in points for action in (move(*point), down, up)]
        self._ask("WebDriver:PerformActions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})

    def shot(self, path):
        data = self._ask("WebDriver:TakeScreenshot", {"full": False})["value"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            self._ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        except (OSError, RuntimeError, ValueError):
            pass
        self.socket.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
