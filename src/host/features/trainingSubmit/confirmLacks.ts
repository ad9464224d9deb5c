import * as vscode from 'vscode';
import { cancelled } from '../../../core/api/errors';
import { displayText } from '../../../core/model/displayText';
import { trainingLacks } from '../../../core/training/submit/trainingLack';
import type { FleetTools } from '../../platform/fleetTools';
import { lackText } from './lackText';
import type { TrainingPlan } from './trainingPlan';

/**
 * Asks before a training is submitted that its dataset is not ready for. Showing what is missing ends
 * the submission: throws `cancelled` then. @returns whether it is to be submitted.
 */
export async function confirmLacks(
  { commands }: Pick<FleetTools, 'commands'>,
  { dataset, readiness, task, labels }: TrainingPlan,
): Promise<boolean> {
  const lacks = trainingLacks(readiness, task, labels);
  if (lacks.length === 0) return true;
  const anyway = vscode.l10n.t('Submit Anyway');
  const show = vscode.l10n.t('Show What Is Missing');
  const question = vscode.l10n.t(
    'The dataset "{0}" is not ready for this training.',
    displayText(dataset.name),
  );
  const detail = lacks.map((lack) => lackText(lack, task)).join('\n');
  const options = { modal: true, detail };
  const answer = await vscode.window.showWarningMessage(question, options, anyway, show);
  if (answer !== show) return answer === anyway;
  await commands.execute('fleetwright.dataset.showReadiness', dataset);
  throw cancelled();
}
