import { FleetError } from '../api/errors';
import {
  confirmPartRestart,
  confirmTrainingCancellation,
  formatOwner,
  MAX_NAME_LENGTH,
  quoteName,
  toPromptName,
} from '../confirmations/confirmation';
import { readReadiness } from '../data/datasets/datasetReadiness';
import { datasetId, partId, trainingJobId } from '../model/ids';
import type { OrganizationTarget } from '../model/resourceTarget';
import { isInProgress, TRAINING_TASKS } from '../model/trainingJob';
import { findPart } from '../stores/findMachines';
import { owningOrganization } from '../stores/ownersAbove';
import { findMissingRequirements, learnableLabels } from '../training/submit/missingRequirement';
import { TrainableModels } from '../training/submit/trainableModels';
import { type AgentTool, type ToolContext, writeTool } from './agentTool';
import { refreshLocations } from './toolParameters';
import { choice, id, list, object, optional, text } from './toolSchema';

const restartPart = writeTool({
  name: 'fleetwright_restart_part',
  title: 'Restart Part',
  description:
    'Requests a restart of a part, which stops what it does and restarts when it next checks in. A person must confirm it first.',
  permission: 'control_robot',
  right: 'control',
  input: object({
    partId: id('ID of the part. fleetwright_get_machine lists the parts of a machine.'),
  }),
  output: object({ part: text(), machine: text() }),
  plan: async ({ partId: requestedId }, context) => {
    const { stores, connectionId } = context;
    await refreshLocations(context);
    const { target } = await findPart(stores, connectionId, partId(requestedId));
    const organization = await owningOrganization(stores, target);
    return {
      targets: [target],
      confirmation: confirmPartRestart(target, organization, stores.l10n),
      apply: async () => {
        await stores.parts.markForRestart(target.partId);
        return {
          data: { part: target.name, machine: target.machineName },
          note: 'The restart was requested. fleetwright_get_machine shows the last contact of the part.',
        };
      },
    };
  },
});

const submitTraining = writeTool({
  name: 'fleetwright_submit_training',
  title: 'Submit Training Job',
  description:
    'Submits a managed training job for a dataset that fleetwright_check_dataset reports as ready. A person must confirm it first.',
  permission: 'train_models',
  right: 'train',
  input: object({
    datasetId: id('ID of the dataset.'),
    task: choice(TRAINING_TASKS, 'Task of the model.'),
    modelName: text(
      'Name of the model: letters, digits, dashes, and underscores.',
      MAX_NAME_LENGTH,
    ),
    modelVersion: optional(
      id('New version of the model; the next version by default.', MAX_NAME_LENGTH),
    ),
    labels: optional(
      list(
        text(undefined, MAX_NAME_LENGTH),
        'Labels to learn; all with enough examples by default.',
        100,
      ),
    ),
  }),
  output: object({ jobId: id(), modelName: text(), modelVersion: text(), labels: list(text()) }),
  plan: async (input, context) => {
    const { stores, signal, reportProgress } = context;
    const { l10n } = stores;
    const { task, modelName } = input;
    const dataset = await stores.datasets.get(datasetId(input.datasetId), signal);
    const { organizationId } = dataset;
    const target = await findOrganization(context, organizationId);
    const readiness = await readReadiness(
      stores.binaryData,
      { organizationId, datasetId: dataset.id },
      { signal, onProgress: reportProgress },
    );
    const labels = input.labels ?? learnableLabels(readiness, task);
    if (labels.length === 0 || findMissingRequirements(readiness, task, labels).length > 0) {
      throw new FleetError(
        'invalid',
        "The dataset isn't ready for this training job. fleetwright_check_dataset reports what is missing. A person can submit the job anyway.",
      );
    }
    const [items, jobs] = await Promise.all([
      stores.registry.list(organizationId, { signal, fresh: true }),
      stores.training.list(organizationId, { signal, fresh: true }),
    ]);
    const models = new TrainableModels(items, jobs);
    const modelVersion = input.modelVersion ?? models.nextVersion(modelName);
    if (models.isTaken(modelName, modelVersion)) {
      throw new FleetError(
        'invalid',
        'The model already has this version, or a training job is creating it. Use another version.',
      );
    }
    return {
      targets: [target],
      confirmation: {
        question: l10n.t(
          'Train "{0}", version {1}, on the dataset "{2}"?',
          toPromptName(modelName),
          quoteName(modelVersion),
          toPromptName(dataset.name),
        ),
        detail: [
          formatOwner({ name: target.name, id: organizationId }, l10n),
          l10n.t('Images: {0}', String(readiness.images)),
          l10n.t('Labels: {0}', labels.map(quoteName).join(', ')),
        ].join('\n'),
        action: l10n.t('Train Model'),
      },
      apply: async () => {
        const jobId = await stores.training.submit({
          organizationId,
          datasetId: dataset.id,
          modelName,
          modelVersion,
          task,
          labels,
        });
        return { data: { jobId, modelName, modelVersion, labels } };
      },
    };
  },
});

const cancelTraining = writeTool({
  name: 'fleetwright_cancel_training',
  title: 'Cancel Training Job',
  description:
    'Cancels a queued or running training job. Its progress is lost. A person must confirm it first.',
  permission: 'train_models',
  right: 'train',
  input: object({ jobId: id('ID of the training job.') }),
  output: object({ modelName: text(), modelVersion: text() }),
  plan: async ({ jobId }, context) => {
    const { stores, signal } = context;
    const job = await stores.training.get(trainingJobId(jobId), signal);
    if (!isInProgress(job) || job.status === 'canceling') {
      throw new FleetError('conflict', 'The training job is neither queued nor running.');
    }
    const target = await findOrganization(context, job.organizationId);
    const owner = { name: target.name, id: target.organizationId };
    const { modelName, modelVersion } = job;
    return {
      targets: [target],
      confirmation: confirmTrainingCancellation(job, owner, stores.l10n),
      apply: async () => {
        await stores.training.cancel(job);
        return { data: { modelName, modelVersion } };
      },
    };
  },
});

async function findOrganization(
  { stores, connectionId, signal }: ToolContext,
  organizationId: OrganizationTarget['organizationId'],
): Promise<OrganizationTarget> {
  const { name } = await stores.organizations.get(organizationId, { signal });
  return { kind: 'organization', connectionId, organizationId, name };
}

export const operationTools: readonly AgentTool[] = [restartPart, submitTraining, cancelTraining];
