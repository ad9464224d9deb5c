import { required, withSignal } from '../api/fleetClients';
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
  type TrainingLogPage,
  trainingLogPageFromWire,
  type TrainingScriptVersion,
  type TrainingTask,
} from '../model/trainingJob';
import { parseScriptSupport, SCRIPT_SUPPORT_HEADER } from '../model/contractExtensions';
import type { TrainingStatus as WireStatus } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { ListStore } from './listStore';
import type { ReadOptions } from './resourceCache';

/** Number in the API contract's enum, whose generated code is loaded only with the first call. */
const CANCELING: WireStatus = 6;

/** Parameters that all kinds of training have in common. */
export interface TrainingRequest {
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly modelName: string;
  /** The model's version, which must be unique for the model. */
  readonly modelVersion: string;
}

/** Parameters for a training job that the service manages. */
export interface ManagedTraining extends TrainingRequest {
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

/** Parameters for a training job that runs a script from the registry. */
export interface CustomTraining extends TrainingRequest {
  readonly script: TrainingScriptVersion;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** Container in which the public cloud runs the script; absent for its default container. */
  readonly container?: string | undefined;
}

/** Training jobs of organizations. Methods throw `FleetError`. */
export class TrainingStore extends ListStore<TrainingJob, OrganizationId> {
  /**
   * Returns all of an organization's jobs, newest first. Throws `permission` if the API key isn't
   * an owner of the organization.
   */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly TrainingJob[]> {
    return this.lists.get(
      organization,
      async (signal) => {
        const answer = await this.clients.training.listTrainingJobs(
          { organizationId: organization },
          { signal },
        );
        return answer.jobs.map(trainingJobFromWire).toSorted(compareNewestFirst);
      },
      options,
    );
  }

  /**
   * Returns true if the service runs training scripts; undefined if the service doesn't report it.
   */
  async runsScripts(
    organization: OrganizationId,
    signal?: AbortSignal,
  ): Promise<boolean | undefined> {
    let support: boolean | undefined;
    const onHeader = (headers: Headers): void => {
      support = parseScriptSupport(headers.get(SCRIPT_SUPPORT_HEADER));
    };
    // Only the header is read, so the list is limited to jobs that are being canceled, which are
    // few at any time.
    const request = { organizationId: organization, status: CANCELING };
    await this.clients.training.listTrainingJobs(request, { ...withSignal(signal), onHeader });
    return support;
  }

  /** Returns a job's current state. */
  async get(id: TrainingJobId, signal?: AbortSignal): Promise<TrainingJob> {
    const { metadata } = await this.clients.training.getTrainingJob({ id }, withSignal(signal));
    return trainingJobFromWire(required(metadata, 'training job', this.clients.l10n));
  }

  /**
   * Returns a page of a job's log, oldest lines first. Throws `unsupported` if the service has no
   * logs.
   */
  async logs(id: TrainingJobId, pageToken = '', signal?: AbortSignal): Promise<TrainingLogPage> {
    return trainingLogPageFromWire(
      await this.clients.training.getTrainingJobLogs({ id, pageToken }, withSignal(signal)),
    );
  }

  async submit({ task, labels, ...request }: ManagedTraining): Promise<TrainingJobId> {
    const { id } = await this.clients.training.submitTrainingJob({
      ...request,
      modelType: MODEL_TASKS[task],
      tags: [...labels],
    });
    return this.submitted(id, request.organizationId);
  }

  async submitCustom({ script, container, ...request }: CustomTraining): Promise<TrainingJobId> {
    const { id } = await this.clients.training.submitCustomTrainingJob({
      ...request,
      arguments: { ...request.arguments },
      registryItemId: script.itemId,
      registryItemVersion: script.version,
      containerVersion: container ?? '',
    });
    return this.submitted(id, request.organizationId);
  }

  /**
   * Requests that a job stop. The job is first `canceling` and later `canceled`. Throws `conflict`
   * if the job has ended.
   */
  async cancel({ id, organizationId }: Pick<TrainingJob, 'id' | 'organizationId'>): Promise<void> {
    await this.clients.training.cancelTrainingJob({ id });
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /** Deletes the record for a job that has ended, but not its model. */
  async delete({ id, organizationId }: Pick<TrainingJob, 'id' | 'organizationId'>): Promise<void> {
    await this.sendChange(organizationId, this.clients.training.deleteCompletedTrainingJob({ id }));
    this.fire({ removed: [id], parents: [organizationId] });
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
