import * as l10n from '@vscode/l10n';
import { getRecoveryLabel } from '../../ui/createErrorBox';
import { HostError, toErrorState } from '../../messaging/hostConnection';
import { button, element, progressRing, toolButton } from '../../ui/elements';
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
    private readonly context: Pick<DataContext, 'host' | 'canWrite'>,
    private readonly text: ItemFormatter,
    private readonly actions: RecoveryHandlers,
  ) {
    this.problem.hidden = true;
  }

  /** Shows that there are no items, or that they are being counted. */
  showCount({ count, clearFilter }: Shown): void {
    const { context } = this;
    this.state.hidden = count !== undefined && count > 0;
    this.state.replaceChildren(
      ...(count === undefined
        ? [progressRing(l10n.t('Loading…')), element('span', {}, l10n.t('Loading…'))]
        : emptyList(
            context,
            {
              empty: l10n.t('No items match the filter.'),
              nothingYet: l10n.t('Nothing has been captured here yet.'),
            },
            clearFilter,
          )),
    );
  }

  /** Shows the loading progress up to the requested items. */
  showReading(read: number | undefined, count: number): void {
    const { text } = this;
    const progressText =
      read === undefined
        ? ''
        : l10n.t('Loading {0} of {1}…', text.number(read), text.number(count));
    if (this.progress.textContent !== progressText) this.progress.textContent = progressText;
  }

  /** Shows that loading failed, unless the error is due to a filter that no longer applies. */
  showProblem(error: unknown): void {
    if (error instanceof HostError && ['conflict', 'canceled'].includes(error.kind)) return;
    const { message, recovery } = toErrorState(error);
    const act = (): void => {
      // Keep the notice after other recovery actions, whose result is unknown; it disappears when
      // items are loaded.
      if (recovery === 'retry') this.clear();
      this.actions[recovery]();
    };
    this.problem.replaceChildren(
      element('span', {}, l10n.t("Couldn't load the items: {0}", message)),
      toolButton(getRecoveryLabel(recovery), act, { focusKey: 'retry items' }),
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
 * @param clearFilter absent if the filter is the panel target's own filter
 */
export function emptyList(
  { host, canWrite }: Pick<DataContext, 'host' | 'canWrite'>,
  { empty, nothingYet }: EmptyListStrings,
  clearFilter: (() => void) | undefined,
): HTMLElement[] {
  if (clearFilter) {
    return [
      element('p', {}, empty),
      button(l10n.t('Clear Filter'), clearFilter, {
        focusKey: 'clear empty filter',
        primary: true,
      }),
    ];
  }
  const sentence = element('p', {}, nothingYet);
  if (!canWrite) return [sentence];
  const upload = (): void => host.send('chooseFiles', undefined);
  return [sentence, button(l10n.t('Upload…'), upload, { focusKey: 'upload first', primary: true })];
}
