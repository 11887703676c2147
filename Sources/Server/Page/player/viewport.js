// What is shown of a video: coded pictures come whole, and the setting `viewport` of a camera says which part is shown.
import { site } from '../app/site.js';

/// Keeps a video cut to the part that is shown of its camera, until `signal`.
export function cut(video, camera, signal) {
  const draw = () => {
    const { clientWidth: width, clientHeight: height, videoWidth, videoHeight } = video;
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

/// How a picture that lies in a box, in its middle and whole (or filling it), is cut and enlarged so that its `part` lies there so.
export function placed(box, picture, part, isFilling = false) {
  if ((part.width === 1 && part.height === 1) || !(box.width && box.height && picture.width && picture.height)) return { transform: '', clipPath: '' };
  const fit = isFilling ? Math.max : Math.min;
  const scale = fit(box.width / picture.width, box.height / picture.height);
  const width = picture.width * scale, height = picture.height * scale;
  const left = (box.width - width) / 2 + part.x * width, top = (box.height - height) / 2 + part.y * height;
  const [across, down] = [part.width * width, part.height * height];
  const px = (value) => `${Math.round(value * 100) / 100}px`;
  return {
    transform: `scale(${fit(box.width / across, box.height / down)}) translate(${px(box.width / 2 - left - across / 2)}, ${px(box.height / 2 - top - down / 2)})`,
    clipPath: `inset(${px(top)} ${px(box.width - left - across)} ${px(box.height - top - down)} ${px(left)})`,
  };
}
