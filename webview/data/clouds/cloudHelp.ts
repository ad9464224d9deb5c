import type { CloudStrings } from '../../../src/shared/data/cloudStrings';
import { element } from '../../ui/elements';

/** Creates a table of the view's keys, which is shown on request. */
export function cloudHelp({ help }: CloudStrings): HTMLElement {
  const rows: readonly (readonly [keys: string, what: string])[] = [
    ['← → ↑ ↓', help.orbit],
    ['Shift + ← → ↑ ↓', help.pan],
    ['+ −', help.zoom],
    ['0 1 2 3', help.views],
    ['C', help.coloring],
    ['[ ]', help.pointSize],
    ['G', help.grid],
    ['?', help.help],
    [help.mouse, help.mouseDoes],
  ];
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, help.keys),
    element('th', { scope: 'col' }, help.does),
  );
  const body = rows.map(([keys, what]) =>
    element('tr', {}, element('th', { scope: 'row' }, keys), element('td', {}, what)),
  );
  const made = element(
    'div',
    { class: 'cloud-help', role: 'region', 'aria-label': help.label },
    element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)),
  );
  made.hidden = true;
  return made;
}
