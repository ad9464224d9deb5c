import { type FleetFilter, isFiltering, NO_FILTER } from '../../../core/stores/organizationListing';
import { type RegistryFilter, WHOLE_REGISTRY } from '../../../core/model/registryItem';

/** Criteria for grouping machines. */
export const GROUPINGS = ['location', 'status', 'fragment'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** Grouping and filters for the tree. */
export interface TreeSettings {
  readonly grouping: Grouping;
  readonly filter: FleetFilter;
  /** Filter for registry items in all organizations. */
  readonly registry: RegistryFilter;
}

/** Default arrangement, which reads only nodes that the user opens. */
export const PLAIN: TreeSettings = {
  grouping: 'location',
  filter: NO_FILTER,
  registry: WHOLE_REGISTRY,
};

/** Returns true if the tree groups machines by a criterion other than location, or filters them. */
export function isArranged({ grouping, filter }: TreeSettings): boolean {
  return grouping !== 'location' || isFiltering(filter);
}

/** Parses a stored grouping, which another version of the extension might have stored. */
export function parseGrouping(stored: unknown): Grouping {
  return GROUPINGS.find((grouping) => grouping === stored) ?? 'location';
}
