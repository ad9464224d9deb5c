import { required, withSignal } from '../api/calls';
import type { Fragment, FragmentSummary } from '../model/entities';
import {
  editorFromWire,
  fragmentFromWire,
  fragmentSummaryFromWire,
  structText,
} from '../model/fromWire';
import type { FragmentRevision, Page } from '../model/history';
import type { FragmentId, MachineId, OrganizationId } from '../model/ids';
import { parseConfig } from '../api/parseConfig';
import { versionOf, type VersionToken, versionToTimestamp } from '../model/versionToken';
import type { HistoryOptions } from './partStore';
import { inNameOrder } from '../model/nameOrder';
import { EVERY_VISIBILITY, type KnownVisibility, visibilityToWire } from '../model/visibility';
import { ListStore } from './listStore';
import { ResourceCache } from './resourceCache';
import type { ReadOptions, StoreChange } from './storeChange';
import { whenGone } from './whenGone';

type FragmentChange = StoreChange<FragmentId, OrganizationId>;

export interface FragmentUpdate {
  readonly name: string;
  /** The whole new config as the JSON text of an object. */
  readonly configText: string;
  /** The version the edit started from. The service refuses (`conflict`) when it has a newer one. */
  readonly lastKnownUpdate?: VersionToken | undefined;
}

/** Fragments: summaries in one list per organization, configs one by one. */
export class FragmentStore extends ListStore<FragmentSummary, OrganizationId> {
  private readonly fragments = new ResourceCache<FragmentId, Fragment>();

  /** The fragments an organization owns, of every visibility; public ones of others are left out. */
  list(
    organization: OrganizationId,
    options: ReadOptions = {},
  ): Promise<readonly FragmentSummary[]> {
    return this.lists.get(
      organization,
      async (signal) => {
        const { app } = await this.clients();
        const answer = await app.listFragments(
          { organizationId: organization, fragmentVisibility: EVERY_VISIBILITY },
          { signal },
        );
        const fragments = answer.fragments.map(fragmentSummaryFromWire);
        return inNameOrder(
          fragments.filter((fragment) => fragment.organizationId === organization),
        );
      },
      options,
    );
  }

  get(id: FragmentId, options: ReadOptions = {}): Promise<Fragment> {
    return this.fragments.get(
      id,
      async (signal) => {
        const { app } = await this.clients();
        const answer = await app.getFragment({ id }, { signal });
        return fragmentFromWire(required(answer.fragment, 'the fragment'));
      },
      options,
    );
  }

  /** All fragments an organization owns with their configs: one call, which is not kept. */
  async readAll(organization: OrganizationId, signal?: AbortSignal): Promise<readonly Fragment[]> {
    const { app } = await this.clients();
    const answer = await app.listFragments(
      { organizationId: organization, fragmentVisibility: EVERY_VISIBILITY },
      withSignal(signal),
    );
    const own = answer.fragments.filter((wire) => wire.organizationOwner === organization);
    // A list has no place for all configs of large fleets.
    return Promise.all(
      own.map(async (wire) =>
        wire.fragment === undefined
          ? this.get(fragmentFromWire(wire).id, { signal })
          : fragmentFromWire(wire),
      ),
    );
  }

  /** A fragment as it was at a revision or is at a tag. */
  async getVersion(id: FragmentId, version: string, signal?: AbortSignal): Promise<Fragment> {
    const { app } = await this.clients();
    const answer = await app.getFragment({ id, version }, withSignal(signal));
    return fragmentFromWire(required(answer.fragment, 'the fragment'));
  }

  /**
   * The fragments that the parts of a machine use, however deep, in the versions they use, and those of
   * `additional` with what is nested in them: one call. Throws when one of `additional` cannot be read.
   */
  async ofMachine(
    machine: MachineId,
    additional: readonly FragmentId[],
    signal?: AbortSignal,
  ): Promise<readonly Fragment[]> {
    const { app } = await this.clients();
    const answer = await app.listMachineFragments(
      { machineId: machine, additionalFragmentIds: [...additional] },
      withSignal(signal),
    );
    return answer.fragments.map(fragmentFromWire);
  }

  /**
   * Writes name and config. Throws `conflict` when `lastKnownUpdate` is not the newest version and
   * `invalid` when the text is not a JSON object.
   */
  async updateConfig(id: FragmentId, update: FragmentUpdate): Promise<Fragment> {
    const { app } = await this.clients();
    const answer = await app.updateFragment({
      id,
      name: update.name,
      config: parseConfig(update.configText),
      ...(update.lastKnownUpdate && {
        lastKnownUpdate: versionToTimestamp(update.lastKnownUpdate),
      }),
    });
    return this.keep(fragmentFromWire(required(answer.fragment, 'the fragment')));
  }

  /** Renames; absent config and visibility stay as they are. */
  async rename(id: FragmentId, name: string): Promise<Fragment> {
    const { app } = await this.clients();
    const answer = await app.updateFragment({ id, name });
    return this.keep(fragmentFromWire(required(answer.fragment, 'the fragment')));
  }

  /** Changes who can see and use it; name and config stay as they are. */
  async setVisibility(id: FragmentId, visibility: KnownVisibility): Promise<Fragment> {
    const { app } = await this.clients();
    // The wire wants the name along: the present one, not a remembered one.
    const { name } = await this.get(id, { fresh: true });
    const answer = await app.updateFragment({ id, name, visibility: visibilityToWire(visibility) });
    return this.keep(fragmentFromWire(required(answer.fragment, 'the fragment')));
  }

  /** Creates a private fragment; `configText` is the JSON text of an object. */
  async create(organization: OrganizationId, name: string, configText = '{}'): Promise<Fragment> {
    const request = { organizationId: organization, name, config: parseConfig(configText) };
    const { app } = await this.clients();
    const answer = await app.createFragment(request);
    return this.keep(fragmentFromWire(required(answer.fragment, 'the fragment')));
  }

  async delete(fragment: Pick<FragmentSummary, 'id' | 'organizationId'>): Promise<void> {
    const { app } = await this.clients();
    await whenGone(app.deleteFragment({ id: fragment.id }), () =>
      this.fire({ parents: [fragment.organizationId] }),
    );
    this.fire({ removed: [fragment.id], parents: [fragment.organizationId] });
  }

  /** Past states of a fragment, newest first; the service's default page is 10. */
  async history(id: FragmentId, options: HistoryOptions = {}): Promise<Page<FragmentRevision>> {
    const { app } = await this.clients();
    const answer = await app.getFragmentHistory(
      {
        id,
        ...(options.pageToken && { pageToken: options.pageToken }),
        ...(options.limit && { pageLimit: BigInt(options.limit) }),
      },
      withSignal(options.signal),
    );
    return {
      nextPageToken: answer.nextPageToken,
      items: answer.history.map((entry) => ({
        fragmentId: id,
        editedOn: entry.editedOn && versionOf(entry.editedOn),
        editor: editorFromWire(entry.editedBy),
        revision: entry.revision,
        old: entry.old && { name: entry.old.name, configText: structText(entry.old.fragment) },
        configText: entry.config && structText(entry.config),
      })),
    };
  }

  private keep(fragment: Fragment): Fragment {
    this.fire({ ids: [fragment.id], parents: [fragment.organizationId] });
    this.fragments.set(fragment.id, fragment);
    return fragment;
  }

  protected override forget(change: FragmentChange): void {
    super.forget(change);
    if (change.all) this.fragments.clear();
    for (const id of [...change.ids, ...change.removed]) this.fragments.invalidate(id);
  }
}
