// The change of a policy that `why` names, made in its text.
import { clock, parse, wall } from '../app/time.js';
import { withRecording, withScheduleEntry } from '../app/policy-text.js';
import { proposeChange } from './proposal.js';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/// Shows what the change would do, and applies it if that is wanted.
export function proposeRemedy(policy, title, change, at) {
  return proposeChange(policy, title, (text) => changedText(text, change, at));
}

/// The text of a policy with a change of `why`: in the recording section, or, where it is about an interval of the schedule, as
/// an entry for that day of the week. Intervals longer than a day are about all times.
function changedText(text, change, at) {
  const from = parse(change.from), to = parse(change.to);
  if (from === undefined || to === undefined || to - from >= 86_400_000) return withRecording(text, change.change, change.value);
  const { year, month, day } = wall(at);
  const weekday = DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  const begin = clock(Math.ceil(from / 60_000) * 60_000 > at ? at : from, 'minute'), end = clock(Math.round(to / 60_000) * 60_000, 'minute');
  return withScheduleEntry(text, weekday, begin, end === begin ? '24:00' : end, change.change, change.value);
}
