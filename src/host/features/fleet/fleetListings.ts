import { forEachBounded } from '../../../base/bounded';
import { FragmentUseIndex } from '../../../core/bulk/fragmentUseIndex';
import {
  type FilteredListing,
  filterListing,
  type FleetFilter,
  isFiltering,
  listOrganization,
  matchesSearchTerms,
  toSearchTerms,
} from '../../../core/stores/organizationListing';
import type { Dataset } from '../../../core/model/dataset';
import type { FragmentSummary, Organization } from '../../../core/model/entities';
import type { MachineId, OrganizationId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';

/** Number of organizations to read concurrently, each with its own lists. */
const CONCURRENT_ORGANIZATIONS = 2;

/** Numbers of resources in a fleet that match a filter. */
export interface FilterCounts {
  readonly machines: number;
  readonly total: number;
  /** Number of locations, fragments, datasets, and registry items. */
  readonly others: number;
  /** Number of lists that couldn't be read. */
  readonly failed: number;
}

/**
 * An organization's filtered listing, extended by other matching resources and the number of
 * unreadable lists.
 */
export interface OrganizationView extends FilteredListing {
  readonly fragments: readonly FragmentSummary[];
  /** All of the organization's fragments, including those that don't match. */
  readonly allFragments: readonly FragmentSummary[];
  /**
   * Matching datasets. Read only if there is a filter; otherwise, the tree shows datasets in their
   * own lists.
   */
  readonly datasets: readonly Dataset[];
  /** Matching registry items. */
  readonly registryItems: readonly RegistryItem[];
  readonly failed: number;
}

/** Listings of whole organizations, for filtered or grouped trees. Stops when `signal` aborts. */
export class FleetListings {
  constructor(
    private readonly stores: FleetStores,
    private readonly clock: Clock,
    /** Fragment use indexes, which are preserved when the arrangement changes. */
    private readonly uses: Map<OrganizationId, FragmentUseIndex>,
    readonly signal: AbortSignal,
  ) {}

  /** Returns an organization's matching machines and fragments. Throws if they can't be read. */
  async of(
    organization: Organization,
    filter: FleetFilter,
    signal = this.signal,
  ): Promise<OrganizationView> {
    const [listing, allFragments, datasets, registryItems] = await Promise.all([
      listOrganization(this.stores, organization, { signal }),
      this.stores.fragments.list(organization.id, { signal }),
      this.loadDatasets(organization, filter, signal),
      this.loadRegistryItems(organization, filter, signal),
    ]);
    const terms = toSearchTerms(filter);
    return {
      ...filterListing(listing, filter, this.clock.now()),
      failed: listing.failed + (datasets ? 0 : 1) + (registryItems ? 0 : 1),
      allFragments,
      // Fragments have no status.
      fragments:
        filter.statuses.length > 0
          ? []
          : allFragments.filter(({ id, name }) =>
              matchesSearchTerms(terms, [organization.name, name], id),
            ),
      datasets: (datasets ?? []).filter(({ id, name }) =>
        matchesSearchTerms(terms, [organization.name, name], id),
      ),
      registryItems: (registryItems ?? []).filter(({ id, name }) =>
        matchesSearchTerms(terms, [organization.name, name], id),
      ),
    };
  }

  /**
   * Returns the datasets for a filter; empty if the key has no permission to list them, undefined
   * if the read failed.
   */
  private async loadDatasets(
    { id }: Organization,
    filter: FleetFilter,
    signal: AbortSignal,
  ): Promise<readonly Dataset[] | undefined> {
    // Datasets have no status.
    if (!isFiltering(filter) || filter.statuses.length > 0) return [];
    try {
      return await this.stores.datasets.listVisible(id, { signal });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Returns the registry items for a filter; undefined if they can't be read. */
  private async loadRegistryItems(
    { id }: Organization,
    filter: FleetFilter,
    signal: AbortSignal,
  ): Promise<readonly RegistryItem[] | undefined> {
    // Registry items have no machine status.
    if (!isFiltering(filter) || filter.statuses.length > 0) return [];
    try {
      return await this.stores.registry.list(id, { signal });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Like `of`, for more than one organization, in the given order. */
  async ofAll(
    organizations: readonly Organization[],
    filter: FleetFilter,
    signal = this.signal,
  ): Promise<readonly OrganizationView[]> {
    const views = new Map<Organization, OrganizationView>();
    await forEachBounded(organizations, CONCURRENT_ORGANIZATIONS, async (one) => {
      views.set(one, await this.of(one, filter, signal));
    });
    return organizations.flatMap((one) => views.get(one) ?? []);
  }

  /** Counts the filter matches in the whole fleet. */
  async count(filter: FleetFilter, signal: AbortSignal): Promise<FilterCounts> {
    const organizations = await this.stores.organizations.list({ signal });
    return sumCounts(await this.ofAll(organizations, filter, signal));
  }

  /** Returns the index of the fragments that an organization's machines use, read on demand. */
  usesIn(organization: OrganizationId): FragmentUseIndex {
    const known = this.uses.get(organization);
    if (known) return known;
    const index = new FragmentUseIndex(this.stores, organization);
    this.uses.set(organization, index);
    return index;
  }

  /** Handles added or deleted parts of these machines, and changes to their configs. */
  machinesChanged(machines: readonly MachineId[]): void {
    for (const index of this.uses.values()) index.clearMachines(machines);
  }

  /** Clears all indexes so that they are reloaded. */
  clearUses(): void {
    this.uses.clear();
  }

  /** Handles added, deleted, or changed fragments. */
  fragmentsChanged(): void {
    for (const index of this.uses.values()) index.clearFragments();
  }
}

/** Adds up the filter matches in the given organizations. */
export function sumCounts(views: readonly OrganizationView[]): FilterCounts {
  const sum = (count: (view: OrganizationView) => number): number =>
    views.reduce((total, view) => total + count(view), 0);
  return {
    machines: sum(({ machines }) => machines.length),
    total: sum(({ total }) => total),
    others: sum(
      ({ locations, fragments, datasets, registryItems }) =>
        locations.size + fragments.length + datasets.length + registryItems.length,
    ),
    failed: sum(({ failed }) => failed),
  };
}
