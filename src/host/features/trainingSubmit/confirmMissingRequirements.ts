import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { datasetFilter } from '../../../core/model/captureFilter';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { PLACED_MIME_TYPES } from '../../../core/model/placement';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { BinaryDataStore } from '../../../core/stores/binaryDataStore';
import { findMissingRequirements } from '../../../core/training/submit/missingRequirement';
import type { FleetTools } from '../../platform/fleetTools';
import { describeMissingRequirement, describeNothingToLearn } from './describeMissingRequirement';
import type { TrainingPlan } from './trainingPlan';

type Tools = Pick<FleetTools, 'commands'>;

/**
 * Prompts for confirmation before submitting a training for which the dataset isn't ready. Throws
 * `canceled` if the user chooses to view the missing requirements.
 * @returns true if the user wants to submit the training anyway.
 */
export function confirmMissingRequirements(
  tools: Tools,
  { dataset, readiness, task, labels }: TrainingPlan,
): Promise<boolean> {
  const requirements = findMissingRequirements(readiness, task, labels);
  return confirmNotReady(
    tools,
    dataset,
    requirements.map((requirement) => describeMissingRequirement(requirement, task)),
  );
}

/**
 * Like {@link confirmMissingRequirements}, but for a training script. Its only known requirement is
 * that the dataset contains images.
 */
export async function confirmEmpty(
  tools: Tools,
  { binaryData }: { readonly binaryData: Pick<BinaryDataStore, 'count'> },
  dataset: DatasetTarget,
): Promise<boolean> {
  const { organizationId, datasetId, name } = dataset;
  const { images: mimeTypes } = PLACED_MIME_TYPES;
  const { count } = await binaryData.count({
    ...datasetFilter(organizationId, datasetId),
    mimeTypes,
  });
  const reasons = count > 0 ? [] : [describeNothingToLearn(toDisplayText(name), { images: 0 })];
  return confirmNotReady(tools, dataset, reasons);
}

async function confirmNotReady(
  { commands }: Tools,
  dataset: DatasetTarget,
  reasons: readonly string[],
): Promise<boolean> {
  if (reasons.length === 0) return true;
  const anyway = vscode.l10n.t('Submit Anyway');
  const show = vscode.l10n.t('Show Missing Requirements');
  const question = vscode.l10n.t(
    'The dataset "{0}" is not ready for this training job.',
    toDisplayText(dataset.name),
  );
  const options = { modal: true, detail: reasons.join('\n') };
  const answer = await vscode.window.showWarningMessage(question, options, show, anyway);
  if (answer !== show) return answer === anyway;
  await commands.execute('fleetwright.dataset.showReadiness', dataset);
  throw canceled();
}
