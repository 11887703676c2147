// What is shown of a video: coded pictures come whole, and the setting `viewport` of a camera says which part is shown.
import { site } from '../app/site.js';

/// Keeps a video cut to the part that is shown of its camera, until `signal`.
export function cut(video, camera, signal) {
  if (signal.aborted) return;
  const draw = () => {
    const { clientWidth: width, clientHeight: height, videoWidth, videoHeight } = video;
    // What the view itself asks for.
    video.style.objectFit = '';
    const isFilling = width && getComputedStyle(video).objectFit === 'cover';
    Object.assign(video.style, placed({ width, height }, { width: videoWidth, height: videoHeight }, site.part(camera, { width: 1, height: 1 }), isFilling));
  };
  const sizes = new ResizeObserver(draw);
  sizes.observe(video);
  signal.addEventListener('abort', () => sizes.disconnect());
  video.addEventListener('resize', draw, { signal });
  site.addEventListener('states', draw, { signal });
  draw();
}

/// How a picture is cut and enlarged so that its `part` lies in a box, in its middle and whole (or filling it). Before that the whole
/// picture lies in the box: what a browser leaves out of one that fills it cannot be shown any more.
export function placed(box, picture, part, isFilling = false) {
  if ((part.width === 1 && part.height === 1) || !(box.width && box.height && picture.width && picture.height)) return { objectFit: '', transform: '', clipPath: '' };
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const width = picture.width * scale, height = picture.height * scale;
  const left = (box.width - width) / 2 + part.x * width, top = (box.height - height) / 2 + part.y * height;
  const [across, down] = [part.width * width, part.height * height];
  const by = (isFilling ? Math.max : Math.min)(box.width / across, box.height / down);
  const px = (value) => `${Math.round(value * 100) / 100}px`;
  return {
    objectFit: 'contain',
    transform: `scale(${by}) translate(${px(box.width / 2 - left - across / 2)}, ${px(box.height / 2 - top - down / 2)})`,
    clipPath: `inset(${px(top)} ${px(box.width - left - across)} ${px(box.height - top - down)} ${px(left)})`,
  };
}
