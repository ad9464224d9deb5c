import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import type { HostWayOut } from '../../src/shared/wayOut';
import { troubleOf } from '../messaging/troubleOf';
import { element, textButton } from '../ui/elements';

/**
 * The last error, or the reason why an action is unavailable, until the user dismisses it or does
 * something else.
 */
export class NoticeBar {
  readonly element = element('div', { class: 'query-notice', role: 'alert' });

  constructor(
    private readonly strings: Pick<QueryFrameStrings, 'states' | 'ways'>,
    private readonly wayOut: (way: HostWayOut) => void,
    private readonly onDismiss: () => void,
  ) {
    this.clear();
  }

  tell(text: string): void {
    this.element.hidden = false;
    this.element.replaceChildren(element('span', {}, text));
    this.offer(this.strings.states.dismiss, 'query dismiss', () => undefined);
  }

  failed(error: unknown): void {
    const { message, way } = troubleOf(error);
    this.tell(message);
    if (way !== 'retry') this.offer(this.strings.ways[way], way, () => this.wayOut(way));
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  private offer(label: string, focusKey: string, act: () => void): void {
    const press = (): void => {
      this.clear();
      this.onDismiss();
      act();
    };
    this.element.append(textButton(label, press, { focusKey, hint: label }));
  }
}
