import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import { element, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';

/** What went wrong last, or why something cannot be done, until it is dismissed or another thing is done. */
export class NoticeBar {
  readonly element = element('div', { class: 'query-notice', role: 'alert' });

  constructor(
    private readonly strings: QueryFrameStrings['states'],
    private readonly onDismiss: () => void,
  ) {
    this.clear();
  }

  tell(text: string): void {
    const { dismiss } = this.strings;
    const press = (): void => {
      this.clear();
      this.onDismiss();
    };
    this.element.hidden = false;
    this.element.replaceChildren(
      element('span', {}, text),
      textButton(dismiss, press, { focusKey: 'query dismiss', hint: dismiss }),
    );
  }

  failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.tell(fillPlaceholders(this.strings.failed, reason));
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
