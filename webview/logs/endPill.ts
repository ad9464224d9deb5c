import type { LogStrings } from '../../src/shared/logStrings';
import { element } from '../ui/elements';
import { toolButton } from '../ui/toolButton';
import type { CountFormatter } from './createCountFormatter';

/** Shows that there are newer lines below the visible ones, and scrolls to them when pressed. */
export class EndPill {
  readonly element: HTMLButtonElement;
  private readonly text = element('span');
  private below = 0;
  private following = true;

  constructor(
    private readonly strings: LogStrings,
    private readonly count: CountFormatter,
    onPress: () => void,
  ) {
    const arrow = element('span', { 'aria-hidden': 'true' }, '↓ ');
    this.element = toolButton(arrow, onPress, { focusKey: 'to end', class: 'pill' });
    this.element.append(this.text);
    this.show();
  }

  setTailing(following: boolean): void {
    this.following = following;
    if (following) this.below = 0;
    this.show();
  }

  /** Adds a number of new lines. */
  add(lines: number): void {
    if (!this.following) this.below += Math.max(0, lines);
    this.show();
  }

  private show(): void {
    const { actions } = this.strings;
    const { below } = this;
    const text =
      below > 0 ? this.count.of(below, actions.newLine, actions.newLines) : actions.scrollToEnd;
    this.element.hidden = this.following;
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}
