import { type TabCount } from '../../src/shared/data/dataPanel';
import { type DataTab, dataTabs } from '../../src/shared/data/dataTabs';
import type { FrameStrings } from '../../src/shared/data/frameStrings';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';

/** ID of the element that shows the content of the selected tab. */
export const TAB_PANEL = 'tab-panel';

/** The tab bar, with a count on each tab. */
export class TabBar {
  readonly element: HTMLElement;
  private readonly tabs = new Map<DataTab, { tab: HTMLElement; count: HTMLElement }>();

  constructor(
    private readonly strings: FrameStrings,
    private readonly locale: string,
    private readonly onChoose: (tab: DataTab) => void,
  ) {
    this.element = element('div', { role: 'tablist', class: 'tabs', 'aria-label': strings.tabs });
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

  /** Called when all counts are requested again: marks them as pending. */
  counting(): void {
    for (const { count } of this.tabs.values()) {
      count.textContent = '…';
      count.title = this.strings.counting;
    }
  }

  count({ tab, count, problem }: TabCount): void {
    const shown = this.tabs.get(tab)?.count;
    if (!shown) return;
    shown.textContent = count === undefined ? '?' : count.toLocaleString(this.locale);
    shown.title = problem === undefined ? '' : fillPlaceholders(this.strings.notCounted, problem);
  }

  private tab(name: DataTab): HTMLElement {
    const count = element('span', { class: 'tab-count badge' });
    const tab = element(
      'button',
      { role: 'tab', type: 'button', class: 'tab', 'aria-controls': TAB_PANEL, id: `tab-${name}` },
      this.strings.tabNames[name],
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
