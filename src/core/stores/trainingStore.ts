import { required, withSignal } from '../api/calls';
import {
  type DatasetId,
  type OrganizationId,
  type TrainingJobId,
  trainingJobId,
} from '../model/ids';
import { MODEL_TASKS } from '../model/registryWire';
import {
  type TrainingJob,
  trainingJobFromWire,
  type TrainingScriptVersion,
} from '../model/trainingJob';
import { type TrainingLogPage, trainingLogPageFromWire } from '../model/trainingLog';
import { parseScriptSupport, SCRIPT_SUPPORT_HEADER } from '../model/scriptSupport';
import type { TrainingTask } from '../model/trainingTask';
import type { TrainingStatus as WireStatus } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { ListStore } from './listStore';
import type { ReadOptions } from './storeChange';
import { invalidateOnNotFound } from './invalidateOnNotFound';

/** Number of the contract's enum, whose generated code is loaded only with the first call. */
const CANCELING: WireStatus = 6;

/** Parameters of every training. */
export interface TrainingRequest {
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly modelName: string;
  /** Version that is unique for the model. */
  readonly modelVersion: string;
}

/** Managed training by the service. */
export interface ManagedTraining extends TrainingRequest {
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

/** Training with a script of the registry. */
export interface CustomTraining extends TrainingRequest {
  readonly script: TrainingScriptVersion;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** Container in which the public cloud runs the script; its default one if absent. */
  readonly container?: string | undefined;
}

/** Training jobs of organizations. Every method throws `FleetError`. */
export class TrainingStore extends ListStore<TrainingJob, OrganizationId> {
  /**
   * Returns all jobs of an organization, the newest first. Throws `permission` for keys that don't
   * own it.
   */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly TrainingJob[]> {
    return this.lists.get(
      organization,
      async (signal) => {
        const { training } = await this.clients();
        const answer = await training.listTrainingJobs(
          { organizationId: organization },
          { signal },
        );
        return answer.jobs.map(trainingJobFromWire).toSorted(compareNewestFirst);
      },
      options,
    );
  }

  /**
   * Returns true if the service runs training scripts; undefined for services that don't report it.
   */
  async runsScripts(
    organization: OrganizationId,
    signal?: AbortSignal,
  ): Promise<boolean | undefined> {
    const { training } = await this.clients();
    let support: boolean | undefined;
    const onHeader = (headers: Headers): void => {
      support = parseScriptSupport(headers.get(SCRIPT_SUPPORT_HEADER));
    };
    // Few jobs are in this state at any time, and only the header is read.
    const request = { organizationId: organization, status: CANCELING };
    await training.listTrainingJobs(request, { ...withSignal(signal), onHeader });
    return support;
  }

  /** Returns the current state of a job. */
  async get(id: TrainingJobId, signal?: AbortSignal): Promise<TrainingJob> {
    const { training } = await this.clients();
    const { metadata } = await training.getTrainingJob({ id }, withSignal(signal));
    return trainingJobFromWire(required(metadata, 'the training job'));
  }

  /**
   * Returns a page of a job's log, the oldest lines first. Throws `unsupported` if the service has
   * no logs.
   */
  async logs(id: TrainingJobId, pageToken = '', signal?: AbortSignal): Promise<TrainingLogPage> {
    const { training } = await this.clients();
    return trainingLogPageFromWire(
      await training.getTrainingJobLogs({ id, pageToken }, withSignal(signal)),
    );
  }

  async submit({ task, labels, ...request }: ManagedTraining): Promise<TrainingJobId> {
    const { training } = await this.clients();
    const { id } = await training.submitTrainingJob({
      ...request,
      modelType: MODEL_TASKS[task],
      tags: [...labels],
    });
    return this.submitted(id, request.organizationId);
  }

  async submitCustom({ script, container, ...request }: CustomTraining): Promise<TrainingJobId> {
    const { training } = await this.clients();
    const { id } = await training.submitCustomTrainingJob({
      ...request,
      arguments: { ...request.arguments },
      registryItemId: script.itemId,
      registryItemVersion: script.version,
      containerVersion: container ?? '',
    });
    return this.submitted(id, request.organizationId);
  }

  /**
   * Requests that a job stops; it is `canceling`, and later `canceled`. Throws `conflict` if it has
   * ended.
   */
  async cancel({ id, organizationId }: Pick<TrainingJob, 'id' | 'organizationId'>): Promise<void> {
    const { training } = await this.clients();
    await training.cancelTrainingJob({ id });
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /** Deletes the record of a job that has ended, but not its model. */
  async delete({ id, organizationId }: Pick<TrainingJob, 'id' | 'organizationId'>): Promise<void> {
    const { training } = await this.clients();
    const parents = [organizationId];
    await invalidateOnNotFound(training.deleteCompletedTrainingJob({ id }), () =>
      this.fire({ parents }),
    );
    this.fire({ removed: [id], parents });
  }

  private submitted(id: string, organization: OrganizationId): TrainingJobId {
    const job = trainingJobId(id);
    this.fire({ ids: [job], parents: [organization] });
    return job;
  }
}

function compareNewestFirst(left: TrainingJob, right: TrainingJob): number {
  return (right.createdAt?.getTime() ?? 0) - (left.createdAt?.getTime() ?? 0);
}
