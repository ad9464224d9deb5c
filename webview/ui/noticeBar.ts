import * as l10n from '@vscode/l10n';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { toErrorState } from '../messaging/hostConnection';
import { getRecoveryLabel } from './createErrorBox';
import { element, textButton } from './elements';

interface NoticeBarOptions {
  /** CSS class of the bar. */
  readonly class: string;
  /** Sentence that precedes the message of an error; absent if the message is sufficient. */
  readonly failed?: string;
  readonly recover: (recovery: HostRecoveryAction) => void;
  /** Runs after the user presses one of the bar's buttons, for example to move the focus. */
  readonly onDismiss: () => void;
}

/**
 * Shows the last error, or the reason why an action is unavailable, until the user dismisses it or
 * the owner clears it.
 */
export class NoticeBar {
  readonly element: HTMLElement;

  constructor(private readonly options: NoticeBarOptions) {
    this.element = element('div', { class: options.class, role: 'alert' });
    this.clear();
  }

  showNotice(text: string): void {
    this.show(text);
    this.offerDismissal();
  }

  showError(error: unknown): void {
    const { failed, recover } = this.options;
    const { message, recovery } = toErrorState(error);
    this.show(failed === undefined ? message : `${failed} ${message}`);
    if (recovery !== 'retry') {
      this.offer(getRecoveryLabel(recovery), recovery, () => recover(recovery));
    }
    this.offerDismissal();
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  private show(text: string): void {
    this.element.hidden = false;
    this.element.replaceChildren(element('span', {}, text));
  }

  private offerDismissal(): void {
    this.offer(l10n.t('Dismiss'), 'dismiss', () => undefined);
  }

  private offer(label: string, focusKey: string, act: () => void): void {
    const press = (): void => {
      this.clear();
      this.options.onDismiss();
      act();
    };
    this.element.append(textButton(label, press, { focusKey, hint: label }));
  }
}
