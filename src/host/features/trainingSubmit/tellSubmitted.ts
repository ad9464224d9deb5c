import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';
import { trainingJobTarget } from '../../../core/model/trainingJobTarget';
import type { FleetTools } from '../../platform/fleetTools';
import type { PlannedModel } from './modelItems';
import type { SubmitPlace } from './submitPlace';
import type { Submitted } from './submitSettled';

/** Reports that a training was submitted, with a link to its job. */
export async function tellSubmitted(
  { commands }: Pick<FleetTools, 'commands'>,
  { target: { connectionId, organizationId } }: SubmitPlace,
  { plan: { modelName, modelVersion }, jobId }: Submitted<PlannedModel>,
): Promise<void> {
  const show = vscode.l10n.t('Show Training');
  const message = vscode.l10n.t(
    'Submitted training of {0}, version {1}.',
    displayText(modelName),
    displayText(modelVersion),
  );
  if ((await vscode.window.showInformationMessage(message, show)) !== show) return;
  const job = { id: jobId, organizationId, modelName, modelVersion };
  await commands.execute('fleetwright.training.show', trainingJobTarget(connectionId, job));
}
