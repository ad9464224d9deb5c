import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { toErrorState } from '../messaging/toErrorState';
import { element, textButton } from '../ui/elements';

/**
 * The last error, or the reason why an action is unavailable, until the user dismisses it or takes
 * another action.
 */
export class NoticeBar {
  readonly element = element('div', { class: 'query-notice', role: 'alert' });

  constructor(
    private readonly strings: Pick<QueryFrameStrings, 'states' | 'ways'>,
    private readonly recover: (way: HostRecoveryAction) => void,
    private readonly onDismiss: () => void,
  ) {
    this.clear();
  }

  showNotice(text: string): void {
    this.element.hidden = false;
    this.element.replaceChildren(element('span', {}, text));
    this.offer(this.strings.states.dismiss, 'query dismiss', () => undefined);
  }

  failed(error: unknown): void {
    const { message, way } = toErrorState(error);
    this.showNotice(message);
    if (way !== 'retry') this.offer(this.strings.ways[way], way, () => this.recover(way));
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
