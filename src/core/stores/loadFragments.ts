import { forEachBounded } from '../../base/bounded';
import { toFleetError } from '../api/errors';
import type { ConfigValue } from '../fragments/configValue';
import {
  type FragmentReference,
  listReferences,
  toReferenceKey,
} from '../fragments/fragmentImport';
import type { FragmentLookup } from '../fragments/resolveConfig';
import type { Fragment } from '../model/entities';
import { type FragmentId, fragmentId, type MachineId } from '../model/ids';
import type { FragmentStore } from './fragmentStore';

/** Fragments in a config, which allow the config to be resolved without further calls. */
export interface LoadedFragments {
  readonly lookup: FragmentLookup;
  /** Returns a fragment's name; undefined if it can't be read. */
  readonly getName: (id: string) => string | undefined;
}

export interface LoadFragmentsRequest {
  readonly machine: MachineId;
  /** Config in the editor, which can contain unsaved edits. */
  readonly config: unknown;
  /**
   * This part's saved config. Only fragments that `config` uses but this config doesn't use must be
   * requested.
   */
  readonly saved: unknown;
  readonly signal?: AbortSignal | undefined;
}

const CONCURRENT_CALLS = 4;
/**
 * Maximum number of individual calls for fragments that the service didn't include. Any further
 * fragments remain unknown.
 */
const MAX_SINGLE_CALLS = 100;

/**
 * Reads the fragments in a part's config. Makes one call for its machine's fragments, and one for
 * each fragment that only unsaved edits use with a pinned version. Skips fragments that don't exist
 * or can't be read.
 * @throws FleetError if the service can't be reached.
 */
export async function loadFragments(
  store: FragmentStore,
  request: LoadFragmentsRequest,
): Promise<LoadedFragments> {
  return new FragmentLoader(store, request).load();
}

class FragmentLoader {
  private readonly found = new Map<string, Fragment | undefined>();
  private rows: readonly Fragment[] = [];
  private pinned = new Set<string>();
  private calls = 0;

  constructor(
    private readonly store: FragmentStore,
    private readonly request: LoadFragmentsRequest,
  ) {}

  async load(): Promise<LoadedFragments> {
    const { config, saved } = this.request;
    this.rows = await this.readMachine(unsavedIds(config, saved));
    const configs = [config, saved, ...this.rows.map(parsed)];
    this.pinned = new Set(
      configs.flatMap(listReferences).flatMap((use) => (use.version ? use.id : [])),
    );
    let waiting = listReferences(config);
    while (waiting.length > 0) {
      const fresh = waiting.filter(
        (use, index) =>
          !this.found.has(toReferenceKey(use)) &&
          waiting.findIndex((other) => toReferenceKey(other) === toReferenceKey(use)) === index,
      );
      await forEachBounded(fresh, CONCURRENT_CALLS, async (use) => {
        this.found.set(toReferenceKey(use), await this.find(use));
      });
      waiting = fresh.flatMap((use) => listReferences(parsed(this.found.get(toReferenceKey(use)))));
    }
    const configByKey = new Map([...this.found].map(([key, fragment]) => [key, parsed(fragment)]));
    const names = [...this.found.values(), ...this.rows].filter((one) => one !== undefined);
    const nameById = new Map<string, string>(names.map(({ id, name }) => [id, name]));
    return {
      lookup: (id, version) => configByKey.get(toReferenceKey({ id, version })),
      getName: (id) => nameById.get(id),
    };
  }

  /**
   * Reads the machine's fragments and some additional fragments. One unreadable ID makes the whole
   * call fail, so the call is then repeated without the additional IDs.
   */
  private async readMachine(additional: readonly FragmentId[]): Promise<readonly Fragment[]> {
    const { machine, signal } = this.request;
    const call = (ids: readonly FragmentId[]) => this.store.ofMachine(machine, ids, signal);
    if (additional.length === 0) return (await this.unlessMissing(() => call([]))) ?? [];
    return (
      (await this.unlessMissing(() => call(additional))) ??
      (await this.unlessMissing(() => call([]))) ??
      []
    );
  }

  private async find({ id, version }: FragmentReference): Promise<Fragment | undefined> {
    const rows = this.rows.filter((row) => row.id === id);
    const exact = version === undefined ? undefined : rows.find((row) => row.revision === version);
    if (exact) return exact;
    // If no config pins the fragment, the machine uses its newest version.
    if (version === undefined && rows.length === 1 && !this.pinned.has(id)) return rows[0];
    this.calls += 1;
    if (this.calls > MAX_SINGLE_CALLS) return undefined;
    const { signal } = this.request;
    return this.unlessMissing(() =>
      version === undefined
        ? this.store.get(fragmentId(id), { signal })
        : this.store.getVersion(fragmentId(id), version, signal),
    );
  }

  /**
   * Runs a call. Returns undefined if the service doesn't support the call, or if the resource
   * doesn't exist or isn't accessible.
   */
  private async unlessMissing<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      const { kind } = toFleetError(error);
      if (['notFound', 'permission', 'invalid', 'unsupported'].includes(kind)) return undefined;
      throw error;
    }
  }
}

function unsavedIds(config: unknown, saved: unknown): FragmentId[] {
  const known = new Set(listReferences(saved).map(toReferenceKey));
  const fresh = listReferences(config).filter(
    (use) => !use.version && !known.has(toReferenceKey(use)),
  );
  return [...new Set(fresh.map(({ id }) => id))].map(fragmentId);
}

function parsed(fragment: Fragment | undefined): ConfigValue | undefined {
  return fragment && (JSON.parse(fragment.configText) as ConfigValue);
}
