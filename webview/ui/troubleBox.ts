import type { WayOut, WayOutWords } from '../../src/shared/wayOut';
import { button, element } from './elements';

/** A problem that prevents content from being shown as it is. */
export interface Trouble {
  readonly message: string;
  readonly way: WayOut;
}

interface TroubleWords extends WayOutWords {
  readonly failed: string;
}

export type TroubleActions = Readonly<Record<WayOut, () => void>>;

/** Shows a problem with the content and the recovery actions. */
export function troubleBox(
  trouble: Trouble,
  words: TroubleWords,
  actions: TroubleActions,
): HTMLElement {
  const parts = troubleParts(trouble, words, actions);
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

/** Returns the contents of a problem box for a box that stays in the document. */
export function troubleParts(
  { message, way }: Trouble,
  words: TroubleWords,
  actions: TroubleActions,
): HTMLElement[] {
  return [
    element('p', {}, element('strong', {}, words.failed), ' ', message),
    button(words[way], actions[way], { focusKey: way, primary: true }),
  ];
}
