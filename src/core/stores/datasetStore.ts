import { FleetError } from '../api/errors';
import { withSignal, required } from '../api/fleetClients';
import { type Dataset, datasetFromWire } from '../model/dataset';
import { type OrganizationId, type DatasetId, datasetId } from '../model/ids';
import { inNameOrder } from '../model/resourceName';
import { findDifferences, ListStore } from './listStore';
import type { ReadOptions } from './resourceCache';

/** Datasets of organizations, with one list per organization. Methods throw `FleetError`. */
export class DatasetStore extends ListStore<Dataset, OrganizationId> {
  /** Returns an organization's datasets, sorted by name. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly Dataset[]> {
    return this.readList(
      organization,
      async (signal) => {
        const answer = await this.clients.datasets.listDatasetsByOrganizationID(
          { organizationId: organization },
          { signal },
        );
        return inNameOrder(answer.datasets.map(datasetFromWire));
      },
      options,
    );
  }

  /** A dataset can't move to another organization, so a missing one was deleted. */
  protected override reportDifference(
    organization: OrganizationId,
    before: readonly Dataset[],
    after: readonly Dataset[],
  ): void {
    this.fireChange({ ...findDifferences(before, after), parents: [organization] });
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
    const answer = await this.clients.datasets.listDatasetsByIDs({ ids: [id] }, withSignal(signal));
    return datasetFromWire(required(answer.datasets[0], 'dataset', this.clients.l10n));
  }

  /** Creates an empty dataset. @returns its ID. */
  async create(organization: OrganizationId, name: string): Promise<DatasetId> {
    const answer = await this.clients.datasets.createDataset({
      organizationId: organization,
      name,
    });
    const id = datasetId(answer.id);
    this.fire({ ids: [id], parents: [organization] });
    return id;
  }

  async rename(
    { id, organizationId }: Pick<Dataset, 'id' | 'organizationId'>,
    name: string,
  ): Promise<void> {
    await this.clients.datasets.renameDataset({ id, name });
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /** Deletes a dataset, but not its items. */
  async delete({ id, organizationId }: Pick<Dataset, 'id' | 'organizationId'>): Promise<void> {
    await this.sendChange(organizationId, this.clients.datasets.deleteDataset({ id }));
    this.fire({ removed: [id], parents: [organizationId] });
  }
}
