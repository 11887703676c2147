// A bare page of live view: plays the WebSocket by MediaSource, and reports to the test what it saw.
// Query: camera, stream, sound, pictures (how many presented pictures are enough), seconds (at most).
const query = new URLSearchParams(location.search);
const wanted = Number(query.get("pictures") || 60);
const video = document.getElementById("video");
const result = {hellos: 0, tracks: [], messages: 0, bytes: 0, presented: 0, changes: 0, advanced: 0, transport: [], latency: [],
                startMs: null, errors: []};
const walls = new Map();                // decode time in ticks → wall time of the frame, of the picture's track
let source, buffers = [], queues = [], picture = -1, timescale = 1, firstTime = null, lastPixels = "";
const openedAt = Date.now();

function pump(track) {
  const buffer = buffers[track];
  if (buffer && !buffer.updating && queues[track].length) buffer.appendBuffer(queues[track].shift());
}

function begin(hello) {
  result.hellos += 1;
  result.tracks = hello.tracks;
  queues = hello.tracks.map(() => []);
  buffers = [];
  picture = hello.tracks.findIndex(track => track.kind === "video");
  timescale = hello.tracks[picture].timescale;
  for (const track of hello.tracks)
    if (!MediaSource.isTypeSupported(track.mime)) result.errors.push("not supported: " + track.mime);
  source = new MediaSource();
  video.src = URL.createObjectURL(source);
  source.addEventListener("sourceopen", () => {
    hello.tracks.forEach((track, index) => {
      const buffer = source.addSourceBuffer(track.mime);
      buffer.addEventListener("updateend", () => pump(index));
      buffer.addEventListener("error", () => result.errors.push("the buffer of track " + index));
      buffers[index] = buffer;
      pump(index);
    });
  }, {once: true});
}

/** The decode time of a fragment, from its tfdt box of version 1. */
function decodeTime(view, start) {
  for (let at = start; at + 16 <= Math.min(view.byteLength, start + 300); at += 1)
    if (view.getUint32(at) === 0x74666474) return Number(view.getBigUint64(at + 8));
  return null;
}

function media(data) {
  const view = new DataView(data);
  const [kind, track] = [view.getUint8(0), view.getUint8(1)];
  result.messages += 1;
  result.bytes += data.byteLength;
  if (kind === 2 && track === picture) {
    const wall = Number(view.getBigInt64(2));
    walls.set(decodeTime(view, 10), wall);
    // What came of the cached group is old; the newest tell how long the way is.
    if (result.presented > 10) result.transport.push(Date.now() - wall);
  }
  queues[track].push(new Uint8Array(data, 10));
  pump(track);
}

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

/** Stays close to the newest picture: a little faster where it is behind, a jump where it is far behind. */
setInterval(() => {
  const ranges = video.buffered;
  if (!ranges.length) return;
  const behind = ranges.end(ranges.length - 1) - video.currentTime;
  if (behind > 1 || video.currentTime < ranges.start(0)) video.currentTime = ranges.end(ranges.length - 1) - 0.1;
  video.playbackRate = behind > 0.15 ? 1.1 : 1;
  if (video.paused) video.play().catch(error => result.errors.push(String(error)));
}, 100);

let isReported = false;
function report() {
  if (isReported) return;
  isReported = true;
  if (video.error) result.errors.push(video.error.message);
  fetch("/result", {method: "POST", body: JSON.stringify(result)});
}

video.requestVideoFrameCallback(presented);
const parameters = new URLSearchParams({stream: query.get("stream") || "main", sound: query.get("sound") || "stored"});
const socket = new WebSocket(`ws://${location.host}/v1/cameras/${query.get("camera") || "demo"}/live?${parameters}`);
socket.binaryType = "arraybuffer";
socket.onmessage = event => {
  if (typeof event.data !== "string") return media(event.data);
  const text = JSON.parse(event.data);
  if (text.tracks) begin(text);
  if (text.ended) result.errors.push("ended: " + text.ended);
};
socket.onclose = event => { result.errors.push(`closed: ${event.code} ${event.reason}`); report(); };
setTimeout(report, Number(query.get("seconds") || 40) * 1000);
