// Tabs: one list of them, one panel shown; arrows go from one to the next.
import { h } from '../app/dom.js';

export class Tabs {
  #tabs = new Map();

  /// `places` are `[name, words, element]`; `chosen` is told the name of each that is chosen.
  constructor(places, chosen = () => {}) {
    this.chosen = chosen;
    const list = h('div.tabs', { role: 'tablist', 'data-arrows': '' });
    const panels = places.map(([name, words, content], index) => {
      const id = `${name}-panel`;
      const tab = h('button.tab', { type: 'button', role: 'tab', id: `${name}-tab`, 'aria-controls': id, onclick: () => this.choose(name, true) }, words);
      const panel = h('div.tab-panel', { role: 'tabpanel', id, 'aria-labelledby': `${name}-tab`, tabindex: '0' }, content);
      this.#tabs.set(name, { tab, panel, index });
      list.append(tab);
      return panel;
    });
    list.addEventListener('keydown', (event) => this.#key(event));
    this.element = h('div.tabbed', {}, list, panels);
    this.#show(places[0][0]);
  }

  #key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const names = [...this.#tabs.keys()];
    const name = names[(names.indexOf(this.name) + by + names.length) % names.length];
    this.choose(name, true);
    this.#tabs.get(name).tab.focus();
  }

  /// Chooses a tab; one that was asked for by a hand is told.
  choose(name, isTold = false) {
    this.#show(name);
    if (isTold) this.chosen(name);
  }

  #show(name) {
    this.name = name;
    for (const [other, { tab, panel }] of this.#tabs) {
      tab.setAttribute('aria-selected', String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
  }
}
