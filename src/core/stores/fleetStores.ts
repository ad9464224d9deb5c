import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { englishLocalizer } from '../../base/localizer';
import type { ReadContent } from '../api/contentStream';
import { type FleetClients } from '../api/fleetClients';
import { type QuerySource, WireQuerySource } from '../query/querySource';
import { AccessStore } from './accessStore';
import { ApiKeyStore } from './apiKeyStore';
import { BinaryDataStore } from './binaryDataStore';
import { DatabaseStore } from './databaseStore';
import { FragmentStore } from './fragmentStore';
import { LocationStore } from './locationStore';
import { LogStore } from './logStore';
import { MachineStore } from './machineStore';
import { MachineSummaryStore } from './machineSummaryStore';
import { MemberStore } from './memberStore';
import { MetadataStore } from './metadataStore';
import { OrganizationStore } from './organizationStore';
import { PartStore } from './partStore';
import { ReadingsStore } from './readingsStore';
import { RegistryStore } from './registryStore';
import { RoleStore } from './roleStore';
import { SecretStore } from './secretStore';
import { TrainingStore } from './trainingStore';
import { UploadStore } from './uploadStore';
import { DatasetStore } from './datasetStore';
import { AppStore } from './appStore';

/**
 * Stores for one connection, which stay the same when the user signs out and in again. While the
 * user is signed out, they are empty, and their calls are rejected with `unauthenticated`.
 */
export class FleetStores extends Disposable {
  private readonly moved = this.register(new Emitter<void>());
  /**
   * Fires when the connection's URL has changed, before `onDidSignIn`. All displayed data comes
   * from another service and must be cleared.
   */
  readonly onDidMove = this.moved.event;
  private readonly signedIn = this.register(new Emitter<void>());
  /** Fires when the user has signed in. All displayed data must be reloaded. */
  readonly onDidSignIn = this.signedIn.event;
  private readonly signedOut = this.register(new Emitter<void>());
  /** Fires when the user has signed out. */
  readonly onDidSignOut = this.signedOut.event;
  readonly access: AccessStore;
  readonly apiKeys: ApiKeyStore;
  readonly apps: AppStore;
  readonly binaryData: BinaryDataStore;
  readonly database: DatabaseStore;
  readonly datasets: DatasetStore;
  readonly organizations: OrganizationStore;
  readonly locations: LocationStore;
  readonly logs: LogStore;
  readonly machines: MachineStore;
  readonly machineSummaries: MachineSummaryStore;
  readonly parts: PartStore;
  readonly fragments: FragmentStore;
  readonly members: MemberStore;
  readonly metadata: MetadataStore;
  readonly queries: QuerySource;
  readonly readings: ReadingsStore;
  readonly registry: RegistryStore;
  readonly roles: RoleStore;
  readonly secrets: SecretStore;
  readonly training: TrainingStore;
  readonly uploads: UploadStore;
  /** Stores whose data is displayed, in the order in which they are reloaded. */
  private readonly lists: readonly { clear(): void; refresh(): void }[];

  /**
   * @param contentReader returns undefined if contents can be read only with calls.
   * @param l10n translates error messages
   */
  constructor(
    clients: FleetClients,
    contentReader: () => Promise<ReadContent | undefined> = () => Promise.resolve(undefined),
    readonly l10n = englishLocalizer,
  ) {
    super();
    this.access = this.register(new AccessStore(clients));
    this.organizations = this.register(new OrganizationStore(clients));
    this.locations = this.register(new LocationStore(clients));
    this.machines = this.register(new MachineStore(clients));
    this.parts = this.register(new PartStore(clients));
    this.machineSummaries = new MachineSummaryStore(clients);
    this.fragments = this.register(new FragmentStore(clients));
    this.members = this.register(new MemberStore(clients));
    this.roles = this.register(new RoleStore(clients));
    this.apiKeys = this.register(new ApiKeyStore(clients));
    this.metadata = this.register(new MetadataStore(clients));
    this.binaryData = this.register(new BinaryDataStore(clients, contentReader));
    this.datasets = this.register(new DatasetStore(clients));
    this.registry = this.register(new RegistryStore(clients, contentReader, l10n));
    this.training = this.register(new TrainingStore(clients));
    this.apps = new AppStore(clients);
    this.database = new DatabaseStore(clients);
    this.queries = new WireQuerySource(clients);
    this.readings = this.register(new ReadingsStore(clients));
    this.logs = new LogStore(clients);
    this.secrets = new SecretStore(clients);
    this.uploads = new UploadStore(clients);
    this.lists = [
      this.organizations,
      this.locations,
      this.machines,
      this.parts,
      this.fragments,
      this.members,
      this.roles,
      this.apiKeys,
      this.datasets,
      this.registry,
      this.training,
    ];
    this.cascadeDeletions();
    this.invalidateSummaries();
    this.subscribeToRoles();
    // Moving a location changes the inherited roles that apply to it.
    this.register(this.locations.onDidChange(() => this.access.clearInside()));
  }

  /** Reloads all displayed data. */
  refresh(): void {
    this.access.clear();
    for (const store of this.lists) store.refresh();
  }

  /** Starts with empty stores after a sign-in. */
  signIn(): void {
    this.clear();
    this.signedIn.fire();
  }

  /** Starts with empty stores after the connection's URL has changed. */
  move(): void {
    this.clear();
    this.moved.fire();
    this.signedIn.fire();
    // Listeners of individual stores must also reload.
    this.refresh();
  }

  /** Clears the stores after a sign-out. */
  signOut(): void {
    this.clear();
    this.signedOut.fire();
  }

  /** Clears all cached data without notifying the individual stores' listeners. */
  private clear(): void {
    this.access.clear();
    this.machineSummaries.clear();
    for (const store of this.lists) store.clear();
  }

  /** Summaries consist of the parts of machines and their configs. */
  private invalidateSummaries(): void {
    this.register(
      this.parts.onDidChange(({ all, parents }) => {
        if (all) this.machineSummaries.clear();
        else this.machineSummaries.clearMachines(parents);
      }),
    );
  }

  /**
   * Roles are added and removed together with their holders, and they determine the permissions of
   * the signed-in API key.
   */
  private subscribeToRoles(): void {
    this.register(
      this.members.onDidChange(({ removed, parents }) => {
        if (removed.length > 0) this.roles.changedIn(parents);
      }),
    );
    this.register(
      this.apiKeys.onDidChange(({ ids, removed, parents }) => {
        if (ids.length + removed.length > 0) this.roles.changedIn(parents);
      }),
    );
    this.register(this.roles.onDidChange(({ parents }) => this.apiKeys.changedIn(parents)));
    this.register(
      this.roles.onDidChange(({ all }) => {
        if (!all) this.access.refresh();
      }),
    );
  }

  /**
   * Forwards the deletion of a resource to the stores for its contents. The service also deletes
   * the contents, so views that show them must be notified.
   */
  private cascadeDeletions(): void {
    this.register(
      this.organizations.onDidChange(({ ids, removed }) => {
        this.locations.removeIn(removed);
        this.fragments.removeIn(removed);
        this.datasets.removeIn(removed);
        this.registry.removeIn(removed);
        this.training.removeIn(removed);
        // If an organization was assigned a namespace, the IDs of its items start with it.
        this.registry.changedIn(ids);
        this.members.changedIn(removed);
        this.apiKeys.changedIn(removed);
        this.roles.removeOn(removed);
      }),
    );
    this.register(
      this.locations.onDidChange(({ removed }) => {
        this.machines.removeIn(removed);
        this.roles.removeOn(removed);
        this.apiKeys.removeOn(removed);
      }),
    );
    this.register(
      this.datasets.onDidChange(({ removed }) => {
        if (removed.length > 0) this.binaryData.datasetsDeleted();
      }),
    );
    this.register(
      this.machines.onDidChange(({ removed }) => {
        this.parts.removeIn(removed);
        this.roles.removeOn(removed);
        this.apiKeys.removeOn(removed);
      }),
    );
  }
}
