import { FleetError } from '../api/errors';
import type { FleetStores } from '../stores/fleetStores';
import type { PlacedPart } from '../stores/machinesInScope';
import type { PartStore } from '../stores/partStore';
import { type BulkOutcome, runBulk, type BulkRunOptions } from './bulkRun';
import { changedConfig, type ConfigChange } from './configChange';
import { refuseDeployment } from './refuseDeployment';

/** What one part's config is and what it becomes. */
export interface PlannedChange {
  readonly part: PlacedPart;
  readonly before: string;
  readonly after: string;
}

/** What a change would do, part by part, read but not written. */
export interface ChangePlan {
  readonly changes: readonly PlannedChange[];
  /** Parts that are as wanted already. */
  readonly unchanged: readonly PlacedPart[];
  readonly failed: readonly Extract<BulkOutcome<PlacedPart>, { readonly state: 'failed' }>[];
}

/**
 * Reads the configs as they are now and works out what the change makes of each. Nothing is written.
 * @throws the signal's reason when it aborts: half a plan is of no use.
 */
export async function planChanges(
  stores: Pick<FleetStores, 'fragments' | 'parts'>,
  parts: readonly PlacedPart[],
  change: ConfigChange,
  options: BulkRunOptions,
): Promise<ChangePlan> {
  const { signal } = options;
  const planned = new Map<PlacedPart, PlannedChange>();
  const outcomes = await runBulk(
    parts,
    async (part) => {
      const { configText } = await stores.parts.get(part.target.partId, {
        signal,
        fresh: true,
      });
      const after = changedConfig(configText, change);
      if (change.kind === 'deployModule') {
        await refuseDeployment(stores.fragments, part.target, configText, change, signal);
      }
      planned.set(part, { part, before: configText, after });
    },
    options,
  );
  signal.throwIfAborted();
  const all = parts.flatMap((part) => planned.get(part) ?? []);
  return {
    changes: all.filter(({ before, after }) => before !== after),
    unchanged: all.filter(({ before, after }) => before === after).map(({ part }) => part),
    failed: outcomes.filter((outcome) => outcome.state === 'failed'),
  };
}

/**
 * Writes one planned change, unless the config has changed since the plan was made. The part is read right
 * before: a service can ignore the version that is sent along, and the name goes along with every update.
 * @throws FleetError `conflict` then, and whatever the service refuses.
 */
export async function applyPlanned(store: PartStore, planned: PlannedChange): Promise<void> {
  const { partId } = planned.part.target;
  const { name, configText, lastUpdated } = await store.get(partId, { fresh: true });
  if (configText !== planned.before) {
    throw new FleetError('conflict', 'The config has changed since it was loaded.');
  }
  await store.updateConfig(partId, {
    name,
    configText: planned.after,
    lastKnownUpdate: lastUpdated,
  });
}
