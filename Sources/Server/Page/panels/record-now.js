// Recording by hand.
import { attempt, note } from '../app/notices.js';
import { ofCamera, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';

/// Begins a recording now, or prolongs the one that goes on.
export function recordNow(camera) {
  return attempt(async () => {
    site.take([await send('POST', ofCamera(camera, 'record'), {})]);
    note(t('record.began', { camera }));
  });
}
