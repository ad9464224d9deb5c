import { type FleetFilter, isFiltering, NO_FILTER } from '../../../core/listing/fleetFilter';
import { type RegistryFilter, WHOLE_REGISTRY } from '../../../core/model/registryFilter';

/** What machines are gathered by. */
export const GROUPINGS = ['location', 'status', 'fragment'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** How the tree is arranged, and what of the fleet it shows. */
export interface Arrangement {
  readonly grouping: Grouping;
  readonly filter: FleetFilter;
  /** What of the registry items it shows, wherever they are. */
  readonly registry: RegistryFilter;
}

/** The arrangement that needs no more than is opened. */
export const PLAIN: Arrangement = {
  grouping: 'location',
  filter: NO_FILTER,
  registry: WHOLE_REGISTRY,
};

/** Whether the tree shows machines elsewhere than their lists are, or leaves some out. */
export function isArranged({ grouping, filter }: Arrangement): boolean {
  return grouping !== 'location' || isFiltering(filter);
}

/** A grouping that was stored, perhaps by another version. */
export function groupingOf(stored: unknown): Grouping {
  return GROUPINGS.find((grouping) => grouping === stored) ?? 'location';
}
