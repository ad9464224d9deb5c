import { Emitter } from '../../base/emitter';
import { parseConfig, required, withSignal } from '../api/fleetClients';
import { ROLLOUT_HEADER, ROLLOUT_SUPPORTED } from '../model/contractExtensions';
import {
  EVERY_VISIBILITY,
  type Fragment,
  type FragmentSummary,
  type HistoryEntry,
  type HistoryRequest,
  type KnownVisibility,
  type Page,
  visibilityToWire,
} from '../model/entities';
import {
  editorFromWire,
  fragmentFromWire,
  fragmentSummaryFromWire,
  formatStruct,
} from '../model/fromWire';
import type { FragmentId, MachineId, OrganizationId } from '../model/ids';
import { toVersionToken } from '../model/timestamp';
import { inNameOrder } from '../model/resourceName';
import { ConfigStore, type ConfigUpdate, toPagingFields, toUpdateFields } from './configStore';
import { storeChange } from './listStore';
import type { ReadOptions } from './resourceCache';
import type { FragmentTarget } from '../model/resourceTarget';
import type { FragmentRollout, RolloutState } from './fragmentRollout';

/** Fragments. Caches summaries in one list per organization, and configs individually. */
export class FragmentStore extends ConfigStore<FragmentSummary, OrganizationId> {
  private readonly rolloutSupport = this.register(new Emitter<void>());
  /** Fires when `reportsRollouts` has changed. */
  readonly onDidChangeRolloutSupport = this.rolloutSupport.event;
  private isRolloutReported = false;

  /**
   * True if the service reports the rollout of fragments. False until it has sent a fragment or a
   * list of fragments.
   */
  get reportsRollouts(): boolean {
    return this.isRolloutReported;
  }

  /**
   * Returns the fragments that an organization owns, regardless of their visibility. Excludes other
   * organizations' public fragments.
   */
  list(
    organization: OrganizationId,
    options: ReadOptions = {},
  ): Promise<readonly FragmentSummary[]> {
    return this.readList(
      organization,
      async (signal) => {
        const answer = await this.clients.app.listFragments(
          { organizationId: organization, fragmentVisibility: EVERY_VISIBILITY },
          { signal, onHeader: this.readRolloutSupport },
        );
        const fragments = answer.fragments.map(fragmentSummaryFromWire);
        return inNameOrder(
          fragments.filter((fragment) => fragment.organizationId === organization),
        );
      },
      options,
    );
  }

  protected async read(id: FragmentId, signal: AbortSignal): Promise<Fragment> {
    const options = { signal, onHeader: this.readRolloutSupport };
    const answer = await this.clients.app.getFragment({ id }, options);
    return fragmentFromWire(required(answer.fragment, 'fragment', this.clients.l10n));
  }

  protected async write(
    id: FragmentId,
    update: ConfigUpdate & { readonly visibility?: KnownVisibility },
  ): Promise<Fragment> {
    const { configText, visibility } = update;
    const answer = await this.clients.app.updateFragment({
      id,
      ...toUpdateFields(update),
      ...(configText !== undefined && { config: parseConfig(configText, this.clients.l10n) }),
      ...(visibility && { visibility: visibilityToWire(visibility) }),
    });
    return fragmentFromWire(required(answer.fragment, 'fragment', this.clients.l10n));
  }

  protected getParent({ organizationId }: FragmentSummary): OrganizationId {
    return organizationId;
  }

  /**
   * Returns all fragments that an organization owns, with their configs. Makes one call and doesn't
   * cache the result.
   */
  async readAll(organization: OrganizationId, signal?: AbortSignal): Promise<readonly Fragment[]> {
    const answer = await this.clients.app.listFragments(
      { organizationId: organization, fragmentVisibility: EVERY_VISIBILITY },
      withSignal(signal),
    );
    const own = answer.fragments.filter((wire) => wire.organizationOwner === organization);
    // For large fleets, the list doesn't contain all configs.
    return Promise.all(
      own.map(async (wire) =>
        wire.fragment === undefined
          ? this.get(fragmentFromWire(wire).id, { signal })
          : fragmentFromWire(wire),
      ),
    );
  }

  /** Returns a fragment at a revision or tag. */
  async getVersion(id: FragmentId, version: string, signal?: AbortSignal): Promise<Fragment> {
    const answer = await this.clients.app.getFragment({ id, version }, withSignal(signal));
    return fragmentFromWire(required(answer.fragment, 'fragment', this.clients.l10n));
  }

  /**
   * Returns the fragments that a machine's parts use, at any depth and in the versions that they
   * use. Also returns the fragments in `additional` and those nested in them. Makes one call.
   * Throws if a fragment in `additional` can't be read.
   */
  async ofMachine(
    machine: MachineId,
    additional: readonly FragmentId[],
    signal?: AbortSignal,
  ): Promise<readonly Fragment[]> {
    const answer = await this.clients.app.listMachineFragments(
      { machineId: machine, additionalFragmentIds: [...additional] },
      withSignal(signal),
    );
    return answer.fragments.map(fragmentFromWire);
  }

  /** Changes a fragment's visibility. Leaves its name and config unchanged. */
  async setVisibility(id: FragmentId, visibility: KnownVisibility): Promise<Fragment> {
    // The API requires the name, which must be current, not cached.
    const { name, lastUpdated } = await this.get(id, { fresh: true });
    return this.cacheConfig(
      await this.write(id, { name, visibility, lastKnownUpdate: lastUpdated }),
    );
  }

  /** Creates a private fragment; `configText` is the JSON text of an object. */
  async create(organization: OrganizationId, name: string, configText = '{}'): Promise<Fragment> {
    const request = {
      organizationId: organization,
      name,
      config: parseConfig(configText, this.clients.l10n),
    };
    const answer = await this.clients.app.createFragment(request);
    return this.cacheConfig(
      fragmentFromWire(required(answer.fragment, 'fragment', this.clients.l10n)),
    );
  }

  async delete({
    id,
    organizationId,
  }: Pick<FragmentSummary, 'id' | 'organizationId'>): Promise<void> {
    await this.sendChange(organizationId, this.clients.app.deleteFragment({ id }));
    this.fire({ removed: [id], parents: [organizationId] });
  }

  /**
   * Returns a fragment's past revisions, newest first. By default, the service returns 10 per page.
   */
  async history(id: FragmentId, request: HistoryRequest = {}): Promise<Page<HistoryEntry>> {
    const answer = await this.clients.app.getFragmentHistory(
      { id, ...toPagingFields(request) },
      withSignal(request.signal),
    );
    return {
      nextPageToken: answer.nextPageToken,
      items: answer.history.map(({ editedOn, editedBy, old }) => ({
        editedOn: editedOn && toVersionToken(editedOn),
        editor: editorFromWire(editedBy),
        old: old && { name: old.name, configText: formatStruct(old.fragment) },
      })),
    };
  }

  /**
   * Reads how many parts run the saved revision of a fragment, and the first parts in one state.
   * Makes one call and doesn't cache the result.
   * @throws FleetError `unsupported` if the service doesn't report rollouts
   */
  async readRollout(
    target: FragmentTarget,
    state: RolloutState,
    limit: number,
    signal?: AbortSignal,
  ): Promise<FragmentRollout> {
    const { readFragmentRollout } = await import('./fragmentRollout');
    return readFragmentRollout(this.clients, target, state, limit, signal);
  }

  private readonly readRolloutSupport = (headers: Headers): void => {
    const isReported = headers.get(ROLLOUT_HEADER) === ROLLOUT_SUPPORTED;
    if (isReported === this.isRolloutReported) return;
    this.isRolloutReported = isReported;
    this.rolloutSupport.fire();
  };

  protected override reportDifference(
    organization: OrganizationId,
    before: readonly FragmentSummary[],
    after: readonly FragmentSummary[],
  ): void {
    const known = new Map(before.map((fragment) => [fragment.id, toComparable(fragment)]));
    const ids = after.flatMap((one) => (known.get(one.id) === toComparable(one) ? [] : [one.id]));
    const current = new Set(after.map(({ id }) => id));
    const removed = before.flatMap(({ id }) => (current.has(id) ? [] : [id]));
    this.evict(storeChange({ ids, removed }));
    this.fireChange({ ids, removed, parents: [organization] });
  }
}

/** Returns a value that is equal for summaries of the same version. */
function toComparable({ name, visibility, revision, lastUpdated }: FragmentSummary): string {
  return JSON.stringify([name, visibility, revision, lastUpdated]);
}
