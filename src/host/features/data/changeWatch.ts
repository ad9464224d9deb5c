import { Disposable } from '../../../base/disposable';
import { CaptureBrowse } from '../../../core/data/captureBrowse';
import {
  type DataTab,
  dataTabs,
  type Outdated,
  type TabCount,
} from '../../../shared/data/dataPanel';
import type { DataSession } from './dataSession';
import type { BinaryChange } from '../../../core/stores/binaryDataStore';
import type { DataFilter } from '../../../shared/data/dataFilter';
import { isCanceled, toFleetError } from '../../../core/api/errors';
import { toRecoveryAction } from '../../../shared/recoveryAction';

/** Counts the items in all tabs concurrently, and reports each count when it's available. */
export async function countTabs(
  generation: number,
  browse: CaptureBrowse,
  notify: (count: TabCount) => void,
): Promise<void> {
  await Promise.all(dataTabs.map((tab) => countTab(generation, browse, tab, notify)));
}

async function countTab(
  generation: number,
  browse: CaptureBrowse,
  tab: DataTab,
  notify: (count: TabCount) => void,
): Promise<void> {
  try {
    const total =
      tab === 'readings' ? { count: await browse.countReadings() } : await browse.total(tab);
    notify({ generation, tab, ...total });
  } catch (error) {
    if (isCanceled(error) || browse.isDisposed) return;
    const { message, action } = toFleetError(error);
    notify({ generation, tab, problem: message, recovery: toRecoveryAction(action) });
  }
}

/** Returns true if a change can affect which items match a filter, not only their appearance. */
function altersSelection(
  { kind }: Pick<BinaryChange, 'kind'>,
  { tagsMode, labels, dataset }: Pick<DataFilter, 'tagsMode' | 'labels' | 'dataset'>,
): boolean {
  switch (kind) {
    case 'tags':
      return tagsMode !== 'any';
    case 'boxes':
      return labels.length > 0;
    case 'datasets':
      // The service also represents dataset membership as a tag on the item (spec part 1,
      // datasets).
      return dataset !== '' || tagsMode !== 'any';
    case 'deleted':
    case 'uploaded':
      return true;
  }
}

/** Debounce delay in milliseconds before reporting changes, which arrive in many calls. */
const QUIET_MS = 400;

const ITEM_TABS: readonly DataTab[] = dataTabs.filter((tab) => tab !== 'readings');

interface ChangeEvents {
  recounted(count: TabCount): void;
  outdated(outdated: Outdated): void;
}

/** Reports changes in this window that can affect the matches of a panel's filter. */
export class ChangeWatch extends Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private counting: CaptureBrowse | undefined;
  /** Tabs that might be outdated. */
  private readonly tabs = new Set<DataTab>();
  private changed = false;

  constructor(
    private readonly session: DataSession,
    private readonly news: ChangeEvents,
  ) {
    super();
    this.register(
      session.onDidChangeData((change) => {
        if (altersSelection(change, session.filter)) this.wait(ITEM_TABS);
      }),
    );
    this.register(session.onDidChangeReadings(() => this.wait(['readings'])));
    // Reads after a filter is applied include all earlier changes.
    this.register(
      session.onDidApply(() => {
        this.stop();
        this.changed = false;
      }),
    );
    this.register({ dispose: () => this.stop() });
  }

  /** True if the matches might have changed, so that a reloaded page must be notified. */
  get isOutdated(): boolean {
    return this.changed;
  }

  private wait(tabs: readonly DataTab[]): void {
    this.changed = true;
    for (const tab of tabs) this.tabs.add(tab);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.notifyOutdated(), QUIET_MS);
  }

  private notifyOutdated(): void {
    if (!this.session.isAtWork) return;
    const tabs = [...this.tabs];
    this.stop();
    const { generation, browse, stores } = this.session.current;
    this.news.outdated({ generation, tabs });
    this.counting = new CaptureBrowse(stores, browse.filter);
    void countTabs(generation, this.counting, (count) => this.news.recounted(count));
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.tabs.clear();
    this.counting?.dispose();
    this.counting = undefined;
  }
}
