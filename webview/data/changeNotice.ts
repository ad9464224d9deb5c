import type { FrameStrings } from '../../src/shared/data/frameStrings';
import { element, textButton } from '../ui/elements';

/** Shows that the content might no longer match the filter, and offers to reload it. */
export class ChangeNotice {
  readonly element = element('div', { class: 'change-notice', role: 'status' });

  constructor(
    private readonly strings: FrameStrings,
    private readonly onRefresh: () => void,
  ) {
    this.hide();
  }

  show(): void {
    const { changed, refresh } = this.strings;
    if (!this.element.hidden) return;
    this.element.hidden = false;
    this.element.replaceChildren(
      element('span', {}, changed),
      textButton(refresh, this.onRefresh, { focusKey: 'refresh changed', hint: refresh }),
    );
  }

  hide(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
