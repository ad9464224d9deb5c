import type { Machine, Organization, PartSummary } from '../../../core/model/entities';
import type { ConnectionId, LocationId, OrganizationId } from '../../../core/model/ids';
import { pathNames } from '../../../core/model/locationTree';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { forEachBounded } from '../../../base/bounded';
import {
  datasetEntry,
  type FindEntry,
  fragmentEntry,
  locationEntry,
  machineEntry,
  organizationEntry,
  partEntry,
  registryItemEntry,
} from './findIndex';

const CONCURRENT_LISTS = 8;
/** Number of organizations to read concurrently, each with its own lists. */
const CONCURRENT_ORGANIZATIONS = 2;

export interface CrawlProgress {
  /** Number of lists that have been read, out of all lists known so far. */
  readonly done: number;
  readonly known: number;
  /** Number of lists that couldn't be read. */
  readonly failed: number;
}

export interface CrawlListener {
  readonly found: (entries: readonly FindEntry[]) => void;
  readonly progress: (progress: CrawlProgress) => void;
}

interface CrawledMachine {
  readonly machine: Machine;
  readonly organization: Organization;
  readonly path: readonly string[];
}

/**
 * Reads a whole fleet through its stores, a few calls at a time, and reports each list when it
 * arrives. Cached data requires no call. Counts and skips unreadable lists.
 */
export class FleetCrawler {
  private readonly machines: CrawledMachine[] = [];
  private done = 0;
  private known = 0;
  private failed = 0;

  constructor(
    private readonly connectionId: ConnectionId,
    private readonly stores: FleetStores,
    private readonly listener: CrawlListener,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Reads organizations, locations, fragments, datasets, registry items, and machines. Throws if
   * the organizations can't be read.
   */
  async crawlMachines(): Promise<void> {
    const { signal } = this;
    const organizations = await this.stores.organizations.list({ signal });
    this.listener.found(organizations.map((one) => organizationEntry(this.connectionId, one)));
    const seen = new Set(organizations.map(({ id }) => id));
    await this.each(organizations, CONCURRENT_ORGANIZATIONS, (organization) =>
      this.crawlOrganization(organization, seen),
    );
  }

  /**
   * Reads parts with one call for the machines of an organization, or one per machine if the
   * service has no summaries.
   */
  async crawlParts(): Promise<void> {
    const byOrganization = Map.groupBy(this.machines, ({ organization }) => organization);
    const left: CrawledMachine[] = [];
    await this.each([...byOrganization], CONCURRENT_ORGANIZATIONS, async ([{ id }, crawled]) => {
      const unlisted = crawled.filter(({ machine }) => !this.stores.parts.isListed(machine.id));
      const byId = new Map(unlisted.map((one) => [one.machine.id, one]));
      const remaining = await this.stores.machineSummaries.read(
        id,
        unlisted.map(({ machine }) => machine),
        (summaries) => {
          for (const [machine, { parts }] of summaries) this.foundParts(byId.get(machine), parts);
        },
        { signal: this.signal },
      );
      const unread = new Set(remaining.map((machine) => machine.id));
      left.push(
        ...crawled.filter(({ machine }) => !byId.has(machine.id) || unread.has(machine.id)),
      );
    });
    await this.each(left, CONCURRENT_LISTS, async (one) => {
      const parts = await this.stores.parts.list(one.machine.id, { signal: this.signal });
      this.foundParts(one, parts);
    });
  }

  private foundParts(
    crawled: CrawledMachine | undefined,
    parts: readonly Pick<PartSummary, 'id' | 'name'>[],
  ): void {
    if (!crawled) return;
    const { machine, organization, path } = crawled;
    this.listener.found(
      parts.map((part) => partEntry(this.connectionId, organization, machine, part, path)),
    );
  }

  /**
   * @param seen organizations to crawl. Their shared locations are skipped here, because the crawl
   *   finds them in their own organizations.
   */
  private async crawlOrganization(
    organization: Organization,
    seen: ReadonlySet<OrganizationId>,
  ): Promise<void> {
    const { connectionId, signal } = this;
    const [listed, fragments, datasets] = await Promise.all([
      this.stores.locations.list(organization.id, { signal }),
      this.stores.fragments.list(organization.id, { signal }),
      this.stores.datasets.listVisible(organization.id, { signal }),
    ]);
    this.listener.found(fragments.map((one) => fragmentEntry(connectionId, organization, one)));
    this.listener.found(datasets.map((one) => datasetEntry(connectionId, organization, one)));
    const locations = listed.filter(
      ({ owner }) => !owner || owner.id === organization.id || !seen.has(owner.id),
    );
    const byId = new Map(locations.map((location) => [location.id, location]));
    const getPath = (id: LocationId | undefined) => [organization.name, ...pathNames(id, byId)];
    this.listener.found(
      locations.map((location) =>
        locationEntry(connectionId, location, getPath(location.parentId)),
      ),
    );
    await this.each([organization], 1, async ({ id }) => {
      const items = await this.stores.registry.list(id, { signal });
      this.listener.found(items.map((one) => registryItemEntry(connectionId, organization, one)));
    });
    await this.each(locations, CONCURRENT_LISTS, async (location) => {
      const path = getPath(location.id);
      const machines = await this.stores.machines.list(location.id, { signal });
      for (const machine of machines) this.machines.push({ machine, organization, path });
      this.listener.found(
        machines.map((machine) => machineEntry(connectionId, organization, machine, path)),
      );
    });
  }

  private async each<T>(
    items: readonly T[],
    limit: number,
    work: (item: T) => Promise<void>,
  ): Promise<void> {
    this.known += items.length;
    await forEachBounded(items, limit, async (item) => {
      this.signal.throwIfAborted();
      try {
        await work(item);
      } catch (error) {
        if (this.signal.aborted) throw error;
        this.failed += 1;
      }
      this.done += 1;
      this.listener.progress({ done: this.done, known: this.known, failed: this.failed });
    });
  }
}
