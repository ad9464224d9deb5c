import { type DatasetId, type OrganizationId, organizationId } from '../../src/core/model/ids';
import type { OrganizationTarget } from '../../src/core/model/resourceTarget';
import type { TrainingJob } from '../../src/core/model/trainingJob';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { CapturingPart } from './capturingPart';
import { type MemoryFleet, openMemoryFleet } from './memoryFleet';
import { type Outcome, StagedTrainer } from './stagedTrainer';
import { TestSessions } from './testSessions';
import { waitForValue } from './waitUntil';

/**
 * An in-memory fleet whose training jobs have the outcomes that tests request, with an organization
 * and a dataset.
 */
export class TrainingFleet {
  private versions = 0;

  private constructor(
    readonly fleet: MemoryFleet,
    readonly sessions: TestSessions,
    readonly organizationId: OrganizationId,
    readonly datasetId: DatasetId,
  ) {}

  static async open(): Promise<TrainingFleet> {
    const trainer = new StagedTrainer();
    const fleet = await openMemoryFleet(undefined, { managed: trainer, custom: trainer });
    const sessions = new TestSessions(fleet);
    const organization = organizationId(fleet.organizationId);
    const { datasets, binaryData } = sessions.stores();
    const dataset = await datasets.create(organization, 'Cups');
    const part = await CapturingPart.create(fleet, sessions.stores());
    const image = await part.capture({ tags: ['cup'] });
    await binaryData.addToDataset(dataset, [image]);
    return new TrainingFleet(fleet, sessions, organization, dataset);
  }

  get stores(): FleetStores {
    return this.sessions.stores();
  }

  get target(): OrganizationTarget {
    const { sessions } = this;
    return {
      kind: 'organization',
      connectionId: sessions.connectionToFleet.id,
      organizationId: this.organizationId,
      name: 'Default',
    };
  }

  /** Submits a job that ends with the given outcome. */
  submit(outcome: Outcome): Promise<TrainingJob['id']> {
    this.versions += 1;
    return this.stores.training.submit({
      organizationId: this.organizationId,
      datasetId: this.datasetId,
      modelName: 'cups',
      modelVersion: `1.0.${this.versions}`,
      task: 'singleLabelClassification',
      labels: [outcome, 'cup'],
    });
  }

  /** Waits until a job reaches a status. */
  until(id: TrainingJob['id'], status: TrainingJob['status']): Promise<TrainingJob> {
    let last: TrainingJob['status'] | undefined;
    return waitForValue(
      async () => {
        const job = await this.stores.training.get(id);
        last = job.status;
        return job.status === status ? job : undefined;
      },
      { describeState: () => `the job is ${status}, but: ${String(last)}` },
    );
  }

  async close(): Promise<void> {
    this.sessions.dispose();
    await this.fleet.close();
  }
}
