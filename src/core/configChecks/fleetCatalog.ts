import { type Clock, systemClock } from '../../base/clock';
import { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/emitter';
import { type FleetErrorKind, toFleetError } from '../api/errors';
import type { DocumentSubject } from '../documents/documentAddress';
import { findOrganization } from '../documents/documentResource';
import type { Fragment, FragmentSummary, Part } from '../model/entities';
import { fragmentId, type OrganizationId, type PartId, registryItemId } from '../model/ids';
import type { RegistryItem } from '../model/registryItem';
import type { FleetStores } from '../stores/fleetStores';

/** Result of a read. The value is undefined if it doesn't exist or the API key can't read it. */
export interface CatalogRead<T> {
  readonly value: T | undefined;
}

/** Read that is finished or in progress. */
interface Attempt {
  readonly result: Promise<CatalogRead<unknown> | undefined>;
  /** Time of a failure or of a missing value, in milliseconds; undefined for any other result. */
  failedAt: number | undefined;
}

/** Minimum time between attempts, so that not every edit causes a call that fails. */
const RETRY_DELAY_MS = 30_000;

/** Maximum age of a list of fragments. */
const MAX_AGE_MS = 60_000;

/** Maximum number of modules to read from the registry for one config. */
const MAX_MODULES = 100;

/** Maximum number of texts whose search results are cached. */
const MAX_SEARCHES = 20;

/** Start of the keys of searches for modules. */
const SEARCH_KEY = 'modules:search:';

/** Public modules in the registry. */
const PUBLIC_MODULES = { types: ['module'], visibilities: ['public'] } as const;

/** Maximum number of modules that are offered for a model. */
const MAX_PROVIDERS = 3;

/** Modules that an organization's configs can use. */
export interface ListedModules {
  readonly items: readonly RegistryItem[];
  /** False if the registry has more public modules, which only a search finds. */
  readonly isComplete: boolean;
}

/** Errors that are permanent until someone changes the resource or its permissions. */
const MISSING: ReadonlySet<FleetErrorKind> = new Set([
  'notFound',
  'permission',
  'invalid',
  'unsupported',
]);

/** Reason why nothing is read. */
export type PauseReason = 'unreachable' | 'signedOut';

/** Errors after which further reads would fail too. */
const PAUSING: ReadonlyMap<FleetErrorKind, PauseReason> = new Map([
  ['unavailable', 'unreachable'],
  ['unauthenticated', 'signedOut'],
]);

/** Runs work with a catalog that reads everything again, and disposes it afterward. */
export async function withFleetCatalog<T>(
  stores: FleetStores,
  work: (catalog: FleetCatalog) => Promise<T>,
): Promise<T> {
  const recovered = new Emitter<void>();
  const catalog = new FleetCatalog(stores, recovered.event);
  try {
    return await work(catalog);
  } finally {
    catalog.dispose();
    recovered.dispose();
  }
}

/**
 * Fragments and modules of a fleet, for checking and completing configs. Each one is read once,
 * until it changes or the user signs in. A failed read is repeated after a delay, or when the
 * service responds again. After a failed connection, nothing is read until then.
 */
export class FleetCatalog extends Disposable {
  private readonly reads = new Map<string, Attempt>();
  /** Times at which the fragments of organizations were listed, in milliseconds. */
  private readonly listedAt = new Map<OrganizationId, number>();
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when reads can have other results than before. */
  readonly onDidChange = this.changed.event;
  private readonly pauseChanged = this.register(new Emitter<void>());
  /** Fires when `pause` changes. */
  readonly onDidChangePause = this.pauseChanged.event;
  private reason: PauseReason | undefined;

  /** @param onDidRecover fires when the service responds again. */
  constructor(
    private readonly stores: FleetStores,
    onDidRecover: Event<unknown>,
    private readonly clock: Clock = systemClock,
  ) {
    super();
    this.register(stores.fragments.onDidChange(() => this.clear('fragment')));
    this.register(stores.registry.onDidChange(() => this.clear('module')));
    this.register(
      stores.parts.onDidChange(({ ids, all }) => {
        if (all || ids.length > 0) this.clear('part');
      }),
    );
    this.register(
      stores.organizations.onDidChange(({ all }) => {
        if (!all) return;
        this.clear('organization');
        this.clearFailures();
      }),
    );
    this.register(stores.onDidSignIn(() => this.clear('')));
    this.register(
      stores.onDidSignOut(() => {
        this.reads.clear();
        this.setPause('signedOut');
      }),
    );
    this.register(onDidRecover(() => this.resume()));
  }

  /** Reason why nothing is read at the moment; undefined if the catalog isn't paused. */
  get pause(): PauseReason | undefined {
    return this.reason;
  }

  /** Repeats failed reads, for callers that know that the service responds. */
  resume(): void {
    if (this.reason) this.clear('');
    else this.clearFailures();
  }

  /**
   * Runs a read unless its result is known. A failed read runs again after a delay.
   *
   * @param key identifies the read; it starts with `fragment:`, `module`, or `part:` to run the
   *   read again after a change of such a resource
   * @returns undefined if the read failed, for example because the service can't be reached.
   */
  async read<T>(key: string, run: () => Promise<T>): Promise<CatalogRead<T> | undefined> {
    const known = this.reads.get(key);
    if (known && !this.canRetry(known)) return known.result as Promise<CatalogRead<T> | undefined>;
    const result = this.attempt(run);
    if (this.reason) return result;
    const attempt: Attempt = { result, failedAt: undefined };
    this.reads.set(key, attempt);
    const read = await result;
    if (read?.value === undefined) attempt.failedAt = this.clock.now().getTime();
    return read;
  }

  private canRetry({ failedAt }: Attempt): boolean {
    return failedAt !== undefined && this.clock.now().getTime() - failedAt >= RETRY_DELAY_MS;
  }

  /** Returns an organization's fragments. */
  fragments(
    organization: OrganizationId,
  ): Promise<CatalogRead<readonly FragmentSummary[]> | undefined> {
    const { fragments } = this.stores;
    return this.read(`fragment:list:${organization}`, () => {
      this.listedAt.set(organization, this.clock.now().getTime());
      return fragments.list(organization);
    });
  }

  /**
   * Reads the fragments of a config's organization again if they were read more than a minute ago,
   * to find the changes of other users.
   */
  async refreshFragments(subject: DocumentSubject): Promise<void> {
    const organization = await this.organization(subject);
    const now = this.clock.now().getTime();
    if (!organization || now - (this.listedAt.get(organization) ?? 0) < MAX_AGE_MS) return;
    this.listedAt.set(organization, now);
    await this.attempt(() => this.stores.fragments.list(organization, { fresh: true }));
  }

  /** Returns a fragment, at a revision or tag if `version` is present. */
  fragment(id: string, version?: string): Promise<CatalogRead<Fragment> | undefined> {
    const { fragments } = this.stores;
    return this.read(`fragment:${JSON.stringify([id, version])}`, () =>
      version ? fragments.getVersion(fragmentId(id), version) : fragments.get(fragmentId(id)),
    );
  }

  /**
   * Returns the newest version of a fragment without its config: from an organization's list, or
   * separately if another organization owns it. Undefined if it can't be read.
   */
  async summary(organization: OrganizationId, id: string): Promise<FragmentSummary | undefined> {
    const list = await this.fragments(organization);
    const own = list?.value?.find((one) => one.id === id);
    return own ?? (await this.fragment(id))?.value;
  }

  /**
   * Returns an organization's modules, followed by public modules from other organizations. A large
   * registry lists only some of those.
   */
  async modules(organization: OrganizationId): Promise<ListedModules> {
    const { registry } = this.stores;
    const [own, others] = await Promise.all([
      this.read(`modules:list:${organization}`, () => registry.list(organization)),
      this.read('modules:public', () => this.listPublicModules()),
    ]);
    const items = [...(own?.value ?? []), ...(others?.value?.items ?? [])];
    return {
      items: withoutDuplicates(items).filter(({ type }) => type === 'module'),
      isComplete: others?.value?.isComplete ?? false,
    };
  }

  /** Reads another page to find out whether there is one, because services don't report it. */
  private async listPublicModules(): Promise<ListedModules> {
    const { registry } = this.stores;
    const { items, next } = await registry.search(PUBLIC_MODULES);
    if (next === undefined) return { items, isComplete: true };
    const rest = await registry.search({ ...PUBLIC_MODULES, after: next });
    const all = withoutDuplicates([...items, ...rest.items]);
    // A service that doesn't know pages returns the same items again.
    return { items: all, isComplete: all.length === items.length };
  }

  /**
   * Returns public modules that match a text. The results for recent texts are cached, but a new text
   * causes a call.
   */
  async searchModules(text: string): Promise<readonly RegistryItem[]> {
    const { registry } = this.stores;
    const key = toSearchKey(text);
    const result = this.read(key, () => registry.search({ ...PUBLIC_MODULES, searchText: text }));
    const attempt = this.reads.get(key);
    if (attempt) {
      // The last text in the map is the most recent one.
      this.reads.delete(key);
      this.reads.set(key, attempt);
      const searches = [...this.reads.keys()].filter((one) => one.startsWith(SEARCH_KEY));
      for (const oldest of searches.slice(0, -MAX_SEARCHES)) this.reads.delete(oldest);
    }
    return (await result)?.value?.items ?? [];
  }

  /** Returns true if `searchModules` makes no call for a text. */
  hasSearchedModules(text: string): boolean {
    return this.reads.has(toSearchKey(text));
  }

  /** Returns the modules that provide a model, with their versions. */
  async providersOf(model: string): Promise<readonly RegistryItem[]> {
    const { registry } = this.stores;
    const found = await this.read(`modules:model:${model}`, () =>
      registry.search({ types: ['module'], searchText: model }),
    );
    const ids = (found?.value?.items ?? []).slice(0, MAX_PROVIDERS).map(({ id }) => id);
    const items = await Promise.all(ids.map((id) => this.module(id)));
    return items
      .flatMap((item) => item?.value ?? [])
      .filter(({ models }) => models.some((one) => one.model === model));
  }

  /** Returns a part with its saved config. */
  part(id: PartId): Promise<CatalogRead<Part> | undefined> {
    return this.read(`part:${id}`, () => this.stores.parts.get(id));
  }

  /** Returns a module with its versions and models. */
  module(id: string): Promise<CatalogRead<RegistryItem> | undefined> {
    const { registry } = this.stores;
    return this.read(`module:${id}`, () => registry.get(registryItemId(id)));
  }

  /**
   * Returns modules by ID, without those that can't be read at the moment. The value is undefined
   * for a module that doesn't exist or that the API key can't read.
   */
  async modulesById(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RegistryItem | undefined>> {
    const known = ids.slice(0, MAX_MODULES);
    const reads = await Promise.all(known.map((id) => this.module(id)));
    return new Map(
      known.flatMap((id, index) => {
        const read = reads[index];
        return read ? [[id, read.value] as const] : [];
      }),
    );
  }

  /** Returns a config's organization; undefined if it can't be read. */
  async organization(subject: DocumentSubject): Promise<OrganizationId | undefined> {
    const key = `organization:${subject.type}:${subject.id}`;
    return (await this.read(key, () => findOrganization(this.stores, subject)))?.value;
  }

  /**
   * Runs a read without caching its result, and pauses if further reads would fail too.
   *
   * @returns undefined if the read failed.
   */
  async attempt<T>(run: () => Promise<T>): Promise<CatalogRead<T> | undefined> {
    if (this.reason) return undefined;
    try {
      return { value: await run() };
    } catch (error) {
      const { kind } = toFleetError(error);
      if (MISSING.has(kind)) return { value: undefined };
      const reason = PAUSING.get(kind);
      if (reason) this.setPause(reason);
      return undefined;
    }
  }

  private setPause(reason: PauseReason | undefined): void {
    if (this.reason === reason || this.isDisposed) return;
    this.reason = reason;
    this.pauseChanged.fire();
  }

  /** Clears the reads whose keys have a prefix, or all reads if the catalog was paused. */
  private clear(prefix: string): void {
    const wasPaused = this.reason !== undefined;
    for (const key of this.reads.keys()) {
      if (wasPaused || key.startsWith(prefix)) this.reads.delete(key);
    }
    this.setPause(undefined);
    this.changed.fire();
  }

  private clearFailures(): void {
    const failed = [...this.reads].filter(([, { failedAt }]) => failedAt !== undefined);
    for (const [key] of failed) this.reads.delete(key);
    if (failed.length > 0) this.changed.fire();
  }
}

function toSearchKey(text: string): string {
  return `${SEARCH_KEY}${text.trim()}`;
}

/** Returns each item once, at its first position. */
function withoutDuplicates(items: readonly RegistryItem[]): readonly RegistryItem[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}
