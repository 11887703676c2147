// Several listings of events, the newest first, as one; each is asked for a page at a time, and only as far as it is shown.

/// A listing: `ask(first)` gives its next page, an array, and nothing any more at its end.
export class Feed {
  refusal = undefined;
  #ask;
  #rows = [];
  #isOver = false;

  /// Where `isSpare`, a page that cannot be had ends the listing and is told by `refusal`; else it is thrown.
  constructor(ask, isSpare = false) {
    this.#ask = ask;
    this.isSpare = isSpare;
  }

  get isOver() {
    return this.#isOver && !this.#rows.length;
  }

  get head() {
    return this.#rows[0];
  }

  take() {
    return this.#rows.shift();
  }

  /// Asks for more where nothing is left.
  async fill() {
    while (!this.#rows.length && !this.#isOver) {
      try {
        const page = await this.#ask();
        if (page) this.#rows = page;
        else this.#isOver = true;
      } catch (error) {
        if (!this.isSpare || error.name === 'AbortError') throw error;
        this.refusal = error;
        this.#isOver = true;
      }
    }
  }
}

/// The next `count` of some listings by time; of events at the same time that of the last listing comes first.
export async function newest(feeds, count) {
  const out = [];
  while (out.length < count) {
    await Promise.all(feeds.map((feed) => feed.fill()));
    const [next] = feeds.filter((feed) => feed.head).sort((a, b) => b.head.from - a.head.from || feeds.indexOf(b) - feeds.indexOf(a));
    if (!next) break;
    out.push(next.take());
  }
  return out;
}
