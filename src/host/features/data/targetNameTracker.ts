import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../base/disposable';
import { hasRight } from '../../../core/model/permissions';
import { targetId } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { StoreChange } from '../../../core/stores/listStore';
import type { BrowsableTarget } from '../../../manifest/commandArguments';
import type { DataFilter } from '../../../shared/data/dataFilter';
import type { FilterNames } from '../../../shared/data/dataPanel';
import type { Applied, DataSession } from './dataSession';
import { filterNames } from './filter/filterNames';
import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/displayText';

interface TargetEvents {
  /** Reports the name of the panel's target. */
  named(name: string): void;
  filterNamed(named: { readonly generation: number; readonly names: FilterNames }): void;
  canWrite(canWrite: boolean): void;
}

/** Tracks the names of a panel's resources and the key's permissions on them. */
export class TargetNameTracker extends Disposable {
  private following = this.register(new DisposableSet());
  /** Last known name of the target. */
  private known: string;

  constructor(
    session: Pick<DataSession, 'onDidApply'>,
    private readonly target: BrowsableTarget,
    private readonly news: TargetEvents,
  ) {
    super();
    this.known = target.name;
    this.register(session.onDidApply((applied) => this.track(applied)));
  }

  /**
   * Reports all names and permissions, initially and whenever they change, until another filter is
   * applied.
   */
  track(applied: Applied): void {
    this.release(this.following);
    this.following = this.register(new DisposableSet());
    const { stores, filter } = applied;
    const shown = collectIds(filter).add(targetId(this.target));
    const changed = ({ ids, removed, all }: StoreChange<string, string>): void => {
      if (all || [...ids, ...removed].some((id) => shown.has(id))) void this.notifyNames(applied);
    };
    for (const store of namedStores(stores)) this.following.add(store.onDidChange(changed));
    this.following.add(stores.access.onDidChange(() => void this.notifyRight(applied)));
    void this.notifyNames(applied);
    void this.notifyRight(applied);
  }

  private async notifyNames({ stores, filter, generation, browse }: Applied): Promise<void> {
    const [{ name, text }, names] = await Promise.all([
      targetName(stores, this.target, this.known),
      filterNames(stores, filter),
    ]);
    if (this.isDisposed || browse.isDisposed) return;
    this.known = name;
    this.news.named(text);
    this.news.filterNamed({ generation, names });
  }

  private async notifyRight({ stores, browse }: Applied): Promise<void> {
    const granted = await stores.access.getPermissionsFor(this.target);
    if (this.isDisposed || browse.isDisposed) return;
    this.news.canWrite(hasRight(this.target.kind, granted, 'writeData'));
  }
}

function collectIds({ organizations, locations, machine, part, dataset }: DataFilter): Set<string> {
  return new Set([...organizations, ...locations, machine, part, dataset]);
}

function namedStores({ organizations, locations, machines, parts, datasets }: FleetStores) {
  return [organizations, locations, machines, parts, datasets] as const;
}

/** Name of a panel's target. */
export interface TargetName {
  readonly name: string;
  /** Name as displayed. */
  readonly text: string;
}

/**
 * Returns a target's current name, or the previous name if the current one can't be read. Marks a
 * deleted target, because then the filter isn't the reason for an empty result.
 * @param known previous name
 */
async function targetName(
  stores: FleetStores,
  target: BrowsableTarget,
  known: string,
): Promise<TargetName> {
  const id = targetId(target);
  try {
    const name = await readTargetName(stores, target);
    return { name, text: displayName({ name, id }) };
  } catch (error) {
    const text = displayName({ name: known, id });
    const isGone = error instanceof FleetError && error.kind === 'notFound';
    return {
      name: known,
      text: isGone ? vscode.l10n.t('{0} (deleted or no access)', text) : text,
    };
  }
}

async function readTargetName(stores: FleetStores, target: BrowsableTarget): Promise<string> {
  switch (target.kind) {
    case 'organization':
      return (await stores.organizations.get(target.organizationId)).name;
    case 'location':
      return (await stores.locations.get(target.locationId)).name;
    case 'machine':
      return (await stores.machines.get(target.machineId)).name;
    case 'part':
      return (await stores.parts.get(target.partId)).name;
    case 'dataset':
      return (await stores.datasets.get(target.datasetId)).name;
  }
}
