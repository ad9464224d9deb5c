import { type LevelKind, levelKinds } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { element } from '../ui/elements';
import { type ToggleButton, toggleButton } from '../ui/toolButton';

/** Toggle buttons for the levels that are shown. */
export class LevelSwitches {
  readonly element: HTMLElement;
  private readonly switches = new Map<LevelKind, ToggleButton>();

  constructor({ levels: labels }: LogStrings, onChange: (levels: readonly LevelKind[]) => void) {
    for (const kind of levelKinds) {
      const change = (on: boolean): void =>
        onChange(levelKinds.filter((one) => (one === kind ? on : this.isOn(one))));
      const word = element('span', { class: 'level-word' }, labels[kind]);
      const label = element('span', { class: `level-name level-${kind}` }, word);
      const options = { focusKey: `level ${kind}`, hint: labels[kind] };
      this.switches.set(kind, toggleButton(label, change, options));
    }
    const all = [...this.switches.values()].map((one) => one.element);
    this.element = element('div', { role: 'group', class: 'levels', 'aria-label': labels.label });
    this.element.append(...all);
  }

  show(levels: readonly LevelKind[]): void {
    for (const [kind, one] of this.switches) one.setOn(levels.includes(kind));
  }

  private isOn(kind: LevelKind): boolean {
    return this.switches.get(kind)?.element.getAttribute('aria-pressed') === 'true';
  }
}
