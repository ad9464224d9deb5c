import type { DataFilter } from '../../src/shared/data/dataFilter';
import type { DataStart, DataTab, FilterApplied, TabCount } from '../../src/shared/data/dataPanel';
import { element } from '../ui/elements';
import { toolButton } from '../ui/toolButton';
import type { DataContext } from './dataContext';
import { ItemsTab } from './items/itemsTab';
import { TAB_PANEL, TabBar } from './tabBar';
import type { TabView } from './tabView';

interface DataAppOptions {
  readonly start: DataStart;
  readonly context: DataContext;
  /** Keeps what a reload of the window comes back to. */
  readonly keep: (state: { readonly filter?: DataFilter; readonly tab?: DataTab }) => void;
}

/** The frame of a data panel: filter, tabs, and the tab that is shown. */
export class DataApp {
  private readonly tabs: TabBar;
  private readonly panel = element('div', {
    role: 'tabpanel',
    id: TAB_PANEL,
    class: 'tab-panel',
  });
  private readonly views = new Map<DataTab, TabView>();
  private readonly counts = new Map<DataTab, number | undefined>();
  private generation = 0;
  private tab: DataTab;

  constructor(
    root: HTMLElement,
    private readonly options: DataAppOptions,
  ) {
    const { start, context } = options;
    const { frame } = context.strings;
    this.tab = start.tab;
    this.tabs = new TabBar(frame, context.locale, (tab) => void this.choose(tab));
    const refresh = toolButton(frame.refresh, () => context.host.send('refresh', undefined), {
      focusKey: 'refresh',
    });
    const bar = element('div', { class: 'bar' }, this.tabs.element, refresh);
    root.replaceChildren(element('header', {}, bar), this.panel);
    this.tabs.select(this.tab);
    this.open();
  }

  /** A filter is at work anew: everything that is shown is read again. */
  filterApplied({ generation, filter }: FilterApplied): void {
    this.generation = generation;
    this.counts.clear();
    this.tabs.counting();
    this.options.keep({ filter });
    this.showTab();
  }

  filterNamed(): void {
    // The filter bar takes these.
  }

  counted(count: TabCount): void {
    if (count.generation !== this.generation) return;
    this.counts.set(count.tab, count.count);
    this.tabs.count(count);
    if (count.tab === this.tab) this.showTab();
  }

  itemsChanged(): void {
    // The tabs of items take these.
  }

  private async choose(tab: DataTab): Promise<void> {
    if (tab === this.tab || !(await this.view().leave())) return;
    this.tab = tab;
    this.tabs.select(tab);
    this.options.keep({ tab });
    this.options.context.host.send('setTab', { tab });
    this.open();
  }

  private open(): void {
    this.panel.replaceChildren(this.view().element);
    this.panel.setAttribute('aria-labelledby', `tab-${this.tab}`);
    if (this.generation > 0) this.showTab();
  }

  private showTab(): void {
    const count = this.counts.get(this.tab);
    this.view().show({ generation: this.generation, count });
  }

  private view(): TabView {
    const known = this.views.get(this.tab);
    if (known) return known;
    const made = this.make(this.tab);
    this.views.set(this.tab, made);
    return made;
  }

  private make(tab: DataTab): TabView {
    return new ItemsTab(this.options.context, tab === 'readings' ? 'files' : tab);
  }
}
