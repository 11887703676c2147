// Choosing a day: a month as a heat map of what was recorded and what moved.
import { fill, h, iconButton } from '../app/dom.js';
import { dialog } from '../app/notices.js';
import { ofCamera, query, read } from '../app/requests.js';
import { dayName, dayOf, moment, month as monthWords, wall, weekdays } from '../app/time.js';
import { length, t } from '../app/words.js';

/// Opens the calendar at the month of `at`; gives the begin of the day that is chosen, or nothing.
export function calendar(camera, at) {
  return dialog(t('calendar.title'), (close) => {
    const body = h('div.calendar');
    let { year, month } = wall(at);
    const draw = async () => {
      const turn = `${year}-${String(month).padStart(2, '0')}`;
      body.dataset.month = turn;
      fill(body, ...grid(year, month, at, [], close, move));
      const days = await read(ofCamera(camera, `days${query({ month: turn })}`)).catch(() => []);
      if (body.dataset.month === turn) fill(body, ...grid(year, month, at, days, close, move));
    };
    const move = (by) => {
      month += by;
      year += month < 1 ? -1 : month > 12 ? 1 : 0;
      month = ((month + 11) % 12) + 1;
      draw();
    };
    draw();
    return body;
  });
}

function grid(year, month, chosen, days, close, move) {
  const first = moment(year, month, 1), today = dayName(Date.now());
  const known = new Map(days.map((day) => [day.day, day]));
  const most = Math.max(1, ...days.map((day) => day.events));
  // Monday is the first column.
  const lead = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const cells = Array.from({ length: lead }, () => h('span'));
  for (let number = 1; number <= count; number += 1) {
    const name = `${year}-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`, day = known.get(name);
    const words = day ? t('calendar.day', { recorded: length(day.recordedMs), count: day.events }) : name > today ? t('timeline.future') : t('calendar.none');
    const cell = h('button', {
      type: 'button', disabled: name > today, 'aria-label': `${number} ${monthWords(first)}: ${words}`, title: words,
      'aria-current': name === today ? 'date' : undefined, 'aria-pressed': name === dayName(chosen) ? 'true' : undefined, onclick: () => close(dayOf(name)),
    }, String(number), h('i.recorded'), h('i.moved'));
    cell.querySelector('.recorded').style.width = `${day ? Math.max(8, Math.min(100, day.recordedMs / 864_000)) : 0}%`;
    cell.querySelector('.moved').style.opacity = day?.events ? String(0.25 + 0.75 * (day.events / most)) : '0';
    cells.push(cell);
  }
  return [
    h('header.row', {}, iconButton('stepBack', t('calendar.before'), () => move(-1)), h('h3', { 'aria-live': 'polite' }, monthWords(first)),
      iconButton('stepAhead', t('calendar.after'), () => move(1))),
    h('div.weekdays', { 'aria-hidden': 'true' }, weekdays().map((name) => h('span', {}, name))),
    h('div.days', {}, cells),
  ];
}
