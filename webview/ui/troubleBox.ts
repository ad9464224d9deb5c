import type { WayOut, WayOutWords } from '../../src/shared/wayOut';
import { button, element } from './elements';

/** Why something cannot be shown as it is. */
export interface Trouble {
  readonly message: string;
  readonly way: WayOut;
}

interface TroubleWords extends WayOutWords {
  readonly failed: string;
}

export type TroubleActions = Readonly<Record<WayOut, () => void>>;

/** Says why something cannot be shown as it is, and what can be done about it. */
export function troubleBox(
  trouble: Trouble,
  words: TroubleWords,
  actions: TroubleActions,
): HTMLElement {
  const parts = troubleParts(trouble, words, actions);
  return element('div', { class: 'failure', role: 'alert' }, ...parts);
}

/** The same for a box that stays where it is. */
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
