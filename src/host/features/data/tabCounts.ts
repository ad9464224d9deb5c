import { isCanceled, toFleetError } from '../../../core/api/errors';
import type { CaptureBrowse } from '../../../core/data/captureBrowse';
import { type TabCount } from '../../../shared/data/dataPanel';
import { type DataTab, dataTabs } from '../../../shared/data/dataTabs';
import { toRecoveryAction } from '../../../shared/recoveryAction';

/** Counts the items of all tabs concurrently, and reports each count when it's available. */
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
    notify({ generation, tab, problem: message, way: toRecoveryAction(action) });
  }
}
