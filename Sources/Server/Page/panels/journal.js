// What the journal says, the newest first, as it is said.
import { h } from '../app/dom.js';
import { cameraAddress } from '../app/router.js';
import { local, parse, stamp } from '../app/time.js';
import { t } from '../app/words.js';

const SHOWN = 100;

/// A list that follows the journal until `signal` ends it.
export function journalList(signal) {
  const list = h('ol.journal', { tabindex: '0', 'aria-label': t('system.journal') }, h('li.quiet', {}, t('timeline.loading')));
  const stream = new EventSource('/v1/journal?after=0&priority=notice');
  let isEmpty = true;
  stream.onmessage = ({ data }) => {
    const { time, priority, camera, message } = JSON.parse(data), at = parse(time);
    if (isEmpty) list.replaceChildren();
    isEmpty = false;
    list.prepend(h('li', { 'data-priority': priority }, h('time', { datetime: time }, stamp(at)),
      h('span', {}, camera && [h('a', { href: cameraAddress(camera, { t: local(Math.floor(at / 1000) * 1000) }) }, camera), ' '], message)));
    while (list.children.length > SHOWN) list.lastChild.remove();
  };
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED && isEmpty) list.replaceChildren(h('li.quiet', {}, t('system.noJournal')));
  };
  signal.addEventListener('abort', () => stream.close());
  return list;
}
