// Takes a camera's live picture over WHEP, as a page of its own would, looks at its pixels, and reports.
const query = new URLSearchParams(location.search);
const video = document.querySelector("video");
const [width, height] = [64, 36];
// What firefox scales down at once has each few pixels of the picture: the rest of the way each counts.
const fold = 4;
const canvas = new OffscreenCanvas(fold * width, fold * height).getContext("2d", { willReadFrequently: true });
canvas.imageSmoothingQuality = "high";
const pictures = [];
const errors = [];
let first = null;
let size = null;

function look(now, frame) {
  if (first === null) {
    first = performance.now() - begun;
    size = [video.videoWidth, video.videoHeight];
  }
  canvas.drawImage(video, 0, 0, fold * width, fold * height);
  const pixels = canvas.getImageData(0, 0, fold * width, fold * height).data;
  const sums = new Float32Array(width * height);
  for (let at = 0, place = 0; at < pixels.length; at += 4, place += 1) {
    const column = place % (fold * width);
    const row = (place - column) / (fold * width);
    sums[Math.floor(row / fold) * width + Math.floor(column / fold)] += 0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2];
  }
  const grey = Array.from(sums, (sum) => Math.round(sum / fold / fold));
  pictures.push({ at: performance.timeOrigin + frame.expectedDisplayTime, rtp: frame.rtpTimestamp, grey });
  video.requestVideoFrameCallback(look);
}

async function stats(peer) {
  const all = {};
  for (const one of (await peer.getStats()).values()) if (one.type === "inbound-rtp") all[one.kind] = one;
  return all;
}

const begun = performance.now();
const peer = new RTCPeerConnection();
const states = [];
peer.onconnectionstatechange = () => states.push([peer.connectionState, Math.round(performance.now() - begun)]);
peer.ontrack = (event) => {
  if (event.track.kind === "video") video.srcObject = new MediaStream([event.track]);
};
let status = 0;
try {
  peer.addTransceiver("video", { direction: "recvonly" });
  peer.addTransceiver("audio", { direction: "recvonly" });
  await peer.setLocalDescription(await peer.createOffer());
  const answer = await fetch(`/v1/cameras/${query.get("camera")}/whep`, {
    method: "POST", headers: { "Content-Type": "application/sdp" }, body: peer.localDescription.sdp,
  });
  status = answer.status;
  await peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
  video.requestVideoFrameCallback(look);
  await new Promise((done) => setTimeout(done, 1000 * Number(query.get("seconds") || 6)));
} catch (error) {
  errors.push(String(error));
}
const report = { status, first, size, states, errors, stats: await stats(peer), pictures };
// By another name of this machine: over the connection of the offer, which stays open, it would go to the daemon.
await fetch(`http://localhost:${location.port}/result`, { method: "POST", mode: "no-cors", body: JSON.stringify(report) });
