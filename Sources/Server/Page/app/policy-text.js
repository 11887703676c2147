// Changes single keys in the text of a policy, and leaves all else as people wrote it. Pure. What the text means is for the
// daemon to check.

/// The text with `recording.KEY` set to a value.
export function withRecording(text, key, value) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^recording\s*:/.test(line));
  if (at < 0) return insertTop(lines, `recording: { ${key}: ${value} }`);
  if (/^recording\s*:\s*\{/.test(lines[at])) return inFlow(lines, at, key, value);
  return inBlock(lines, at, key, value);
}

function insertTop(lines, line) {
  const name = lines.findIndex((one) => /^(description|name)\s*:/.test(one));
  const place = lines.findLastIndex((one) => /^(description|name)\s*:/.test(one));
  lines.splice((place < 0 ? name : place) + 1, 0, line);
  return lines.join('\n');
}

// A value ends where the next key or the brace begins; braces do not nest there, brackets may.
function inFlow(lines, at, key, value) {
  let end = at;
  while (end < lines.length - 1 && !stripComment(lines[end]).includes('}')) end += 1;
  const text = lines.slice(at, end + 1).join('\n');
  const known = new RegExp(`([{,]\\s*)${key}(\\s*:\\s*)(\\[[^\\]]*\\]|"[^"]*"|'[^']*'|[^,}\\n]*?)(\\s*[,}\\n])`);
  const changed = known.test(text)
    ? text.replace(known, (_, before, colon, _old, after) => `${before}${key}${colon}${value}${after}`)
    : text.replace(/\s*\}/, (brace) => `${/\{\s*$/.test(text.slice(0, text.indexOf(brace))) ? ' ' : ', '}${key}: ${value} }`);
  lines.splice(at, end - at + 1, ...changed.split('\n'));
  return lines.join('\n');
}

function inBlock(lines, at, key, value) {
  let indent = '  ', last = at;
  for (let index = at + 1; index < lines.length; index += 1) {
    if (/^\S/.test(lines[index]) && !/^#/.test(lines[index])) break;
    const match = /^(\s+)([A-Za-z]+)(\s*:\s*)(\[[^\]]*\]|"[^"]*"|'[^']*'|[^#]*?)(\s*(?:#.*)?)$/.exec(lines[index]);
    if (!match) continue;
    indent = match[1];
    last = index;
    if (match[2] === key) {
      lines[index] = `${match[1]}${key}${match[3]}${value}${match[5]}`;
      return lines.join('\n');
    }
  }
  lines.splice(last + 1, 0, `${indent}${key}: ${value}`);
  return lines.join('\n');
}

const stripComment = (line) => line.replace(/(^|\s)#.*$/, '');

/// The text with one more entry of the schedule: `days` as policies write them, `from` and `to` as `HH:MM`, one key.
export function withScheduleEntry(text, days, from, to, key, value) {
  const lines = text.split('\n');
  const entry = `  - { days: ${days}, from: "${from}", to: "${to}", ${key}: ${value} }`;
  const at = lines.findIndex((line) => /^schedule\s*:/.test(line));
  if (at < 0) {
    const place = lines.findIndex((line) => /^retention\s*:/.test(line));
    lines.splice(place < 0 ? (lines.at(-1) === '' ? lines.length - 1 : lines.length) : place, 0, 'schedule:', entry);
    return lines.join('\n');
  }
  let last = at;
  for (let index = at + 1; index < lines.length && !/^[A-Za-z]/.test(lines[index]); index += 1) if (lines[index].trim()) last = index;
  const indent = /^(\s*)- /.exec(lines[at + 1] ?? '')?.[1];
  lines.splice(last + 1, 0, indent === undefined ? entry : entry.replace(/^ {2}/, indent));
  return lines.join('\n');
}

/// The value of `recording.KEY` as the text has it; nothing where it has none.
export function recordingValue(text, key) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^recording\s*:/.test(line));
  if (at < 0) return undefined;
  let end = at + 1;
  while (end < lines.length && !/^[A-Za-z]/.test(lines[end])) end += 1;
  const section = lines.slice(at, end).map(stripComment).join('\n').replace(/^recording\s*:/, '');
  const match = new RegExp(`(?:^|[{,\\s])${key}\\s*:\\s*(\\[[^\\]]*\\]|"[^"]*"|'[^']*'|[^,}\\n]+)`).exec(section);
  return match?.[1].trim().replace(/^["']|["']$/g, '');
}
