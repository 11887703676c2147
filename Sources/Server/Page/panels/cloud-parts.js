// Loads what speaks of the cloud with its words and styles, for views that mostly do without.
import { loadStyle } from '../app/theme.js';
import { loadWords } from '../app/words.js';

/// The module that `load` gives, when its words and styles are there.
export async function cloudPart(load) {
  const [part] = await Promise.all([load(), loadWords('cloud'), loadStyle('cloud')]);
  return part;
}
