import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import { element } from '../../ui/elements';
import { toolButton } from '../../ui/toolButton';

/** Description of the keys, shown next to the image. */
export class KeyHelp {
  readonly element: HTMLElement;

  constructor(
    strings: BoxStrings,
    private readonly onClose: () => void,
  ) {
    const rows = strings.help.flatMap(({ keys, does }) => [
      element('dt', {}, element('kbd', {}, keysHere(keys))),
      element('dd', {}, does),
    ]);
    const close = toolButton(strings.close, () => this.hide(), { focusKey: 'close keys' });
    this.element = element(
      'section',
      { class: 'key-help', 'aria-label': strings.keys, tabindex: '-1' },
      element('div', { class: 'box-heading' }, strings.keys),
      element('dl', {}, ...rows),
      close,
    );
    this.element.hidden = true;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  show(): void {
    this.element.hidden = false;
    this.element.focus();
  }

  hide(): void {
    this.element.hidden = true;
    this.onClose();
  }
}

/** Replaces the names of keys with those of this platform, because they differ on macOS. */
function keysHere(keys: string): string {
  if (!navigator.platform.startsWith('Mac')) return keys;
  return keys.replaceAll('Ctrl+', '⌘').replaceAll('Alt+', '⌥').replaceAll('Shift+', '⇧');
}
