import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { TrainingJobId } from '../../../core/model/ids';
import { TrainableModels } from '../../../core/training/submit/trainableModels';
import type { PlannedModel } from './modelItems';
import type { SubmitTarget } from './resolveSubmitTarget';

/** Reads the current models and jobs of an organization. Throws `FleetError`. */
export async function readModels({ target, stores }: SubmitTarget): Promise<TrainableModels> {
  const { organizationId } = target;
  const [items, jobs] = await Promise.all([
    stores.registry.list(organizationId, { fresh: true }),
    stores.training.list(organizationId, { fresh: true }),
  ]);
  return new TrainableModels(items, jobs);
}

/** Prompts and request of one kind of training. */
export interface Submission<Plan extends PlannedModel> {
  /** Shows the plan until the user confirms it. Throws `canceled`. */
  readonly confirm: (plan: Plan, models: TrainableModels) => Promise<Plan>;
  readonly send: (plan: Plan) => Promise<TrainingJobId>;
}

/** Submitted plan and its job. */
export interface Submitted<Plan extends PlannedModel> {
  readonly plan: Plan;
  readonly jobId: TrainingJobId;
}

/**
 * Submits the plan that the user has confirmed. If another user has created the version in the
 * meantime, shows the menu again with the next version and the user's other settings. Throws
 * `canceled` and `FleetError`.
 */
export async function submitPlan<Plan extends PlannedModel>(
  submitTarget: SubmitTarget,
  initial: Plan,
  known: TrainableModels,
  { confirm: settle, send }: Submission<Plan>,
): Promise<Submitted<Plan>> {
  let [plan, models] = [initial, known];
  for (;;) {
    const confirmed = await settle(plan, models);
    try {
      return { plan: confirmed, jobId: await submitting(() => send(confirmed)) };
    } catch (error) {
      if (!(error instanceof FleetError) || error.kind !== 'invalid') throw error;
      models = await readModels(submitTarget);
      const { modelName, modelVersion } = confirmed;
      if (!models.isTaken(modelName, modelVersion)) throw error;
      plan = { ...confirmed, modelVersion: models.nextVersion(modelName) };
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Another upload already uses version {1} of "{0}". Using the next version instead.',
          toDisplayText(modelName),
          toDisplayText(modelVersion),
        ),
      );
    }
  }
}

/**
 * Shows progress without a cancel button. After canceling, it would be unknown whether the job
 * exists.
 */
function submitting<T>(send: () => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t('Submitting the training job');
  const options = { location: vscode.ProgressLocation.Notification, title };
  return vscode.window.withProgress(options, send);
}
