// What the page knows of plans and uploads before it says it. Pure.

/// An address that may be opened: http or https, without a login; nothing for all others.
export function webLink(text) {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && url.hostname && !url.username && !url.password ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/// A reason of the daemon, with what stands behind it as the remedy: `{ reason, remedy }`.
export function reasonParts(why) {
  const text = String(why ?? '').trim();
  const facts = text.lastIndexOf('); '), at = facts < 0 ? text.indexOf('; ') : facts + 1;
  return at < 0 ? { reason: text, remedy: '' } : { reason: text.slice(0, at), remedy: text.slice(at + 2) };
}

/// The plans, those that say the same of several cameras together: `{ …plan, cameras: [{ camera, clips, bytes }] }`.
export function planGroups(plans) {
  const groups = new Map();
  for (const { camera, clips, bytes, loaded, ...plan } of plans) {
    const key = JSON.stringify([plan.state, plan.plan, plan.planEnd, plan.deletedAt, plan.manageUrl, plan.why, plan.sends]);
    if (!groups.has(key)) groups.set(key, { ...plan, loaded, cameras: [] });
    const group = groups.get(key);
    group.cameras.push({ camera, clips, bytes });
    if (!group.loaded || (loaded && loaded > group.loaded)) group.loaded = loaded;
  }
  return [...groups.values()];
}

/// How a plan is to be told: `good` while clips are sent, `alarm` where something is lost or broken, else `rest`.
export function planMood({ state, sends }) {
  if (state === 'loadFailed') return 'alarm';
  if (state === 'expiredData') return 'warn';
  return sends ? 'good' : 'rest';
}

const AT_WORK = new Set(['queued', 'uploading', 'encoding', 'removing']);
const FAILED = new Set(['uploadFailed', 'encodingFailed', 'removeFailed']);

/// Whether a job's clip is still being written.
export const isOpen = (job) => job.queued === null || job.queued === undefined;

/// Whether something happens to a job by itself, so that it is worth asking again.
export const isMoving = (job) => AT_WORK.has(job.phase);

/// How a phase is to be told: `work`, `failed`, `done` or `over`.
export function phaseMood(phase) {
  if (FAILED.has(phase)) return 'failed';
  if (phase === 'done') return 'done';
  return AT_WORK.has(phase) ? (phase === 'queued' ? 'wait' : 'work') : 'over';
}

/// What a person may order: whether a job can be tried again, and whether it can be given up.
export function orders(job) {
  return {
    mayRetry: job.phase === 'uploadFailed' || job.phase === 'encodingFailed' || job.phase === 'purged',
    mayGiveUp: !isOpen(job) && (job.phase === 'queued' || job.phase === 'uploading' || job.phase === 'encoding' || FAILED.has(job.phase)),
  };
}

/// How much of a clip the store has, from 0 to 1.
export const sentShare = ({ bytes, sentBytes }) => (bytes > 0 ? Math.min(1, Math.max(0, sentBytes / bytes)) : 0);

// In the order in which a clip goes through them; those that are told also where no job is in them come first.
export const PHASES = ['queued', 'uploading', 'uploadFailed', 'done', 'encoding', 'encodingFailed', 'removing', 'removeFailed', 'cancelled', 'purged', 'deleted'];
const ALWAYS = 4;

/// The totals in their order, phases without jobs left out but for the first four.
export function phaseTotals(phases) {
  const known = new Map(phases.map((one) => [one.phase, one]));
  const rest = phases.filter((one) => !PHASES.includes(one.phase));
  return [...PHASES.filter((phase, index) => index < ALWAYS || known.get(phase)?.jobs).map((phase) => known.get(phase) ?? { phase, jobs: 0, bytes: 0, sentBytes: 0 }), ...rest];
}
