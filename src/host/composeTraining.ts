import type * as vscode from 'vscode';
import type { DisposableSet } from '../base/disposable';
import type { Logger } from '../core/ports';
import { ModelDeployFeature } from './features/modelDeploy/modelDeploy.feature';
import { TrainingFeature } from './features/training/training.feature';
import { TrainingSubmitFeature } from './features/trainingSubmit/trainingSubmit.feature';
import type { RestartOffers } from './platform/deploy/restartOffers';
import type { ErrorPresenter } from './platform/commands/errorPresenter';
import type { FleetTools } from './platform/fleetTools';
import type { LocalFleetStatus } from './platform/featureInterfaces';
import { toKeyValue } from './platform/storage';

interface TrainingDeps extends FleetTools {
  readonly owned: DisposableSet;
  readonly context: Pick<
    vscode.ExtensionContext,
    'extensionUri' | 'globalStorageUri' | 'workspaceState'
  >;
  readonly localFleet: LocalFleetStatus;
  readonly errors: ErrorPresenter;
  readonly restarts: RestartOffers;
  readonly log: Logger;
}

/**
 * Creates the features for training models: submitting and monitoring jobs, and using their models.
 */
export function composeTraining({ owned, context, ...tools }: TrainingDeps): void {
  owned.add(
    new TrainingFeature({
      ...tools,
      extensionUri: context.extensionUri,
      storage: toKeyValue(context.workspaceState),
      sharedFolder: context.globalStorageUri.fsPath,
      presentError: (error) => tools.errors.present(error),
    }),
  );
  owned.add(
    new TrainingSubmitFeature({
      ...tools,
      presentError: (error) => tools.errors.present(error),
    }),
  );
  owned.add(new ModelDeployFeature({ ...tools, storage: toKeyValue(context.workspaceState) }));
}
