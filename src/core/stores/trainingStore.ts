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
import { whenGone } from './whenGone';

/** The number of the contract's enum: its generated code is loaded with the first call, not before. */
const CANCELING: WireStatus = 6;

/** What every training needs. */
export interface TrainingRequest {
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly modelName: string;
  /** Unique among the versions of the model. */
  readonly modelVersion: string;
}

/** A training that the service knows how to do. */
export interface ManagedTraining extends TrainingRequest {
  readonly task: TrainingTask;
  readonly labels: readonly string[];
}

/** A training that a script of the registry does. */
export interface CustomTraining extends TrainingRequest {
  readonly script: TrainingScriptVersion;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** The container that the public cloud runs the script in; without one, it takes its usual one. */
  readonly container?: string | undefined;
}

/** The training jobs of organizations. Every method throws `FleetError`. */
export class TrainingStore extends ListStore<TrainingJob, OrganizationId> {
  /** All jobs of an organization, the newest first. `permission` for keys that do not own it. */
  list(organization: OrganizationId, options: ReadOptions = {}): Promise<readonly TrainingJob[]> {
    return this.lists.get(
      organization,
      async (signal) => {
        const { training } = await this.clients();
        const answer = await training.listTrainingJobs(
          { organizationId: organization },
          { signal },
        );
        return answer.jobs.map(trainingJobFromWire).toSorted(newestFirst);
      },
      options,
    );
  }

  /** Returns true when the service runs training scripts; undefined for services that do not tell it. */
  async runsScripts(
    organization: OrganizationId,
    signal?: AbortSignal,
  ): Promise<boolean | undefined> {
    const { training } = await this.clients();
    let support: boolean | undefined;
    const onHeader = (headers: Headers): void => {
      support = parseScriptSupport(headers.get(SCRIPT_SUPPORT_HEADER));
    };
    // Of jobs in this state there are few at any time, and only the header is read.
    const request = { organizationId: organization, status: CANCELING };
    await training.listTrainingJobs(request, { ...withSignal(signal), onHeader });
    return support;
  }

  /** A job as it is now. */
  async get(id: TrainingJobId, signal?: AbortSignal): Promise<TrainingJob> {
    const { training } = await this.clients();
    const { metadata } = await training.getTrainingJob({ id }, withSignal(signal));
    return trainingJobFromWire(required(metadata, 'the training job'));
  }

  /** A page of what a job logged, the oldest first. `unsupported` where the service has no logs. */
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

  /** Asks a job to stop; it is `canceling`, and later `canceled`. `conflict` when it has ended. */
  async cancel({ id, organizationId }: Pick<TrainingJob, 'id' | 'organizationId'>): Promise<void> {
    const { training } = await this.clients();
    await training.cancelTrainingJob({ id });
    this.fire({ ids: [id], parents: [organizationId] });
  }

  /** Deletes the record of a job that has ended; its model stays. */
  async delete({ id, organizationId }: Pick<TrainingJob, 'id' | 'organizationId'>): Promise<void> {
    const { training } = await this.clients();
    const parents = [organizationId];
    await whenGone(training.deleteCompletedTrainingJob({ id }), () => this.fire({ parents }));
    this.fire({ removed: [id], parents });
  }

  private submitted(id: string, organization: OrganizationId): TrainingJobId {
    const job = trainingJobId(id);
    this.fire({ ids: [job], parents: [organization] });
    return job;
  }
}

function newestFirst(left: TrainingJob, right: TrainingJob): number {
  return (right.createdAt?.getTime() ?? 0) - (left.createdAt?.getTime() ?? 0);
}
