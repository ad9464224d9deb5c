import type { HistoryEntry, HistoryRequest, Page } from '../model/entities';
import { type VersionToken, versionToTimestamp } from '../model/timestamp';
import { ListStore, storeChange, type StoreChange } from './listStore';
import { type ReadOptions, ResourceCache } from './resourceCache';

/** Change to a config. */
export interface ConfigUpdate {
  readonly name: string;
  /** Complete new config as JSON text, or undefined to leave it unchanged. */
  readonly configText?: string | undefined;
  /**
   * Version that the edit is based on. If the service has a newer version, it rejects the update
   * (`conflict`).
   */
  readonly lastKnownUpdate?: VersionToken | undefined;
}

/** Resource as shown in lists, without its config. */
export interface VersionedSummary {
  readonly id: string;
  readonly name: string;
  /** Version of the resource; undefined if the service has no versions. */
  readonly lastUpdated: VersionToken | undefined;
}

export type WithConfig<Summary> = Summary & { readonly configText: string };

/**
 * Base class for stores of resources with a config that has versions. Caches summaries in one list
 * per parent, and configs individually.
 */
export abstract class ConfigStore<
  Summary extends VersionedSummary,
  ParentId extends string,
> extends ListStore<Summary, ParentId> {
  private readonly configs = new ResourceCache<Summary['id'], WithConfig<Summary>>();

  protected abstract read(id: Summary['id'], signal: AbortSignal): Promise<WithConfig<Summary>>;

  protected abstract write(id: Summary['id'], update: ConfigUpdate): Promise<WithConfig<Summary>>;

  protected abstract getParent(summary: Summary): ParentId;

  /** Returns past revisions, newest first. */
  abstract history(id: Summary['id'], request?: HistoryRequest): Promise<Page<HistoryEntry>>;

  get(id: Summary['id'], options: ReadOptions = {}): Promise<WithConfig<Summary>> {
    return this.configs.get(id, (signal) => this.read(id, signal), options);
  }

  /**
   * Updates the name and config. Throws `conflict` if `lastKnownUpdate` is not the newest version,
   * and `invalid` if the text is not a JSON object.
   */
  async updateConfig(
    id: Summary['id'],
    update: ConfigUpdate & { readonly configText: string },
  ): Promise<WithConfig<Summary>> {
    return this.cacheConfig(await this.write(id, update));
  }

  /** Changes the name. Leaves everything else unchanged. */
  async rename(id: Summary['id'], name: string): Promise<WithConfig<Summary>> {
    return this.cacheConfig(await this.write(id, { name }));
  }

  /** Caches a config that the service has returned for a change, and notifies listeners. */
  protected cacheConfig(config: WithConfig<Summary>): WithConfig<Summary> {
    const change = { ids: [config.id], parents: [this.getParent(config)] };
    this.evict(storeChange(change));
    // Listeners can read the new config without a call.
    this.configs.set(config.id, config);
    this.fireChange(change);
    return config;
  }

  /** The cached configs of changed resources are stale. */
  protected override reportDifference(
    parent: ParentId,
    before: readonly Summary[],
    after: readonly Summary[],
  ): void {
    const ids = this.findChanged(before, after);
    this.evict(storeChange({ ids }));
    this.fireChange({ ids, parents: [parent] });
  }

  protected override evict(change: StoreChange<Summary['id'], ParentId>): void {
    super.evict(change);
    if (change.all) this.configs.clear();
    for (const id of [...change.ids, ...change.removed]) this.configs.invalidate(id);
  }
}

/** Returns the fields of a request that updates a config, except the config. */
export function toUpdateFields({ name, lastKnownUpdate }: ConfigUpdate) {
  return { name, ...(lastKnownUpdate && { lastKnownUpdate: versionToTimestamp(lastKnownUpdate) }) };
}

/** Returns the paging fields of a request for a history. */
export function toPagingFields({ pageToken, limit }: HistoryRequest) {
  return { ...(pageToken && { pageToken }), ...(limit && { pageLimit: BigInt(limit) }) };
}
