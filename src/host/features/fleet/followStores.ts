import { DisposableSet } from '../../../base/disposable';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetListings } from './fleetListings';
import type { FleetNode } from './nodes/fleetNode';

type Kind = FleetNode['kind'];

/** A tree that is to show what stores tell. */
export interface FollowingTree {
  /** What it groups and filters by now. */
  readonly listings: () => FleetListings | undefined;
  /** Reads nodes again by their kind and id. */
  readonly refresh: (kind: Kind, ids: readonly string[]) => void;
  /** The same for what is grouped and filtered. */
  readonly refreshListed: (kind: Kind, ids: readonly string[]) => void;
  readonly refreshAll: () => void;
  /** Reads the open nodes of a kind again. */
  readonly refreshOpened: (kind: Kind) => void;
}

/** Has a tree read again what a change in a store concerns, until the result is disposed of. */
export function followStores(
  stores: FleetStores,
  { listings, refresh, refreshListed, refreshAll, refreshOpened }: FollowingTree,
): DisposableSet {
  const following = new DisposableSet();
  following.add(stores.access.onDidChange(refreshAll));
  following.add(
    stores.organizations.onDidChange(({ list }) => {
      if (list) refreshAll();
    }),
  );
  following.add(
    stores.locations.onDidChange(({ parents }) => refreshListed('organization', parents)),
  );
  following.add(stores.machines.onDidChange(({ parents }) => refreshListed('location', parents)));
  following.add(
    stores.parts.onDidChange(({ ids, removed, parents, all }) => {
      if (all) listings()?.forgetUses();
      if (ids.length + removed.length > 0) listings()?.machinesChanged(parents);
      refresh('machine', parents);
    }),
  );
  following.add(
    stores.fragments.onDidChange(({ parents }) => {
      listings()?.fragmentsChanged();
      refreshListed('fragments', parents);
    }),
  );
  following.add(stores.datasets.onDidChange(({ parents }) => refreshListed('datasets', parents)));
  following.add(
    stores.binaryData.onDidChange(({ kind }) => {
      // What datasets hold has changed, of which a tooltip tells.
      if (kind === 'datasets' || kind === 'deleted') refreshOpened('datasets');
    }),
  );
  following.add(
    stores.registry.onDidChange(({ parents }) => {
      refreshListed('modules', parents);
      refreshListed('otherItems', parents);
    }),
  );
  following.add(stores.members.onDidChange(({ parents }) => refresh('members', parents)));
  following.add(stores.apiKeys.onDidChange(({ parents }) => refresh('apiKeys', parents)));
  return following;
}
