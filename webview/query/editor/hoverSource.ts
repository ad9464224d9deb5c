import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { QueryHover } from '../../../src/shared/query/editor';
import { element } from '../../ui/elements';

/** What stands at a place of a text; rejects when that is not known. */
export type AskHover = (at: {
  readonly text: string;
  readonly offset: number;
}) => Promise<QueryHover | undefined>;

/** Says what a name stands for while the mouse rests on it. By keyboard the completions say the same. */
export function hoverSource(ask: AskHover): Extension {
  return hoverTooltip(
    async ({ state }, offset) => {
      // Nobody misses what could not be found out.
      const found = await ask({ text: state.doc.toString(), offset }).catch(() => undefined);
      if (!found) return null;
      const { start: pos, end } = found;
      return { pos, end, above: true, create: () => ({ dom: hoverOf(found) }) };
    },
    { hideOnChange: true },
  );
}

function hoverOf({ code, text }: QueryHover): HTMLElement {
  const parts = [element('code', {}, code)];
  if (text !== undefined) parts.push(element('p', {}, text));
  return element('div', { class: 'query-hover' }, ...parts);
}
