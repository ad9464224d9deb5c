import type { ItemStrings } from '../../../src/shared/data/items';
import { HostError, toErrorState } from '../../messaging/hostConnection';
import { button, element, progressRing, toolButton } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/format';
import type { RecoveryHandlers } from '../../ui/createErrorBox';
import type { DataContext } from '../dataContext';
import type { Shown } from '../tabBar';
import type { ItemFormatter } from './createItemFormatter';

/** Messages that replace a list, cover it, or appear in its corner. */
export class BoardStatus {
  /** Message that replaces the list while there are no items to show. */
  readonly state = element('div', { class: 'board-state', role: 'status' });
  readonly problem = element('div', { class: 'board-problem', role: 'alert' });
  readonly progress = element('div', { class: 'board-progress', role: 'status' });

  constructor(
    private readonly context: Pick<DataContext, 'host' | 'strings' | 'canWrite'>,
    private readonly text: ItemFormatter,
    private readonly actions: RecoveryHandlers,
  ) {
    this.problem.hidden = true;
  }

  private get strings(): ItemStrings {
    return this.context.strings.items;
  }

  /** Shows that there are no items, or that they are being counted. */
  showCount({ count, clearFilter }: Shown): void {
    const { context, strings } = this;
    const { loading } = strings;
    this.state.hidden = count !== undefined && count > 0;
    this.state.replaceChildren(
      ...(count === undefined
        ? [progressRing(loading), element('span', {}, loading)]
        : emptyList(context, strings, clearFilter)),
    );
  }

  /** Shows the loading progress up to the requested items. */
  showReading(read: number | undefined, count: number): void {
    const { text, strings } = this;
    const progressText =
      read === undefined
        ? ''
        : fillPlaceholders(strings.reading, text.number(read), text.number(count));
    if (this.progress.textContent !== progressText) this.progress.textContent = progressText;
  }

  /** Shows that loading failed, unless the error is due to a filter that no longer applies. */
  showProblem(error: unknown): void {
    if (error instanceof HostError && ['conflict', 'canceled'].includes(error.kind)) return;
    const { message, way } = toErrorState(error);
    const act = (): void => {
      // Keep the notice after other recovery actions, whose result is unknown; it disappears when
      // items are loaded.
      if (way === 'retry') this.clear();
      this.actions[way]();
    };
    this.problem.replaceChildren(
      element('span', {}, fillPlaceholders(this.strings.failed, message)),
      toolButton(this.context.strings.frame.ways[way], act, { focusKey: 'retry items' }),
    );
    this.problem.hidden = false;
    this.progress.textContent = '';
  }

  clear(): void {
    this.problem.hidden = true;
    this.progress.textContent = '';
  }
}

interface EmptyListStrings {
  /** Message if the user has set a filter. */
  readonly empty: string;
  /** Message if the user hasn't set a filter. */
  readonly nothingYet: string;
}

/**
 * Creates the placeholder for an empty list: a sentence and, if possible, a button to clear the
 * filter or upload files.
 * @param clearFilter absent if the filter is that of the panel's target
 */
export function emptyList(
  { host, strings, canWrite }: Pick<DataContext, 'host' | 'strings' | 'canWrite'>,
  { empty, nothingYet }: EmptyListStrings,
  clearFilter: (() => void) | undefined,
): HTMLElement[] {
  if (clearFilter) {
    const { clearFilter: label } = strings.frame;
    return [
      element('p', {}, empty),
      button(label, clearFilter, { focusKey: 'clear empty filter', primary: true }),
    ];
  }
  const sentence = element('p', {}, nothingYet);
  if (!canWrite) return [sentence];
  const upload = (): void => host.send('chooseFiles', undefined);
  const { upload: label } = strings.drops;
  return [sentence, button(label, upload, { focusKey: 'upload first', primary: true })];
}
