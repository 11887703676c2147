// A bare page with the player of live view, as the web page has it: reports to the test what it saw.
// Query: camera, stream, sound, pictures (how many presented pictures are enough), seconds (at most).
const query = new URLSearchParams(location.search);
const wanted = Number(query.get("pictures") || 60);
const video = document.getElementById("video");
const result = {hellos: 0, tracks: [], messages: 0, bytes: 0, presented: 0, changes: 0, advanced: 0, stalls: 0, transport: [],
                latency: [], startMs: null, errors: []};
const walls = new Map();                // decode time in ticks → wall time of the frame, of the picture's track
let picture = -1, timescale = 1, firstTime = null, lastPixels = "";
const openedAt = Date.now();

/** The decode time of a fragment, from its tfdt box of version 1. */
function decodeTime(view, start) {
  for (let at = start; at + 16 <= Math.min(view.byteLength, start + 300); at += 1)
    if (view.getUint32(at) === 0x74666474) return Number(view.getBigUint64(at + 8));
  return null;
}

function hear(text) {
  if (text.ended) result.errors.push("ended: " + text.ended);
  if (!text.tracks) return;
  result.hellos += 1;
  result.tracks = text.tracks;
  picture = text.tracks.findIndex(track => track.kind === "video");
  timescale = text.tracks[picture].timescale;
}

function media(data) {
  const view = new DataView(data);
  const [kind, track] = [view.getUint8(0), view.getUint8(1)];
  result.messages += 1;
  result.bytes += data.byteLength;
  if (kind !== 2 || track !== picture) return;
  const wall = Number(view.getBigInt64(2));
  walls.set(decodeTime(view, 10), wall);
  // What came of the cached group is old; the newest tell how long the way is.
  if (result.presented > 10) result.transport.push(Date.now() - wall);
}

// What the player hears is heard here, too.
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("message", ({data}) => typeof data === "string" ? hear(JSON.parse(data)) : media(data));
    this.addEventListener("close", ({code, reason}) => { result.errors.push(`closed: ${code} ${reason}`); report(); });
  }
};

function presented(now, frame) {
  result.presented += 1;
  if (result.startMs === null) result.startMs = Date.now() - openedAt;
  firstTime ??= frame.mediaTime;
  result.advanced = frame.mediaTime - firstTime;
  const wall = walls.get(Math.round(frame.mediaTime * timescale));
  if (wall !== undefined && result.presented > 10) result.latency.push(Date.now() - wall);
  const canvas = new OffscreenCanvas(64, 36);
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0, 64, 36);
  const pixels = context.getImageData(0, 0, 64, 36).data.join();
  if (pixels !== lastPixels) result.changes += 1;
  lastPixels = pixels;
  if (result.presented >= wanted) report();
  video.requestVideoFrameCallback(presented);
}

let isReported = false;
function report() {
  if (isReported) return;
  isReported = true;
  if (video.error) result.errors.push(video.error.message);
  fetch("/result", {method: "POST", body: JSON.stringify(result)});
}

video.requestVideoFrameCallback(presented);
video.addEventListener("waiting", () => { if (result.presented > 10) result.stalls += 1; });
setTimeout(report, Number(query.get("seconds") || 40) * 1000);
const {LivePlayer} = await import("/player/live.js");
new LivePlayer(video, query.get("camera") || "demo", {stream: query.get("stream") || "main", withSound: query.get("sound") !== "none"}).start();
