// Loads what shows the past that only the cloud has, with its words and styles; a camera without cloud does without.
import { loadStyle } from './theme.js';
import { loadWords } from './words.js';

/// The module that `load` gives, when its words and styles are there.
export async function cloudPast(load) {
  const [part] = await Promise.all([load(), loadWords('past'), loadStyle('past')]);
  return part;
}
