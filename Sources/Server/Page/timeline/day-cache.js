// Which days are known: what is missing is asked for in runs of days of UTC, the end of a day that is not over again and again.
import { DAY } from '../app/time.js';

const KEPT = 400 * DAY, FRESH = 5000, OVERLAP = 120_000;

export class DayCache {
  refusal = undefined;
  #days = new Map();

  /// `ask(from, to)` takes what the daemon answers; `changed` is called afterwards. A day that is not over is asked for again after
  /// `fresh` milliseconds.
  constructor(ask, changed, fresh = FRESH) {
    this.ask = ask;
    this.changed = changed;
    this.fresh = fresh;
  }

  /// Asks for what is missing of `from` … `to`.
  want(from, to) {
    const now = Date.now();
    const first = Math.floor(Math.max(from, now - KEPT) / DAY), last = Math.floor(Math.min(to, now) / DAY);
    let run;
    for (let day = first; day <= last + 1; day += 1) {
      const known = this.#days.get(day);
      const isMissing = day <= last && !(known && (known.isWhole || known.isAsked || now - known.at < this.fresh));
      if (isMissing) run = run ?? day;
      else if (run !== undefined) {
        this.#askDays(run, day - 1);
        run = undefined;
      }
    }
  }

  /// Whether every day of a stretch of time was answered.
  knows(from, to) {
    const last = Math.floor(Math.min(to, Date.now()) / DAY);
    for (let day = Math.floor(Math.max(from, Date.now() - KEPT) / DAY); day <= last; day += 1) if (!this.#days.get(day)?.isKnown) return false;
    return true;
  }

  /// Makes today old.
  refresh() {
    const today = this.#days.get(Math.floor(Date.now() / DAY));
    if (today && !today.isAsked) today.at -= this.fresh;
  }

  /// Makes all days old; what is known of them holds until it is known anew.
  outdate() {
    for (const [day, { isKnown }] of this.#days) this.#days.set(day, { isKnown, at: 0 });
  }

  /// Forgets all days outside of a stretch of time.
  forget(from, to) {
    for (const day of this.#days.keys()) if ((day + 1) * DAY < from || day * DAY > to) this.#days.delete(day);
  }

  async #askDays(first, last) {
    // Of a day that is known in part only its end is asked for.
    const known = this.#days.get(first);
    const from = known?.until ? Math.max(first * DAY, known.until - OVERLAP) : first * DAY, to = Math.min((last + 1) * DAY, Date.now());
    const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    for (const day of days) this.#days.set(day, { ...this.#days.get(day), isAsked: true });
    try {
      await this.ask(from, to);
      const at = Date.now();
      for (const day of days) this.#days.set(day, { at, until: to, isKnown: true, isWhole: (day + 1) * DAY < at - OVERLAP });
      this.refusal = undefined;
    } catch (error) {
      for (const day of days) this.#days.set(day, { ...this.#days.get(day), isAsked: false, at: Date.now() });
      this.refusal = error;
    }
    this.changed();
  }
}
