// Adds a camera: looks for devices of ONVIF, asks one with its login, shows what its streams send, and has it written into vigil.yaml.
import { fill, h } from '../app/dom.js';
import { note, refusalLines, waiting } from '../app/notices.js';
import { ask, read, send } from '../app/requests.js';
import { cameraAddress, go } from '../app/router.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';

/// The form and what was found, until `signal`.
export class AddCamera {
  #urls = [];

  constructor(signal) {
    this.signal = signal;
    this.found = h('div', { 'aria-live': 'polite' });
    this.address = h('input', { type: 'text', autocomplete: 'off', spellcheck: false, placeholder: '192.168.1.20', maxlength: 2000 });
    this.user = h('input', { type: 'text', autocomplete: 'off', spellcheck: false, maxlength: 255 });
    this.password = h('input', { type: 'password', autocomplete: 'new-password', maxlength: 255 });
    const field = (key, input) => h('label.field', {}, h('span', {}, t(`add.${key}`)), input);
    this.element = h('section.add-camera', {}, h('h2', {}, t('add.title')), h('p.quiet', {}, t('add.help')),
      h('button', { type: 'button', onclick: () => this.#look({}) }, t('add.search')),
      h('form', { onsubmit: (event) => (event.preventDefault(), this.#askOne()) },
        field('address', this.address), field('user', this.user), field('password', this.password),
        h('button', { type: 'submit' }, t('add.ask'))),
      this.found);
    signal.addEventListener('abort', () => this.#forget());
  }

  /// The login that was typed; none where nothing was.
  get login() {
    return this.user.value ? { user: this.user.value, password: this.password.value } : undefined;
  }

  #askOne() {
    const address = this.address.value.trim();
    if (address) this.#look({ address, login: this.login });
    else this.address.focus();
  }

  /// Lets go of the pictures.
  #forget() {
    for (const url of this.#urls.splice(0)) URL.revokeObjectURL(url);
  }

  async #look(command) {
    this.#forget();
    fill(this.found, waiting(t('add.looking')));
    try {
      const devices = await send('POST', '/v1/discover', command, { signal: this.signal });
      this.policies ??= await read('/v1/policies', { signal: this.signal });
      fill(this.found, devices.length ? devices.map((device) => this.#device(device, command.login)) : h('p', {}, t('add.none')));
    } catch (error) {
      if (error.name !== 'AbortError') fill(this.found, refusalLines(error));
    }
  }

  #device(device, login) {
    const asks = device.problem?.kind === 'unauthorized';
    return h('section.card.found-device', {}, h('h3', {}, device.name ?? device.model ?? device.address),
      h('p.quiet', {}, [device.model, device.address].filter(Boolean).join(' · ')),
      device.known.length > 0 && h('p', {}, t('add.known', { cameras: device.known.join(', ') })),
      device.problem && (asks ? h('p', {}, t('add.login')) : refusalLines({ what: device.problem.why, remedy: device.problem.remedy })),
      device.notes.map((one) => h('p.quiet', {}, one)),
      device.channels.length === 0 && h('button', { type: 'button', onclick: () => this.#choose(device) }, t('add.choose')),
      device.channels.map((channel) => this.#channel(device, channel, login)));
  }

  /// Puts a device's address into the form.
  #choose(device) {
    this.address.value = device.address;
    this.user.focus();
  }

  #channel(device, channel, login) {
    const name = h('input', { type: 'text', value: channel.name, required: true, pattern: '[a-z0-9][a-z0-9_-]{0,63}', autocomplete: 'off', spellcheck: false });
    const policy = h('select', {}, this.policies.map((one) => h('option', { value: one.name }, one.name)));
    const picture = h('div.found-picture', {}, waiting(t('add.picture')));
    const told = h('div', { 'aria-live': 'polite' });
    const words = (stream) => t('add.stream', { encoding: stream.encoding, size: stream.width ? `${stream.width} × ${stream.height}` : '?' });
    const form = h('form', { onsubmit: (event) => (event.preventDefault(), this.#add(form, told, device, channel, login, name.value, policy.value)) },
      h('label.field', {}, h('span', {}, t('add.name')), name), h('label.field', {}, h('span', {}, t('add.policy')), policy),
      h('button', { type: 'submit' }, t('add.add')));
    this.#show(picture, channel.sub ?? channel.main, login);
    return h('div', {}, picture, h('p', {}, t('add.main', { stream: words(channel.main) }), ' ', channel.sub ? t('add.sub', { stream: words(channel.sub) }) : t('add.noSub')), form, told);
  }

  /// What a stream sends, where it sends a picture.
  async #show(place, stream, login) {
    try {
      const response = await ask('/v1/discover/picture', { method: 'POST', body: { stream: stream.address, login }, signal: this.signal });
      const url = URL.createObjectURL(await response.blob());
      this.#urls.push(url);
      fill(place, h('img', { src: url, alt: t('add.shown') }));
    } catch (error) {
      if (error.name !== 'AbortError') fill(place, refusalLines(error));
    }
  }

  async #add(form, told, device, channel, login, name, policy) {
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      await send('POST', '/v1/cameras', { name, main: channel.main.address, sub: channel.sub?.address, onvif: device.address, login, policy }, { signal: this.signal });
      note(t('add.added', { camera: name }));
      // Its view asks whether there is such a camera.
      await site.refreshStates();
      go(cameraAddress(name));
    } catch (error) {
      button.disabled = false;
      if (error.name !== 'AbortError') fill(told, refusalLines(error));
    }
  }
}
