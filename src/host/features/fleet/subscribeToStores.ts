import { DisposableSet } from '../../../base/disposable';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetListings } from './fleetListings';
import type { FleetNode } from './nodes/fleetNode';

type Kind = FleetNode['kind'];

/** Tree that must reflect changes in stores. */
export interface RefreshableTree {
  /** Returns the listings of the current grouping and filter. */
  readonly listings: () => FleetListings | undefined;
  /** Reloads nodes by kind and ID. */
  readonly refresh: (kind: Kind, ids: readonly string[]) => void;
  /** Like `refresh`, but for nodes that are grouped or filtered. */
  readonly refreshListed: (kind: Kind, ids: readonly string[]) => void;
  readonly refreshAll: () => void;
  /** Reloads the open nodes of a kind. */
  readonly refreshOpened: (kind: Kind) => void;
}

/** Reloads affected nodes of a tree when a store changes, until the result is disposed of. */
export function subscribeToStores(
  stores: FleetStores,
  { listings, refresh, refreshListed, refreshAll, refreshOpened }: RefreshableTree,
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
      // The tooltips of datasets show totals of their contents, which have changed.
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
