import { Disposable } from '../../base/disposable';
import { englishLocalizer } from '../../base/localizer';
import type { ReadContent } from '../api/contentStream';
import { type LoadClients, required, withSignal } from '../api/fleetClients';
import { type QuerySource, WireQuerySource } from '../query/querySource';
import { AccessStore } from './accessStore';
import { ApiKeyStore } from './apiKeyStore';
import { BinaryDataStore } from './binaryDataStore';
import { DatabaseStore } from './databaseStore';
import { FragmentStore } from './fragmentStore';
import { LocationStore } from './locationStore';
import { LogStore } from './logStore';
import { MachineStore } from './machineStore';
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
import { type AppContent, appContentFromWire } from '../model/registryWire';
import { invalidateOnNotFound, ListStore, type ReadOptions } from './resourceCache';
import { FleetError } from '../api/errors';
import { type Dataset, datasetFromWire } from '../model/dataset';
import { type DatasetId, datasetId, type OrganizationId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';

/** Stores of one connection. */
export class FleetStores extends Disposable {
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

  /** @param contentReader returns undefined if contents can be read only with calls. */
  constructor(
    clients: LoadClients,
    contentReader: () => ReadContent | undefined = () => undefined,
    l10n = englishLocalizer,
  ) {
    super();
    this.access = this.register(new AccessStore(clients));
    this.organizations = this.register(new OrganizationStore(clients));
    this.locations = this.register(new LocationStore(clients));
    this.machines = this.register(new MachineStore(clients));
    this.parts = this.register(new PartStore(clients));
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
    this.cascadeDeletions();
    this.subscribeToRoles();
    // Moving a location changes the inherited roles that apply to it.
    this.register(this.locations.onDidChange(() => this.access.forgetInside()));
  }

  /** Reloads all displayed data. */
  refresh(): void {
    this.access.forget();
    this.organizations.refresh();
    this.locations.refresh();
    this.machines.refresh();
    this.parts.refresh();
    this.fragments.refresh();
    this.members.refresh();
    this.roles.refresh();
    this.apiKeys.refresh();
    this.datasets.refresh();
    this.registry.refresh();
    this.training.refresh();
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
   * Forwards the deletion of a resource to the stores of its contents. The service also deletes the
   * contents, so views that show them must be notified.
   */
  private cascadeDeletions(): void {
    this.register(
      this.organizations.onDidChange(({ ids, removed }) => {
        this.locations.removeIn(removed);
        this.fragments.removeIn(removed);
        this.datasets.removeIn(removed);
        this.registry.removeIn(removed);
        this.training.removeIn(removed);
        this.registry.renamedIn(ids);
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
      this.machines.onDidChange(({ removed }) => {
        this.parts.removeIn(removed);
        this.roles.removeOn(removed);
        this.apiKeys.removeOn(removed);
      }),
    );
  }
}

/** Web applications of modules. Not cached, because they are requested individually. */
class AppStore {
  constructor(private readonly clients: LoadClients) {}

  /**
   * @param publicNamespace namespace of the organization that publishes the app.
   * @throws FleetError `notFound` if the app doesn't exist, or the API key doesn't have permission
   *   to open it.
   */
  async get(
    publicNamespace: string,
    name: string,
    { signal }: Pick<ReadOptions, 'signal'> = {},
  ): Promise<AppContent> {
    const { app } = await this.clients();
    const answer = await app.getAppContent({ publicNamespace, name }, withSignal(signal));
    return appContentFromWire(answer);
  }
}

/** Datasets of organizations, with one list per organization. Methods throw `FleetError`. */
class DatasetStore extends ListStore<Dataset, OrganizationId> {
  async list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly Dataset[]> {
    const before = this.lists.peek(organization);
    const after = await this.lists.get(
      organization,
      async (signal) => {
        const { datasets } = await this.clients();
        const answer = await datasets.listDatasetsByOrganizationID(
          { organizationId: organization },
          { signal },
        );
        return inNameOrder(answer.datasets.map(datasetFromWire));
      },
      options,
    );
    // A fresh list can reveal changes by other clients.
    if (options.fresh && before && !isSameList(before, after)) {
      this.fireChange({ parents: [organization] });
    }
    return after;
  }

  /**
   * Like `list`, but returns an empty list if the API key can't list the datasets, which requires a
   * role on the organization itself.
   */
  async listVisible(
    organization: OrganizationId,
    options: ReadOptions = {},
  ): Promise<readonly Dataset[]> {
    try {
      return await this.list(organization, options);
    } catch (error) {
      if (error instanceof FleetError && error.kind === 'permission') return [];
      throw error;
    }
  }

  /** Returns a dataset by ID. Throws `notFound` if the API key can't list it. */
  async get(id: DatasetId, signal?: AbortSignal): Promise<Dataset> {
    const { datasets } = await this.clients();
    const answer = await datasets.listDatasetsByIDs({ ids: [id] }, withSignal(signal));
    return datasetFromWire(required(answer.datasets[0], 'the dataset'));
  }

  /** Creates an empty dataset. @returns its ID. */
  async create(organization: OrganizationId, name: string): Promise<DatasetId> {
    const { datasets } = await this.clients();
    const answer = await datasets.createDataset({ organizationId: organization, name });
    const id = datasetId(answer.id);
    this.fire({ ids: [id], parents: [organization] });
    return id;
  }

  async rename(
    { id, organizationId }: Pick<Dataset, 'id' | 'organizationId'>,
    name: string,
  ): Promise<void> {
    const { datasets } = await this.clients();
    await datasets.renameDataset({ id, name });
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /** Deletes a dataset, but not its items. */
  async delete({ id, organizationId }: Pick<Dataset, 'id' | 'organizationId'>): Promise<void> {
    const { datasets } = await this.clients();
    const parents = [organizationId];
    await invalidateOnNotFound(datasets.deleteDataset({ id }), () => this.fire({ parents }));
    this.fire({ removed: [id], parents });
  }
}

function isSameList(before: readonly Dataset[], after: readonly Dataset[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ id, name }, index) => id === after[index]?.id && name === after[index].name)
  );
}
