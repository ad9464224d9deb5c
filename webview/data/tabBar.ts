import * as l10n from '@vscode/l10n';
import { type DataTab, dataTabs, type TabCount } from '../../src/shared/data/dataPanel';
import { element } from '../ui/elements';
import type { DataFilter } from '../../src/shared/data/dataFilter';

/** ID of the element that shows the selected tab's content. */
export const TAB_PANEL = 'tab-panel';

/** The tab bar, with a count on each tab. */
export class TabBar {
  readonly element: HTMLElement;
  private readonly tabs = new Map<DataTab, { tab: HTMLElement; count: HTMLElement }>();

  constructor(
    private readonly locale: string,
    private readonly onChoose: (tab: DataTab) => void,
  ) {
    this.element = element('div', {
      role: 'tablist',
      class: 'tabs',
      'aria-label': l10n.t('Data types'),
    });
    for (const name of dataTabs) this.element.append(this.tab(name));
    this.element.addEventListener('keydown', (event) => this.moved(event));
  }

  /** Marks the selected tab. */
  select(chosen: DataTab): void {
    for (const [name, { tab }] of this.tabs) {
      tab.setAttribute('aria-selected', String(name === chosen));
      tab.tabIndex = name === chosen ? 0 : -1;
    }
  }

  /** Called when all counts are requested again. Marks the counts as pending. */
  counting(): void {
    for (const { count } of this.tabs.values()) {
      count.textContent = '…';
      count.title = l10n.t('Counting…');
    }
  }

  count({ tab, count, problem }: TabCount): void {
    const shown = this.tabs.get(tab)?.count;
    if (!shown) return;
    shown.textContent = count === undefined ? '?' : count.toLocaleString(this.locale);
    shown.title = problem === undefined ? '' : l10n.t("Couldn't count the items: {0}", problem);
  }

  private tab(name: DataTab): HTMLElement {
    const count = element('span', { class: 'tab-count badge' });
    const tab = element(
      'button',
      { role: 'tab', type: 'button', class: 'tab', 'aria-controls': TAB_PANEL, id: `tab-${name}` },
      getTabNames()[name],
      count,
    );
    tab.addEventListener('click', () => this.onChoose(name));
    this.tabs.set(name, { tab, count });
    return tab;
  }

  private moved(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    const names = [...this.tabs.keys()];
    const at = names.findIndex((name) => this.tabs.get(name)?.tab === document.activeElement);
    const next = names[(at + step + names.length) % names.length];
    if (next === undefined) return;
    event.preventDefault();
    this.onChoose(next);
    this.tabs.get(next)?.tab.focus();
  }
}

/** Information about the content that a tab must show. */
export interface Shown {
  /** The applied filter's generation, to which the tab's requests refer. */
  readonly generation: number;
  /** Number of items; undefined during counting. */
  readonly count: number | undefined;
  /** The applied filter; absent until a filter is applied. */
  readonly filter?: DataFilter;
  /** Resets the filter to the panel target's own filter; absent if that filter already applies. */
  readonly clearFilter?: (() => void) | undefined;
}

/** A tab's content. Loads data only while it is visible. */
export interface TabView {
  readonly element: HTMLElement;
  /**
   * Shows the data that matches a filter. Called when the tab is opened, for each new filter, and
   * when the item count is known.
   */
  show(shown: Shown): void;
  /**
   * Called when another tab is selected. Stops loading. Resolves to false if unfinished changes
   * prevent leaving the tab.
   */
  leave(): Promise<boolean>;
  focus(): void;
  /**
   * Returns true if a refresh would disturb the user, for example by losing a selection or an open
   * item. A view without this method isn't refreshed automatically.
   */
  hasActiveItems?(): boolean;
}

/** Returns the names of the tabs. */
function getTabNames(): Readonly<Record<DataTab, string>> {
  return {
    images: l10n.t('Images'),
    pointClouds: l10n.t('Point Clouds'),
    files: l10n.t('Files'),
    readings: l10n.t('Readings'),
  };
}
