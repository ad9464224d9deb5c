import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { QueryHover } from '../../../src/shared/query/editor';
import { element } from '../../ui/elements';

/** Requests the information about an offset of the text; rejects if there is none. */
export type RequestHover = (at: {
  readonly text: string;
  readonly offset: number;
}) => Promise<QueryHover | undefined>;

/**
 * Shows the description of a name while the pointer hovers over it. Keyboard users get the
 * description from the completions.
 */
export function hoverSource(request: RequestHover): Extension {
  return hoverTooltip(
    async ({ state }, offset) => {
      // A hover that can't be loaded is omitted.
      const found = await request({ text: state.doc.toString(), offset }).catch(() => undefined);
      if (!found) return null;
      const { start: pos, end } = found;
      return { pos, end, above: true, create: () => ({ dom: renderHover(found) }) };
    },
    { hideOnChange: true },
  );
}

function renderHover({ code, text }: QueryHover): HTMLElement {
  const parts = [element('code', {}, code)];
  if (text !== undefined) parts.push(element('p', {}, text));
  return element('div', { class: 'query-hover' }, ...parts);
}
