// A source buffer of MSE with a queue: one thing at a time, and old media goes when the browser has no more room.

/// The MediaSource of this browser: iPhones have a managed one.
export const Source = globalThis.ManagedMediaSource ?? globalThis.MediaSource;

/// Whether the browser plays a codec, such as `avc1.42c01e`.
export function plays(kind, codec) {
  return Boolean(Source?.isTypeSupported?.(`${kind}/mp4; codecs="${codec}"`));
}

/// Attaches a new MediaSource to a video; gives it when it is open.
export function openSource(video) {
  return new Promise((done, failed) => {
    if (!Source) {
      failed(new Error('this browser has no Media Source Extensions'));
      return;
    }
    const source = new Source();
    video.disableRemotePlayback = true;
    const url = URL.createObjectURL(source);
    source.addEventListener('sourceopen', () => {
      URL.revokeObjectURL(url);
      done(source);
    }, { once: true });
    video.src = url;
  });
}

export class Buffer {
  #chain = Promise.resolve();
  #codec;

  constructor(source, kind, codec, video) {
    this.kind = kind;
    this.#codec = codec;
    this.video = video;
    this.source = source;
    this.inner = source.addSourceBuffer(`${kind}/mp4; codecs="${codec}"`);
  }

  #then(action) {
    const next = this.#chain.then(() => this.#settled()).then(action).then(() => this.#settled());
    this.#chain = next.catch(() => {});
    return next;
  }

  #settled() {
    if (!this.inner.updating) return Promise.resolve();
    return new Promise((done, failed) => {
      // Whichever is told takes both listeners away: a picture that is looked at for hours has a million of these waits.
      const heard = new AbortController(), { signal } = heard;
      this.inner.addEventListener('updateend', () => (heard.abort(), done()), { signal });
      this.inner.addEventListener('error', () => (heard.abort(), failed(new Error('the browser refused the media'))), { signal });
    });
  }

  /// Appends bytes, shifted by `offset` seconds where one is given.
  append(bytes, offset) {
    return this.#then(() => {
      if (this.source.readyState !== 'open') return;
      if (offset !== undefined && Math.abs(this.inner.timestampOffset - offset) > 0.0005) this.inner.timestampOffset = offset;
      try {
        this.inner.appendBuffer(bytes);
      } catch (error) {
        if (error.name !== 'QuotaExceededError') throw error;
        return this.#makeRoom().then(() => this.inner.appendBuffer(bytes));
      }
    });
  }

  async #makeRoom() {
    const now = this.video.currentTime;
    for (const [from, to] of ranges(this.inner.buffered)) {
      if (to < now - 2) await this.#remove(from, to);
      else if (from < now - 4) await this.#remove(from, now - 4);
      else if (from > now + 30) await this.#remove(from, to);
    }
  }

  #remove(from, to) {
    this.inner.remove(from, to);
    return this.#settled();
  }

  /// Changes the codec; a clip may have another one than that before it.
  change(codec) {
    if (codec === this.#codec) return Promise.resolve();
    this.#codec = codec;
    return this.#then(() => this.inner.changeType(`${this.kind}/mp4; codecs="${codec}"`));
  }

  /// Removes what is more than `seconds` before the playing moment.
  trim(seconds) {
    const until = this.video.currentTime - seconds;
    if (!this.inner.buffered.length || this.inner.buffered.start(0) >= until - 5) return Promise.resolve();
    return this.#then(() => {
      if (this.source.readyState === 'open' && until > 0) this.inner.remove(0, until);
    });
  }

  get buffered() {
    try {
      return ranges(this.inner.buffered);
    } catch {
      return [];
    }
  }
}

/// The ranges of a TimeRanges as a list.
export function ranges(times) {
  return Array.from({ length: times.length }, (_, index) => [times.start(index), times.end(index)]);
}
