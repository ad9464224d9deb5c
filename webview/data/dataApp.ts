import * as l10n from '@vscode/l10n';
import { getRecoveryLabel } from '../ui/createErrorBox';
import type { DataFilter } from '../../src/shared/data/dataFilter';
import type {
  DataStart,
  DataTab,
  FilterApplied,
  FilterNames,
  Outdated,
  PanelErrorState,
  TabCount,
} from '../../src/shared/data/dataPanel';
import type { RecoveryAction } from '../../src/shared/recoveryAction';
import { createRecoveryHandlers } from '../messaging/hostConnection';
import { button, element, readOnlyNote, textButton, toolButton } from '../ui/elements';
import type { DataContext } from './dataContext';
import { DropTarget } from './drops/dropTarget';
import { FilterView } from './filter/filterView';
import { ItemsTab } from './items/itemsTab';
import { ReadingsTab } from './readings/readingsTab';
import { TAB_PANEL, TabBar, type TabView } from './tabBar';
import type { SuspendedReview } from '../../src/shared/data/proposals';

interface DataAppOptions {
  readonly start: DataStart;
  readonly context: DataContext;
  /** Saves state that is restored after the window is reloaded. */
  readonly saveState: (state: { readonly filter?: DataFilter; readonly tab?: DataTab }) => void;
}

/** The frame of a data panel: filter, tabs, and the content of the selected tab. */
export class DataApp {
  private readonly tabs: TabBar;
  private readonly filter: FilterView;
  private readonly notice: ChangeNotice;
  /** Notice that the service doesn't respond. */
  private readonly silence = element('div', { class: 'silence-notice', role: 'status' });
  /** VS Code shows the title on the panel's tab; this heading is for screen readers. */
  private readonly heading = element('h1', { class: 'visually-hidden' });
  private readonly state = new FrameState();
  private readonly panel = element('div', {
    role: 'tabpanel',
    id: TAB_PANEL,
    class: 'tab-panel',
  });
  private readonly views = new Map<DataTab, TabView>();
  private readonly counts = new Map<DataTab, TabCount>();
  private generation = 0;
  /** The current generation's filter; the filter bar can already show a newer one. */
  private applied: DataFilter;
  private errorState: PanelErrorState = {};
  private tab: DataTab;

  constructor(
    root: HTMLElement,
    private readonly options: DataAppOptions,
  ) {
    const { start, context } = options;
    this.tab = start.tab;
    this.applied = start.filter;
    this.filter = new FilterView(context, start);
    this.tabs = new TabBar(context.locale, (tab) => void this.choose(tab));
    this.notice = new ChangeNotice(() => this.refresh());
    const refresh = toolButton(l10n.t('Refresh'), () => this.refresh(), { focusKey: 'refresh' });
    const suspended = new SuspendedNotice(context, () => this.view().focus());
    const drops = new DropTarget(root, context);
    const tools = element(
      'div',
      { class: 'frame-tools' },
      readOnlyNote(context.readOnly),
      drops.button,
      refresh,
    );
    const bar = element('div', { class: 'bar' }, this.tabs.element, tools);
    this.heading.textContent = start.title;
    root.replaceChildren(
      element(
        'header',
        {},
        this.heading,
        this.filter.element,
        bar,
        this.silence,
        this.notice.element,
        suspended.element,
      ),
      this.panel,
    );
    this.silence.hidden = true;
    this.tabs.select(this.tab);
    this.panel.setAttribute('aria-labelledby', `tab-${this.tab}`);
  }

  /** Reloads everything after the host has applied another filter. */
  filterApplied({ generation, filter }: FilterApplied): void {
    this.generation = generation;
    this.applied = filter;
    this.counts.clear();
    this.notice.hide();
    this.tabs.counting();
    this.filter.show(filter);
    this.options.saveState({ filter });
    this.present();
  }

  titled(title: string): void {
    this.heading.textContent = title;
  }

  filterNamed({ generation, names }: { generation: number; names: FilterNames }): void {
    if (generation === this.generation) this.filter.name(names);
  }

  counted(count: TabCount): void {
    if (count.generation !== this.generation) return;
    this.counts.set(count.tab, count);
    this.tabs.count(count);
    if (count.tab === this.tab) this.present();
  }

  /** Updates a count; doesn't change the listed items. */
  recounted(count: TabCount): void {
    if (count.generation === this.generation) this.tabs.count(count);
  }

  /**
   * Refreshes the content immediately, unless that would disturb the user or the content is hidden.
   */
  outdated({ generation, tabs }: Outdated): void {
    if (generation !== this.generation) return;
    if (tabs.includes(this.tab) && this.view().hasActiveItems?.() === false) this.refresh();
    else this.notice.show();
  }

  showErrorState(errorState: PanelErrorState): void {
    this.errorState = errorState;
    if (errorState.problem !== undefined) this.present();
  }

  /**
   * @param text message that the service doesn't respond; undefined when the service responds
   *   again.
   */
  silenceChanged(text: string | undefined): void {
    const isOver = text === undefined && !this.silence.hidden;
    this.silence.hidden = text === undefined;
    this.silence.textContent = text ?? '';
    // Refresh if counting failed while the service didn't respond.
    if (isOver && this.counts.get(this.tab)?.problem !== undefined) this.refresh();
  }

  private refresh(): void {
    this.options.context.host.send('refresh', undefined);
  }

  /**
   * Called when the host opens a view in the panel. If the current tab has unfinished changes, it
   * stays selected, and the host is notified.
   */
  async tabOpened(tab: DataTab): Promise<void> {
    await this.choose(tab);
    if (this.tab !== tab) this.options.context.host.send('setTab', { tab: this.tab });
  }

  private async choose(tab: DataTab): Promise<void> {
    if (tab === this.tab || !(await this.view().leave())) return;
    this.tab = tab;
    this.tabs.select(tab);
    this.panel.setAttribute('aria-labelledby', `tab-${tab}`);
    this.options.saveState({ tab });
    this.options.context.host.send('setTab', { tab });
    this.present();
  }

  /** Shows the tab, or the reason why it can't be shown. */
  private present(): void {
    const counted = this.counts.get(this.tab);
    const { errorState } = this;
    if (errorState.problem !== undefined) {
      this.presentProblem(errorState.problem, errorState.recovery ?? 'retry');
      return;
    }
    if (counted?.problem !== undefined) {
      const text = l10n.t("Couldn't count the items: {0}", counted.problem);
      this.presentProblem(text, counted.recovery ?? 'retry');
      return;
    }
    const view = this.view();
    if (view.element.parentElement !== this.panel) this.panel.replaceChildren(view.element);
    if (this.generation === 0) return;
    const { generation, applied, filter } = this;
    const { restore: clearFilter } = filter;
    view.show({ generation, count: counted?.count, filter: applied, clearFilter });
  }

  private presentProblem(problem: string, recovery: RecoveryAction): void {
    const { host } = this.options.context;
    const actions = createRecoveryHandlers(host, () => this.refresh());
    this.state.show(problem, { label: getRecoveryLabel(recovery), onPress: actions[recovery] });
    this.panel.replaceChildren(this.state.element);
  }

  private view(): TabView {
    const known = this.views.get(this.tab);
    if (known) return known;
    const made = this.make(this.tab);
    this.views.set(this.tab, made);
    return made;
  }

  private make(tab: DataTab): TabView {
    const { context } = this.options;
    return tab === 'readings' ? new ReadingsTab(context) : new ItemsTab(context, tab);
  }
}

interface FrameAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** Placeholder for a tab that can't be shown, with the reason and the recovery actions. */
class FrameState {
  readonly element = element('div', { class: 'frame-state', role: 'alert' });

  show(text: string, { label, onPress }: FrameAction): void {
    this.element.replaceChildren(
      element('p', {}, text),
      button(label, onPress, { focusKey: 'frame action', primary: true }),
    );
  }
}

/** Shows that the content might no longer match the filter, and offers to reload it. */
class ChangeNotice {
  readonly element = element('div', { class: 'change-notice', role: 'status' });

  constructor(private readonly onRefresh: () => void) {
    this.hide();
  }

  show(): void {
    if (!this.element.hidden) return;
    this.element.hidden = false;
    this.element.replaceChildren(
      element('span', {}, l10n.t('Data has changed. Other items might match now.')),
      textButton(l10n.t('Refresh'), this.onRefresh, {
        focusKey: 'refresh changed',
        hint: l10n.t('Refresh'),
      }),
    );
  }

  hide(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

/** Offers to resume a review that the user closed before the accepted labels were saved. */
class SuspendedNotice {
  readonly element = element('div', { class: 'suspended-notice', role: 'status' });
  private isKnown = false;

  /**
   * @param discarded called after the review is discarded; must move focus to the remaining content
   */
  constructor(
    private readonly context: DataContext,
    private readonly discarded: () => void,
  ) {
    const { host, onDidChangeSuspendedReview } = context;
    this.element.hidden = true;
    onDidChangeSuspendedReview((suspended) => {
      this.isKnown = true;
      this.show(suspended);
    });
    void host
      .request('suspendedReview', undefined)
      // The response can be older than a state that the host has reported since.
      .then(({ suspended }) => this.isKnown || this.show(suspended))
      .catch(() => undefined);
  }

  private show(suspended: SuspendedReview | undefined): void {
    const { host } = this.context;
    this.element.hidden = !suspended;
    this.element.replaceChildren();
    if (!suspended) return;
    const { run, text } = suspended;
    const discardReview = (): void => {
      host.send('discardReview', { run });
      this.discarded();
    };
    this.element.append(
      element('span', { dir: 'auto' }, text),
      textButton(l10n.t('Resume Review'), () => host.send('resumeReview', { run }), {
        focusKey: 'resume review',
        hint: l10n.t('Reopen the review with all decisions'),
      }),
      textButton(l10n.t('Discard'), discardReview, {
        focusKey: 'discard review',
        hint: l10n.t('Discard the unsaved labels'),
      }),
    );
  }
}
