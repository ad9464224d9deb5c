import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { trainingJobTarget } from '../../../core/model/trainingJobTarget';
import type { FleetTools } from '../../platform/fleetTools';
import type { PlannedModel } from './modelItems';
import type { SubmitTarget } from './resolveSubmitTarget';
import type { Submitted } from './submitPlan';

/** Reports that a training was submitted, with a link to its job. */
export async function notifySubmitted(
  { commands }: Pick<FleetTools, 'commands'>,
  { target: { connectionId, organizationId } }: SubmitTarget,
  { plan: { modelName, modelVersion }, jobId }: Submitted<PlannedModel>,
): Promise<void> {
  const show = vscode.l10n.t('Show Training');
  const message = vscode.l10n.t(
    'Submitted the training job for {0}, version {1}.',
    toDisplayText(modelName),
    toDisplayText(modelVersion),
  );
  if ((await vscode.window.showInformationMessage(message, show)) !== show) return;
  const job = { id: jobId, organizationId, modelName, modelVersion };
  await commands.execute('fleetwright.training.show', trainingJobTarget(connectionId, job));
}
