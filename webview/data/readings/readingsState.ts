import * as l10n from '@vscode/l10n';
import { getRecoveryLabel } from '../../ui/createErrorBox';
import { toErrorState } from '../../messaging/hostConnection';
import { button, element, progressRing } from '../../ui/elements';
import type { RecoveryHandlers } from '../../ui/createErrorBox';
import type { DataContext } from '../dataContext';
import { emptyList } from '../items/boardStatus';

/**
 * Placeholder shown instead of readings while they are loading, when there are none, or when
 * loading failed.
 */
export class ReadingsState {
  readonly element = element('div', { class: 'readings-state' });

  constructor(
    private readonly context: Pick<DataContext, 'host' | 'canWrite'>,
    private readonly actions: RecoveryHandlers,
  ) {
    this.clear();
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  showLoading(): void {
    this.put(
      progressRing(l10n.t('Loading…')),
      element('p', { role: 'status' }, l10n.t('Loading…')),
    );
  }

  showEmpty(clearFilter: (() => void) | undefined): void {
    const strings = {
      empty: l10n.t('No readings match the filter.'),
      nothingYet: l10n.t('No readings have been captured here yet.'),
    };
    this.put(element('div', { role: 'status' }, ...emptyList(this.context, strings, clearFilter)));
  }

  showFailure(error: unknown): void {
    const { message, recovery } = toErrorState(error);
    this.put(
      element('p', { role: 'alert' }, l10n.t("Couldn't load the readings. {0}", message)),
      button(getRecoveryLabel(recovery), this.actions[recovery], {
        focusKey: 'readings retry',
        primary: true,
      }),
    );
  }

  private put(...children: HTMLElement[]): void {
    this.element.replaceChildren(...children);
    this.element.hidden = false;
  }
}
