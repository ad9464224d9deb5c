import { forEachBounded } from '../../../base/bounded';
import { FragmentUseIndex } from '../../../core/bulk/fragmentUseIndex';
import {
  type FleetFilter,
  isFiltering,
  matchesWords,
  wordsOf,
} from '../../../core/listing/fleetFilter';
import { type FilteredListing, filterListing } from '../../../core/listing/filterListing';
import { listOrganization } from '../../../core/listing/organizationListing';
import type { Dataset } from '../../../core/model/dataset';
import type { FragmentSummary, Organization } from '../../../core/model/entities';
import type { MachineId, OrganizationId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';

/** Each reads lists of its own at the same time. */
const CONCURRENT_ORGANIZATIONS = 2;

/** How much of a fleet a filter leaves. */
export interface FilterCounts {
  readonly machines: number;
  readonly total: number;
  /** Locations, fragments, datasets and registry items. */
  readonly others: number;
  /** Lists that could not be read. */
  readonly failed: number;
}

/** A listing, what else of an organization matches, and how many lists could not be read. */
export interface OrganizationView extends FilteredListing {
  readonly fragments: readonly FragmentSummary[];
  /** Its fragments, whether they match or not. */
  readonly allFragments: readonly FragmentSummary[];
  /** Those that match. Read only for a filter: a tree without one shows them where it lists them. */
  readonly datasets: readonly Dataset[];
  /** The same of what it publishes. */
  readonly registryItems: readonly RegistryItem[];
  readonly failed: number;
}

/** What whole organizations hold, for trees that are filtered or grouped. Stops when `signal` aborts. */
export class FleetListings {
  constructor(
    private readonly stores: FleetStores,
    private readonly clock: Clock,
    /** What is known of the use of fragments, which outlives an arrangement. */
    private readonly uses: Map<OrganizationId, FragmentUseIndex>,
    readonly signal: AbortSignal,
  ) {}

  /** The machines of an organization that match, and its fragments. Throws when they cannot be read. */
  async of(
    organization: Organization,
    filter: FleetFilter,
    signal = this.signal,
  ): Promise<OrganizationView> {
    const [listing, allFragments, datasets, registryItems] = await Promise.all([
      listOrganization(this.stores, organization, signal),
      this.stores.fragments.list(organization.id, { signal }),
      this.datasetsOf(organization, filter, signal),
      this.registryOf(organization, filter, signal),
    ]);
    const words = wordsOf(filter);
    return {
      ...filterListing(listing, filter, this.clock.now()),
      failed: listing.failed + (datasets ? 0 : 1) + (registryItems ? 0 : 1),
      allFragments,
      // A fragment has no status.
      fragments:
        filter.statuses.length > 0
          ? []
          : allFragments.filter(({ id, name }) =>
              matchesWords(words, [organization.name, name], id),
            ),
      datasets: (datasets ?? []).filter(({ id, name }) =>
        matchesWords(words, [organization.name, name], id),
      ),
      registryItems: (registryItems ?? []).filter(({ id, name }) =>
        matchesWords(words, [organization.name, name], id),
      ),
    };
  }

  /** The datasets a filter looks at, none where the key may not list them; undefined when that failed. */
  private async datasetsOf(
    { id }: Organization,
    filter: FleetFilter,
    signal: AbortSignal,
  ): Promise<readonly Dataset[] | undefined> {
    // A dataset has no status.
    if (!isFiltering(filter) || filter.statuses.length > 0) return [];
    try {
      return await this.stores.datasets.listVisible(id, { signal });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** The registry items a filter looks at; undefined when they cannot be read. */
  private async registryOf(
    { id }: Organization,
    filter: FleetFilter,
    signal: AbortSignal,
  ): Promise<readonly RegistryItem[] | undefined> {
    // A registry item has no status that machines have.
    if (!isFiltering(filter) || filter.statuses.length > 0) return [];
    try {
      return await this.stores.registry.list(id, { signal });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** The same of several organizations, in their order. */
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

  /** How much of the whole fleet matches. */
  async count(filter: FleetFilter, signal: AbortSignal): Promise<FilterCounts> {
    const organizations = await this.stores.organizations.list({ signal });
    return countsOf(await this.ofAll(organizations, filter, signal));
  }

  /** What the machines of an organization use, read as far as it was asked for. */
  usesIn(organization: OrganizationId): FragmentUseIndex {
    const known = this.uses.get(organization);
    if (known) return known;
    const index = new FragmentUseIndex(this.stores, organization);
    this.uses.set(organization, index);
    return index;
  }

  /** Parts of these machines came, went or got other configs. */
  machinesChanged(machines: readonly MachineId[]): void {
    for (const index of this.uses.values()) index.forgetMachines(machines);
  }

  /** Everything is to be read again. */
  forgetUses(): void {
    this.uses.clear();
  }

  /** Fragments came, went or got other configs. */
  fragmentsChanged(): void {
    for (const index of this.uses.values()) index.forgetFragments();
  }
}

/** Sums up what a filter leaves of several organizations. */
export function countsOf(views: readonly OrganizationView[]): FilterCounts {
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
