import type { QueryFrameStrings } from '../../../src/shared/query/queryFrameStrings';
import type { HistoryEntry } from '../../../src/shared/query/queryPanel';
import { element } from '../../ui/elements';
import { toolButton } from '../../ui/toolButton';

interface DetailActions {
  readonly use: (entry: HistoryEntry) => void;
  readonly runAgain: (entry: HistoryEntry) => void;
  readonly forget: (entry: HistoryEntry) => void;
}

/** The selected query from the history, with its full text and its actions. */
export class HistoryDetail {
  readonly element: HTMLElement;
  private readonly text: HTMLElement;
  private entry: HistoryEntry | undefined;

  constructor(strings: QueryFrameStrings['history'], actions: DetailActions) {
    const tool = (name: keyof DetailActions, hint: string): HTMLElement => {
      const press = (): void => {
        if (this.entry) actions[name](this.entry);
      };
      return toolButton(strings[name], press, { focusKey: `history ${name}`, hint });
    };
    this.text = element('pre', {
      ...{ class: 'history-whole', tabindex: '0', role: 'region', dir: 'auto' },
      'aria-label': strings.text,
    });
    const tools = [
      tool('use', strings.useHint),
      tool('runAgain', strings.runAgainHint),
      tool('forget', strings.forgetHint),
    ];
    this.element = element(
      'div',
      { class: 'history-detail' },
      element('div', { class: 'history-tools' }, ...tools),
      this.text,
    );
    this.show(undefined);
  }

  show(entry: HistoryEntry | undefined): void {
    this.entry = entry;
    this.element.hidden = entry === undefined;
    this.text.textContent = entry?.text ?? '';
    this.text.scrollTop = 0;
  }
}
