// Changes single keys in the text of a policy, and leaves all else as people wrote it. Pure. What the text means is for the
// daemon to check.

/// The text with `recording.KEY` set to a value.
export const withRecording = (text, key, value) => withKey(text, 'recording', key, value);

/// The text with `SECTION.KEY` set to a value, or without that key where there is none.
export function withKey(text, section, key, value) {
  const lines = text.split('\n');
  const at = sectionAt(lines, section);
  if (at < 0) return value === undefined ? text : insert(lines, section, `${section}: { ${key}: ${value} }`);
  if (/^\w+\s*:\s*\{/.test(lines[at])) return inFlow(lines, at, key, value);
  return inBlock(lines, at, key, value);
}

const sectionAt = (lines, section) => lines.findIndex((line) => new RegExp(`^${section}\\s*:`).test(line));

// Behind name and description; what is sent stands last, as the reference has it.
function insert(lines, section, line) {
  let end = lines.length;
  while (end > 0 && !lines[end - 1].trim()) end -= 1;
  const name = lines.findIndex((one) => /^(description|name)\s*:/.test(one));
  const place = lines.findLastIndex((one) => /^(description|name)\s*:/.test(one));
  lines.splice(section === 'cloud' ? end : (place < 0 ? name : place) + 1, 0, line);
  return lines.join('\n');
}

const VALUE = '(?:\\[[^\\]]*\\]|"[^"]*"|\'[^\']*\'|[^,}\\n]*?)';

// A value ends where the next key or the brace begins; braces do not nest there, brackets may.
function inFlow(lines, at, key, value) {
  let end = at;
  while (end < lines.length - 1 && !stripComment(lines[end]).includes('}')) end += 1;
  const text = lines.slice(at, end + 1).join('\n');
  const known = new RegExp(`([{,]\\s*)${key}(\\s*:\\s*)${VALUE}(\\s*[,}\\n])`);
  let changed = text;
  if (value === undefined) {
    // With the comma behind it, else with the one before.
    changed = text.replace(new RegExp(`([{,]\\s*)${key}\\s*:\\s*${VALUE}\\s*,\\s*`), '$1');
    if (changed === text) changed = text.replace(new RegExp(`,?\\s*\\b${key}\\s*:\\s*${VALUE}(\\s*\\})`), '$1');
  } else if (known.test(text)) {
    changed = text.replace(known, (_, before, colon, after) => `${before}${key}${colon}${value}${after}`);
  } else {
    changed = text.replace(/\s*\}/, (brace) => `${/\{\s*$/.test(text.slice(0, text.indexOf(brace))) ? ' ' : ', '}${key}: ${value} }`);
  }
  lines.splice(at, end - at + 1, ...changed.split('\n'));
  return lines.join('\n');
}

const LINE = /^(\s+)([A-Za-z]+)(\s*:\s*)(\[[^\]]*\]|"[^"]*"|'[^']*'|[^#]*?)(\s*(?:#.*)?)$/;

function inBlock(lines, at, key, value) {
  let indent = '  ', last = at, others = 0, found = -1;
  for (let index = at + 1; index < lines.length; index += 1) {
    if (/^\S/.test(lines[index]) && !/^#/.test(lines[index])) break;
    if (/^\s+- /.test(lines[index])) last = index;
    const match = LINE.exec(lines[index]);
    if (!match) continue;
    indent = match[1];
    last = index;
    if (match[2] === key) found = index;
    else others += 1;
  }
  if (found < 0) {
    if (value !== undefined) lines.splice(last + 1, 0, `${indent}${key}: ${value}`);
    return lines.join('\n');
  }
  const [, before, , colon, , comment] = LINE.exec(lines[found]), items = listLines(lines, found, before.length);
  if (value !== undefined) lines.splice(found, 1 + items, `${before}${key}${items ? ': ' : colon}${value}${comment}`);
  else if (others) lines.splice(found, 1 + items);
  // A section without keys is written as one.
  else lines.splice(at, found + items - at + 1, lines[at].replace(/:.*$/, ': {}'));
  return lines.join('\n');
}

/// How many lines below a key hold its list.
function listLines(lines, at, indent) {
  let count = 0;
  while (new RegExp(`^\\s{${indent},}- `).test(lines[at + count + 1] ?? '')) count += 1;
  return count;
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
export const recordingValue = (text, key) => sectionValue(text, 'recording', key);

/// The value of `SECTION.KEY` as the text has it, a list as `[a, b]`; nothing where it has none.
export function sectionValue(text, section, key) {
  const lines = text.split('\n');
  const at = sectionAt(lines, section);
  if (at < 0) return undefined;
  let end = at + 1;
  while (end < lines.length && !/^[A-Za-z]/.test(lines[end])) end += 1;
  const plain = lines.slice(at, end).map(stripComment), known = plain.findIndex((line) => new RegExp(`^\\s+${key}\\s*:\\s*$`).test(line));
  if (known > 0) {
    const items = listLines(plain, known, /^\s*/.exec(plain[known])[0].length);
    return items ? `[${plain.slice(known + 1, known + 1 + items).map((line) => line.replace(/^\s*-\s*/, '').trim()).join(', ')}]` : '';
  }
  const match = new RegExp(`(?:^|[{,\\s])${key}\\s*:\\s*(\\[[^\\]]*\\]|"[^"]*"|'[^']*'|[^,}\\n]+)`).exec(plain.join('\n').replace(new RegExp(`^${section}\\s*:`), ''));
  return match?.[1].trim().replace(/^["']|["']$/g, '');
}

/// The entries of a list as `sectionValue` gives it; of a single value that one.
export const listEntries = (value) => (value ?? '').replace(/^\[|\]$/g, '').split(',').map((one) => one.trim().replace(/^["']|["']$/g, '')).filter(Boolean);
