// Tests of the page's pure modules, run by node --test.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../Sources/Server/Page/', import.meta.url));
const module = (path) => import(`${PAGE}${path}`);
const time = await module('app/time.js');
const geometry = await module('timeline/geometry.js');
const playlist = await module('player/playlist.js');
const boxes = await module('player/boxes.js');
const frames = await module('player/frames.js');
const text = await module('app/policy-text.js');
const { difference } = await module('panels/difference.js');
const areas = await module('views/areas.js');
const stories = await module('panels/story.js');
const cloud = await module('app/cloud.js');
const review = await module('panels/review-feed.js');
const cloudForm = await module('panels/cloud-form.js');
const { placed } = await module('player/viewport.js');
const { fitted, viewportParts, viewportText } = await module('panels/viewport.js');
const { site } = await module('app/site.js');
const { HOUR, MINUTE, SECOND, DAY } = time;

const files = readdirSync(PAGE, { recursive: true }).map(String).filter((name) => /\.(js|css|html)$/.test(name));
const sources = Object.fromEntries(files.map((name) => [name, readFileSync(PAGE + name, 'utf8')]));

test('days of 23 and 25 hours', () => {
  time.setZone('Europe/Rome', 'en');
  const short = time.dayOf('2026-03-29'), long = time.dayOf('2026-10-25');
  assert.equal(time.dayStart(short + HOUR, 1) - short, 23 * HOUR);
  assert.equal(time.dayStart(long + HOUR, 1) - long, 25 * HOUR);
  assert.equal(time.utc(short), '2026-03-28T23:00:00.000Z');
  assert.equal(time.dayName(long + 24.5 * HOUR), '2026-10-25');
});

test('every hour of two years goes to its address and back', () => {
  for (const zone of ['Europe/Rome', 'America/St_Johns', 'Asia/Kathmandu', 'UTC', 'Australia/Lord_Howe']) {
    time.setZone(zone, 'en');
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 7 * HOUR) {
      assert.equal(time.parse(time.local(at)), at, `${zone} ${time.local(at)}`);
      const { year, month, day, hour, minute, second } = time.wall(at);
      const back = time.moment(year, month, day, hour, minute, second);
      assert.ok(back === at || time.clock(back) === time.clock(at), `${zone} ${time.utc(at)}`);
    }
  }
  time.setZone('Europe/Rome', 'en');
});

test('what is no time is none', () => {
  for (const wrong of ['', undefined, 'now', '2026-11-21', '2026-11-21T03:12:00', '2026-13-40T00:00:00Z', '<b>']) assert.equal(time.parse(wrong), undefined);
  assert.equal(time.parse('2026-11-21T03:12:00 01:00'), Date.UTC(2026, 10, 21, 2, 12));
});

test('a zoom keeps the moment under the pointer, and its bounds', () => {
  const view = { from: 1e12, span: HOUR };
  for (const factor of [0.1, 0.7, 1.3, 9]) {
    const at = geometry.momentOf(view, 1000, 313), next = geometry.zoomed(view, factor, at);
    assert.ok(Math.abs(geometry.placeOf(next, 1000, at) - 313) < 1e-4);
  }
  assert.equal(geometry.zoomed(view, 1e-9, 1e12).span, geometry.LEAST);
  assert.equal(geometry.zoomed(view, 1e9, 1e12).span, geometry.MOST);
});

test('lines lie on the wall clock, also where it changes, and never crowd', () => {
  time.setZone('Europe/Rome', 'en');
  for (const day of ['2026-03-29', '2026-10-25', '2026-11-21']) {
    for (const span of [10 * SECOND, MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 31 * DAY]) {
      const view = { from: time.dayOf(day) - span / 3, span }, lines = geometry.lines(view, 1200);
      assert.ok(lines.length > 1 && lines.length < 60, `${day} ${span} ${lines.length}`);
      for (let index = 1; index < lines.length; index += 1) assert.ok(lines[index].at > lines[index - 1].at);
      for (const line of lines.filter((one) => one.isDay)) assert.equal(time.clock(line.at), '00:00:00');
    }
  }
});

test('spans have names and come back', () => {
  for (const name of ['month', 'week', 'day', 'hour', 'minute']) assert.equal(geometry.spanName(geometry.spanOf(name)), name);
  assert.equal(geometry.spanOf(geometry.spanName(95 * SECOND)), 95 * SECOND);
  for (const wrong of [undefined, '', 'x', 'constructor', 'NaN']) assert.equal(geometry.spanOf(wrong), undefined);
});

test('stretches stay in order and without overlap however they are merged', () => {
  let seed = 7;
  const random = (most) => ((seed = (seed * 48271) % 2147483647), seed % most);
  let list = [];
  const truth = new Array(500).fill(undefined);
  for (let turn = 0; turn < 300; turn += 1) {
    const from = random(480), to = from + 1 + random(20), middle = from + random(to - from) + 1;
    const pieces = [{ from, to: middle, label: turn }, ...(middle < to ? [{ from: middle, to, label: -turn }] : [])];
    list = geometry.merged(list, pieces, from, to);
    for (const piece of pieces) truth.fill(piece.label, piece.from, piece.to);
  }
  for (let index = 1; index < list.length; index += 1) assert.ok(list[index - 1].to <= list[index].from);
  for (let at = 0; at < 500; at += 1) assert.equal(geometry.stretchAt(list, at)?.label, truth[at]);
  assert.deepEqual(geometry.within(list, 100, 200).map((one) => one.from), list.filter((one) => one.to > 100 && one.from < 200).map((one) => one.from));
});

test('a year of stretches is drawn with no more columns than pixels', () => {
  const stretches = Array.from({ length: 50_000 }, (_, index) => ({ from: index * 10, to: index * 10 + 10, label: index % 3 ? 'idle' : 'recorded' }));
  const columns = geometry.columns(stretches, { from: 0, span: 500_000 }, 1000);
  assert.ok(columns.length <= 1001, String(columns.length));
  assert.ok(columns.every((column) => column.width > 0 && column.x >= 0 && column.x <= 1000));
});

const MEDIA = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MAP:URI="/v1/clips/1/tracks/video",BYTERANGE="655@0"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:00:00.250Z
#EXTINF:2.00000,
#EXT-X-BYTERANGE:1000@655
/v1/clips/1/tracks/video
#EXTINF:1.5,
#EXT-X-BYTERANGE:500
/v1/clips/1/tracks/video
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="/v1/clips/2/tracks/video",BYTERANGE="700@0"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:05:00.000Z
#EXTINF:2,
#EXT-X-BYTERANGE:10@700
/v1/clips/2/tracks/video
`;

test('a playlist gives ranges at their times', () => {
  const { segments, isEnded } = playlist.mediaPlaylist(MEDIA, 'http://vigil/v1/cameras/a/video.m3u8');
  assert.equal(isEnded, false);
  assert.deepEqual(segments.map((one) => [one.from - Date.UTC(2026, 10, 21, 10), one.to - one.from, one.range.start, one.range.end, one.init.range.end]),
    [[250, 2000, 655, 1654, 654], [2250, 1500, 1655, 2154, 654], [300_000, 2000, 700, 709, 699]]);
  assert.equal(segments[2].url, 'http://vigil/v1/clips/2/tracks/video');
});

test('a multivariant playlist names its tracks', () => {
  const found = playlist.multivariant('#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a, b",URI="audio.m3u8?x=1"\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42c016,mp4a.40.2",AUDIO="a"\nvideo.m3u8\n', 'http://v/p/m.m3u8');
  assert.deepEqual(found, { codecs: { video: 'avc1.42c016', audio: 'mp4a.40.2' }, audio: 'http://v/p/audio.m3u8?x=1', video: 'http://v/p/video.m3u8' });
});

test('damaged playlists and boxes give less, never an exception', () => {
  for (let cut = 0; cut < MEDIA.length; cut += 1) {
    const { segments } = playlist.mediaPlaylist(MEDIA.slice(0, cut).replace('URI="/v1', 'URI="v1'), 'http://v/');
    assert.ok(segments.length <= 3);
  }
  const bytes = new Uint8Array(4096).map((_, index) => (index * 7919) & 255);
  for (let start = 0; start < 512; start += 1) {
    const part = bytes.subarray(start);
    boxes.firstTime(part);
    boxes.codec(part);
    boxes.timescale(part);
    frames.frameTimes(part, part);
  }
});

test('the time of a fragment and the scale of a header are read', () => {
  const box = (type, ...content) => {
    const inner = content.flat();
    return [...new Uint8Array(new Uint32Array([inner.length + 8]).buffer).reverse(), ...[...type].map((letter) => letter.charCodeAt(0)), ...inner];
  };
  const u32 = (value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const fragment = new Uint8Array(box('moof', box('mfhd', u32(0), u32(1)), box('traf', box('tfdt', [1, 0, 0, 0], u32(1), u32(5)))));
  assert.equal(boxes.firstTime(fragment), 2 ** 32 + 5);
  const header = new Uint8Array(box('moov', box('trak', box('mdia', box('mdhd', u32(0), u32(0), u32(0), u32(12_800), u32(0), u32(0))))));
  assert.equal(boxes.timescale(header), 12_800);
});

test('the times of all frames are read from fragments', () => {
  const u32 = (...values) => values.flatMap((value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
  const box = (type, ...content) => [...u32(content.flat().length + 8), ...[...type].map((letter) => letter.charCodeAt(0)), ...content.flat()];
  const header = new Uint8Array(box('moov', box('mvex', box('trex', u32(0, 1, 1, 3000, 0, 0)))));
  // A length for each frame and shifts, of which one is below zero; a length for all; that of the header.
  const own = box('moof', box('traf', box('tfhd', u32(0x20000, 1)), box('tfdt', u32(0, 90_000)),
    box('trun', u32(0x01000b05, 3, 0, 0, 3000, 9, 3000, 3010, 9, 3000, 3000, 9, -3000))));
  const all = box('moof', box('traf', box('tfhd', u32(0x2000a, 1, 7, 2500)), box('tfdt', [1, 0, 0, 0], u32(1, 5)), box('trun', u32(0x205, 2, 0, 0, 9, 9))));
  const usual = box('moof', box('traf', box('tfhd', u32(0x20000, 1)), box('tfdt', u32(0, 0)), box('trun', u32(0, 2))));
  const times = (...fragments) => frames.frameTimes(header, new Uint8Array([...box('styp', u32(0, 0)), ...fragments.flat()]));
  assert.deepEqual(times(own), [93_000, 93_010, 96_000]);
  assert.deepEqual(times(usual, all), [0, 3000, 2 ** 32 + 5, 2 ** 32 + 2505]);
  assert.deepEqual(times(own.slice(0, -30)), []);
});

test('one key of a policy is changed and all else stays', () => {
  const flow = '# mine\nname: a\nrecording: { mode: continuous, sensitivity: 5, zones: [ door, null ], preRoll: 5s }  # kept\nretention: { events: 1d }\n';
  assert.equal(text.withRecording(flow, 'sensitivity', '10'), flow.replace('sensitivity: 5', 'sensitivity: 10'));
  assert.equal(text.withRecording(flow, 'zones', '[]'), flow.replace('[ door, null ]', '[]'));
  assert.equal(text.withRecording(flow, 'blind', '0s'), flow.replace('preRoll: 5s }', 'preRoll: 5s, blind: 0s }'));
  const block = 'name: b\nrecording:\n  mode: event   # why\n  sensitivity: medium\nschedule:\n  - { days: daily, from: "23:00", to: "06:00", sensitivity: high }\n';
  assert.equal(text.withRecording(block, 'mode', 'continuous'), block.replace('mode: event', 'mode: continuous'));
  assert.equal(text.withRecording(block, 'sensitivity', '10'), block.replace('medium', '10'));
  assert.equal(text.withRecording(block, 'preRoll', '10s'), block.replace('medium\n', 'medium\n  preRoll: 10s\n'));
  assert.equal(text.withRecording('name: c\n', 'mode', 'event'), 'name: c\nrecording: { mode: event }\n');
  assert.equal(text.recordingValue(flow, 'sensitivity'), '5');
  assert.equal(text.recordingValue(block, 'mode'), 'event');
  assert.equal(text.recordingValue(block, 'blind'), undefined);
  assert.equal(text.withScheduleEntry(block, 'sun', '10:00', '22:00', 'mode', 'continuous'), `${block}  - { days: sun, from: "10:00", to: "22:00", mode: continuous }\n`);
});

test('keys of what goes to the cloud are set and taken away, in every way of writing', () => {
  const { withKey, sectionValue, listEntries } = text;
  const flow = 'name: a\nretention: { events: 1d }\ncloud: { upload: events, levels: [ 1, high ], live: true }  # mine\n';
  assert.equal(withKey(flow, 'cloud', 'levels', '[ 5 ]'), flow.replace('[ 1, high ]', '[ 5 ]'));
  assert.equal(withKey(flow, 'cloud', 'levels', undefined), flow.replace(' levels: [ 1, high ],', ''));
  assert.equal(withKey(flow, 'cloud', 'live', undefined), flow.replace(', live: true', ''));
  assert.equal(withKey(flow, 'cloud', 'upload', undefined), flow.replace('upload: events, ', ''));
  assert.equal(withKey(flow, 'cloud', 'causes', undefined), flow);
  assert.equal(withKey('name: a\n\n', 'cloud', 'upload', 'all'), 'name: a\ncloud: { upload: all }\n\n');
  assert.equal(withKey('name: a', 'cloud', 'live', undefined), 'name: a');
  assert.equal(withKey(withKey('cloud: { live: true }\n', 'cloud', 'live', undefined), 'cloud', 'upload', 'all').replace(/\s+/g, ''), 'cloud:{upload:all}');
  const block = 'cloud:\n  upload: events  # why\n  levels:\n    - 1\n    - medium  # both\n  live: true\nname: b\n';
  assert.deepEqual(listEntries(sectionValue(block, 'cloud', 'levels')), ['1', 'medium']);
  assert.equal(sectionValue(block, 'cloud', 'live'), 'true');
  assert.equal(withKey(block, 'cloud', 'levels', '[ 5 ]'), 'cloud:\n  upload: events  # why\n  levels: [ 5 ]\n  live: true\nname: b\n');
  assert.equal(withKey(block, 'cloud', 'levels', undefined), 'cloud:\n  upload: events  # why\n  live: true\nname: b\n');
  assert.equal(withKey(block, 'cloud', 'keepLocal', 'byRule'), block.replace('live: true\n', 'live: true\n  keepLocal: byRule\n'));
  assert.equal(withKey('cloud:\n  causes:\n  - source\n', 'cloud', 'causes', undefined), 'cloud: {}\n');
  assert.equal(withKey('cloud:\n  causes:\n  - source\n', 'cloud', 'live', 'true'), 'cloud:\n  causes:\n  - source\n  live: true\n');
});

test('the form of what goes to the cloud reads a policy, and leaves no key that says nothing', () => {
  const { cloudValues, withChosen, withUpload } = cloudForm;
  const full = 'name: a\ncloud: { upload: events, levels: [ low, 10 ], causes: [ source ], keepLocal: untilUploaded, live: true, retention: 30d }\n';
  assert.deepEqual(cloudValues(full), { upload: 'events', levels: ['1', '10'], causes: ['source'], keepLocal: 'untilUploaded', live: true, encode: 'none', retention: '30d' });
  assert.deepEqual(cloudValues('name: a\n'), { upload: 'none', levels: ['1', '5', '10'], causes: ['detection', 'source', 'command'], keepLocal: 'byRule', live: false, encode: 'none', retention: '' });
  assert.equal(withUpload(full, 'all'), 'name: a\ncloud: { upload: all, keepLocal: untilUploaded, live: true, retention: 30d }\n');
  assert.equal(withUpload(full, 'none'), 'name: a\ncloud: { upload: none, retention: 30d }\n');
  assert.equal(withChosen(full, 'levels', ['1', '5', '10']), full.replace(' levels: [ low, 10 ],', ''));
  assert.equal(withChosen(full, 'causes', ['source', 'command']), full.replace('[ source ]', '[ source, command ]'));
  assert.equal(withUpload('name: a\n', 'events'), 'name: a\ncloud: { upload: events }\n');
});

test('only addresses of the web are links, and a reason stands before its remedy', () => {
  for (const good of ['https://plans.example/a?b=1', 'http://10.0.0.1:8080/']) assert.equal(cloud.webLink(good), good);
  for (const bad of [null, undefined, '', 'javascript:alert(1)', 'data:text/html,x', 'ftp://a/', '//a/b', 'https://user:word@a/', 'a b']) assert.equal(cloud.webLink(bad), undefined, String(bad));
  assert.deepEqual(cloud.reasonParts('HeadObject b: the clocks differ; the store says 12:00 (HTTP 403, X); set the clock'), { reason: 'HeadObject b: the clocks differ; the store says 12:00 (HTTP 403, X)', remedy: 'set the clock' });
  assert.deepEqual(cloud.reasonParts('no room; raise the quota; or wait'), { reason: 'no room', remedy: 'raise the quota; or wait' });
  assert.deepEqual(cloud.reasonParts(null), { reason: '', remedy: '' });
});

test('plans that say the same stand together, and totals have an order', () => {
  const plan = { state: 'validData', plan: 'Basic', planEnd: '2027-01-01T00:00:00Z', deletedAt: null, manageUrl: null, why: null, sends: true };
  const groups = cloud.planGroups([{ ...plan, camera: 'a', clips: 1, bytes: 2, loaded: '2026-01-01T00:00:00Z' }, { ...plan, state: 'noData', camera: 'b', clips: 0, bytes: 0, loaded: null },
    { ...plan, camera: 'c', clips: 3, bytes: 4, loaded: '2026-01-02T00:00:00Z' }]);
  assert.deepEqual(groups.map((group) => group.cameras.map(({ camera }) => camera)), [['a', 'c'], ['b']]);
  assert.equal(groups[0].loaded, '2026-01-02T00:00:00Z');
  assert.deepEqual(['validData', 'noService', 'expiredData', 'loadFailed'].map((state) => cloud.planMood({ state, sends: state === 'validData' })), ['good', 'rest', 'warn', 'alarm']);
  assert.deepEqual(cloud.phaseTotals([{ phase: 'purged', jobs: 2 }, { phase: 'new', jobs: 1 }, { phase: 'done', jobs: 5 }, { phase: 'removing', jobs: 0 }]).map(({ phase, jobs }) => [phase, jobs]),
    [['queued', 0], ['uploading', 0], ['uploadFailed', 0], ['done', 5], ['purged', 2], ['new', 1]]);
  const may = (phase, queued = 'x') => Object.values(cloud.orders({ phase, queued }));
  assert.deepEqual([may('queued'), may('queued', null), may('uploadFailed'), may('done'), may('purged')], [[false, true], [false, false], [true, true], [false, false], [true, false]]);
  assert.equal(cloud.sentShare({ bytes: 0, sentBytes: 0 }), 0);
});

test('a difference puts both texts together again', () => {
  const before = 'a\nb\nc\nd', after = 'a\nx\nc\nd\ne', lines = difference(before, after);
  assert.equal(lines.filter((line) => line.sign !== '+').map((line) => line.text).join('\n'), before);
  assert.equal(lines.filter((line) => line.sign !== '-').map((line) => line.text).join('\n'), after);
});

test('the moments of a story lie in order on a scale, and no two touch', () => {
  assert.deepEqual(['0 s', '661 s', '2026-03-29 02:30 (UTC+1)', '2026-03-29 02:30 (UTC-3:30)', 'the sum', ''].map(stories.momentOf),
    [0, 661_000, Date.UTC(2026, 2, 29, 1, 30), Date.UTC(2026, 2, 29, 6), undefined, undefined]);
  assert.deepEqual(stories.places([0, 5, 10]), [0, 0.5, 1]);
  for (const moments of [[0, 1, 600], [0, 0, 0, 1e9], Array.from({ length: 12 }, (_, index) => index ** 5)]) {
    const found = stories.places(moments);
    assert.ok(found[0] === 0 && Math.abs(found.at(-1) - 1) < 1e-9);
    for (let index = 1; index < found.length; index += 1) assert.ok(found[index] - found[index - 1] > 0.03, String(found));
  }
});

test('listings of events are one, the newest first, and each is asked for as far as it is shown', async () => {
  const asked = [];
  const feed = (name, pages, isSpare) => {
    let page = 0;
    return new review.Feed(async () => {
      asked.push(`${name}${page}`);
      if (pages[page] === 'broken') throw new Error('nobody answers');
      return pages[page++]?.map((from) => ({ from, name }));
    }, isSpare);
  };
  const feeds = [feed('disk', [[90, 70], [50, 10]]), feed('cloud', [[90, 60, 40], [], [30]])];
  const told = (events) => events.map(({ from, name }) => `${from}${name}`);
  assert.deepEqual(told(await review.newest(feeds, 3)), ['90cloud', '90disk', '70disk']);
  assert.deepEqual(asked, ['disk0', 'cloud0']);
  assert.deepEqual(told(await review.newest(feeds, 9)), ['60cloud', '50disk', '40cloud', '30cloud', '10disk']);
  assert.ok(feeds.every((one) => one.isOver));
  // What is spare may be missing, the disk's own may not.
  const spare = feed('cloud', [[8], 'broken'], true);
  assert.deepEqual(told(await review.newest([feed('disk', [[9, 3]]), spare], 9)), ['9disk', '8cloud', '3disk']);
  assert.equal(spare.refusal.message, 'nobody answers');
  await assert.rejects(review.newest([feed('disk', ['broken'])], 9), /nobody answers/);
});

test('an outline that crosses itself is noticed', () => {
  assert.equal(areas.isCrossing([[0, 0], [1, 0], [1, 1], [0, 1]]), false);
  assert.equal(areas.isCrossing([[0, 0], [1, 1], [1, 0], [0, 1]]), true);
  assert.equal(areas.areaLines('a', [{ kind: 'mask', name: 'm', corners: [[0, 0], [1, 0], [1, 1]] }]), 'cameras:\n  a:\n    masks:\n      m: [ [0, 0], [1, 0], [1, 1] ]');
});

const WORDS = readdirSync(`${PAGE}words/en`).map((name) => name.replace('.json', ''));
const wordsOf = (tag, file) => JSON.parse(readFileSync(`${PAGE}words/${tag}/${file}.json`, 'utf8'));

test('every language has every message with the same values', () => {
  const values = (message) => [...message.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort().join();
  for (const file of WORDS) {
    const english = wordsOf('en', file);
    for (const tag of readdirSync(`${PAGE}words`)) {
      const messages = wordsOf(tag, file);
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort(), `${tag} ${file}`);
      for (const [key, message] of Object.entries(messages)) {
        assert.ok(message.trim(), `${tag} ${key}`);
        assert.equal(values(message), values(english[key]), `${tag} ${key}`);
      }
    }
  }
});

/// The messages that a source says: whole keys, and the beginnings of those that are put together.
function said(source) {
  const whole = [...source.matchAll(/\bt\((?:[^'`()]*\? )?(['`])([^'`$]+)\1/g)].map((match) => match[2]);
  const beginnings = [...source.matchAll(/`([a-zA-Z.]+\.)\$\{/g)].map((match) => match[1]);
  const quoted = [...source.matchAll(/'([a-zA-Z][a-zA-Z0-9.]+)'/g)].map((match) => match[1]);
  return { whole, beginnings, quoted: new Set([...whole, ...quoted]) };
}

const plain = (key) => key.replace(/\.(one|other)$/, '');

test('every message that the page says is there, and none is left over', () => {
  const keys = WORDS.flatMap((file) => Object.keys(wordsOf('en', file)));
  assert.equal(new Set(keys).size, keys.length, 'a message stands in two files');
  const { whole, beginnings, quoted } = said(Object.values(sources).join('\n'));
  for (const key of whole) assert.ok(keys.some((known) => plain(known) === key), `no message ${key}`);
  for (const key of keys) assert.ok(quoted.has(plain(key)) || beginnings.some((beginning) => key.startsWith(beginning)), `message ${key} is said nowhere`);
});

/// Of each view its styles and its words, as app/start.js has them.
const VIEWS = Object.fromEntries([...sources['app/start.js'].matchAll(/^ {2}(\w+): \[\(\) => import\('\.\.\/(views\/\w+\.js)'\), \[(.*?)\], \[(.*?)\]\],$/gm)]
  .map(([, name, module, styles, words]) => [name, { module, styles: list(styles), words: ['page', ...list(words)] }]));
function list(text) {
  return [...text.matchAll(/'(\w+)'/g)].map((match) => match[1]);
}

/// The modules that one names, directly or not; with `isLater` those too that it loads when they are wanted, but for the views.
function reach(name, seen, isLater = false) {
  if (seen.has(name)) return seen;
  seen.add(name);
  const later = isLater ? [...sources[name].matchAll(/import\('([^']+)'\)/g)].filter(([, to]) => !to.startsWith('../views/')) : [];
  for (const [, to] of [...sources[name].matchAll(/^(?:import|export) (?:[^;]*? from )?'([^']+)';/gm), ...later]) {
    reach(new URL(to, `http://page/${name}`).pathname.slice(1), seen, isLater);
  }
  return seen;
}

test('a view loads the words that it says, and its panels', () => {
  assert.equal(Object.keys(VIEWS).length, 10);
  const keysOf = (...names) => new Set(names.flatMap((file) => Object.keys(wordsOf('en', file)).map(plain)));
  const all = keysOf(...WORDS);
  for (const [name, { module, words }] of Object.entries(VIEWS)) {
    const atOnce = keysOf(...words), first = reach(module, reach('app/start.js', new Set())), ever = reach(module, reach('app/start.js', new Set(), true), true);
    // A part that comes later may bring words of its own.
    const brought = [...ever].flatMap((source) => [...sources[source].matchAll(/\bloadWords\('(\w+)'\)/g)].map((match) => match[1]));
    const later = keysOf(...words, ...brought);
    for (const source of ever) {
      const loaded = first.has(source) ? atOnce : later;
      const { whole, beginnings, quoted } = said(sources[source]);
      for (const key of [...whole, ...quoted]) assert.ok(!all.has(key) || loaded.has(key), `${name} says ${key} in ${source}, whose words it does not load`);
      for (const beginning of beginnings) {
        for (const key of all) assert.ok(!key.startsWith(beginning) || loaded.has(key), `${name} may say ${key} in ${source}, whose words it does not load`);
      }
    }
  }
});

test('files are short, together small, and ask no other host', () => {
  const worded = readdirSync(`${PAGE}words`).flatMap((tag) => WORDS.map((file) => [`words/${tag}/${file}.json`, readFileSync(`${PAGE}words/${tag}/${file}.json`, 'utf8')]));
  for (const [name, source] of [...Object.entries(sources), ...worded]) {
    assert.ok(source.split('\n').length <= 300, `${name} has more than 300 lines`);
    for (const [address] of source.matchAll(/https?:\/\/[^\s'"`)]+/g)) assert.ok(address.startsWith('http://www.w3.org/'), `${name} names ${address}`);
    assert.ok(!/innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.test(source), `${name} makes markup or code of text`);
  }
  assert.ok(!/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/.test(sources['index.html']), 'index.html has inline code');
  for (const [view, size] of Object.entries(viewSizes())) assert.ok(size <= 200_000, `${view} loads ${size} bytes`);
});

/// What is loaded until a view stands: HTML, styles, modules and words of the longest language.
function viewSizes() {
  const size = (name) => Buffer.byteLength(readFileSync(PAGE + name));
  return Object.fromEntries(Object.entries(VIEWS).map(([name, { module, styles, words }]) => {
    const always = ['index.html', 'manifest.webmanifest', 'icon.svg', ...list(sources['index.html'].replaceAll(/styles\/(\w+)\.css/g, "'$1'"))
      .filter((one) => files.includes(`styles/${one}.css`)).map((one) => `styles/${one}.css`)];
    const loaded = [...always, ...styles.map((one) => `styles/${one}.css`), ...reach(module, reach('app/start.js', new Set()))];
    const spoken = Math.max(...readdirSync(`${PAGE}words`).map((tag) => words.reduce((sum, file) => sum + size(`words/${tag}/${file}.json`), 0)));
    return [name, loaded.reduce((sum, one) => sum + size(one), spoken)];
  }));
}

/// Where a point of a picture (0…1) that lies in a box comes to lie with these styles, in pixels of the box.
function shownAt(box, picture, styles, [x, y]) {
  assert.equal(styles.objectFit, 'contain');
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const before = [box.width / 2 + (x - 0.5) * picture.width * scale, box.height / 2 + (y - 0.5) * picture.height * scale];
  const [, by, dx, dy] = styles.transform.match(/^scale\(([\d.]+)\) translate\((-?[\d.]+)px, (-?[\d.]+)px\)$/).map(Number);
  return [before[0] - box.width / 2 + dx, before[1] - box.height / 2 + dy].map((far, axis) => (axis ? box.height : box.width) / 2 + by * far);
}

test('the part that is shown of a video lies where the whole picture would, and nothing else is seen', () => {
  const part = { x: 0.5, y: 0.25, width: 0.25, height: 0.25 };
  for (const [box, picture, isFilling] of [[{ width: 800, height: 450 }, { width: 1920, height: 1080 }], [{ width: 800, height: 450 }, { width: 640, height: 480 }],
    [{ width: 300, height: 600 }, { width: 1280, height: 720 }], [{ width: 800, height: 450 }, { width: 640, height: 480 }, true]]) {
    const styles = placed(box, picture, part, isFilling);
    const scale = (isFilling ? Math.max : Math.min)(box.width / picture.width, box.height / picture.height);
    const [across, down] = [picture.width * scale, picture.height * scale];
    for (const [x, y] of [[0, 0], [1, 1], [0.5, 0.5]]) {
      const seen = shownAt(box, picture, styles, [part.x + x * part.width, part.y + y * part.height]);
      const wanted = [box.width / 2 + (x - 0.5) * across, box.height / 2 + (y - 0.5) * down];
      assert.ok(seen.every((at, axis) => Math.abs(at - wanted[axis]) < 0.1), `${seen} and not ${wanted}`);
    }
    // The edges of what is not cut off, in the box before it is enlarged.
    const [top, right, bottom, left] = styles.clipPath.match(/-?[\d.]+(?=px)/g).map(Number);
    const whole = Math.min(box.width / picture.width, box.height / picture.height);
    assert.ok(Math.abs(box.width - left - right - 0.25 * picture.width * whole) < 0.1 && Math.abs(box.height - top - bottom - 0.25 * picture.height * whole) < 0.1);
    assert.ok(Math.abs(left - box.width / 2) < 0.1);
    // All of it is in the box before: a browser draws nothing beside.
    assert.ok([top, right, bottom, left].every((edge) => edge >= -0.01));
  }
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  for (const none of [placed({ width: 8, height: 4 }, { width: 16, height: 9 }, whole), placed({ width: 0, height: 0 }, { width: 16, height: 9 }, part), placed({ width: 8, height: 4 }, { width: 0, height: 0 }, part)]) {
    assert.deepEqual(none, { objectFit: '', transform: '', clipPath: '' });
  }
});

test('of small pictures what the camera shows is drawn', () => {
  site.states.set('cut', { camera: 'cut', settings: { viewport: '0.5,0.25,0.75,0.5' } });
  assert.deepEqual(site.part('cut', { x: 160, y: 90, width: 160, height: 80 }), { x: 240, y: 110, width: 40, height: 20 });
  assert.deepEqual(site.part('none', { width: 3, height: 2 }), { x: 0, y: 0, width: 3, height: 2 });
  site.states.clear();
});

test('a part is chosen inside of the picture, and gives itself back', () => {
  for (let size = 10; size <= 100; size += 1) {
    for (const [left, top] of [[0, 0], [100, 100], [-5, 37.4], [33, 7]]) {
      const part = fitted({ size, left, top }), text = viewportText(part);
      const edges = text.split(',').map(Number);
      assert.ok(edges.every((edge) => edge >= 0 && edge <= 1) && /^(0|1|0\.\d{1,2})(,(0|1|0\.\d{1,2})){3}$/.test(text), text);
      assert.deepEqual(viewportParts(text), part);
    }
  }
  assert.deepEqual(fitted({ size: 3, left: 50, top: 50 }), { size: 10, left: 50, top: 50 });
});

test('a segment that is a gap has no bytes', () => {
  const { segments } = playlist.mediaPlaylist(MEDIA.replace('#EXTINF:1.5,\n', '#EXTINF:1.5,\n#EXT-X-GAP\n'), 'http://vigil/v1/cameras/a/video.m3u8');
  assert.deepEqual(segments.map((one) => one.to - one.from), [2000, 2000]);
});
