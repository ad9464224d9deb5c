import * as vscode from 'vscode';
import { join } from 'node:path';
import type { DisposableSet } from '../base/disposable';
import type { Logger } from '../core/ports';
import type { RestartOffers } from './platform/deploy/restartOffers';
import type { ErrorPresenter } from './platform/commands/errorPresenter';
import type { FleetTools } from './platform/fleetTools';
import type { LocalFleetStatus } from './platform/featureInterfaces';
import { toKeyValue } from './platform/storage';
import { CommandFeature } from './platform/commands/commandRegistry';
import { WebviewPanels } from './platform/webview/webviewPanels';
import { type DeployOptions, deployTools } from './platform/deploy/deployTools';
import type { TrainingSubmitTools } from './features/trainingSubmit/submitTarget';
import { webviews } from '../manifest/contributions';
import type { ShowableTraining } from '../manifest/commandArguments';
import { isTrainingPageState } from '../shared/training';
import { describedOrganization } from './platform/targetOrganization';
import { onlyOrganization } from './platform/prompts/onlyOrganization';
import type { TrainingPanel, TrainingPanelStart } from './features/training/panel/trainingPanel';
import { type AwaitedJob, AwaitedJobs, JobHandover } from './features/training/awaitedJobs';
import { Submissions } from './features/training/jobWatches';
import type { TrainingWork, TrainingWorkOptions } from './features/training/trainingWork';

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

/** Deploys trained models to machines, as edits to their configs that the user reviews. */
class ModelDeployFeature extends CommandFeature {
  constructor(options: DeployOptions) {
    super(options.commands);
    const tools = deployTools(options);
    this.command('fleetwright.model.deploy', async (argument, version) => {
      const { deployModel } = await import('./features/modelDeploy/deployModel');
      await deployModel(tools, argument, version);
    });
  }
}

/** Submits training jobs for models. Loaded on first use. */
class TrainingSubmitFeature extends CommandFeature {
  constructor(tools: TrainingSubmitTools) {
    super(tools.commands);
    this.command('fleetwright.training.submit', async (argument) => {
      const { submitTraining } = await import('./features/trainingSubmit/submitTraining');
      await submitTraining(tools, argument);
    });
    this.command('fleetwright.training.submitCustom', async (argument) => {
      const { submitCustom } = await import('./features/trainingSubmit/submitCustom');
      await submitCustom(tools, argument);
    });
  }
}

// Loaded on first use of one of its commands.
const jobCommands = () => import('./features/training/jobCommands');

/** Commands for monitoring, canceling, and deleting submitted training jobs. */
class TrainingFeature extends CommandFeature {
  private working: Promise<TrainingWork> | undefined;
  private readonly panels: WebviewPanels<TrainingPanelStart, TrainingPanel>;
  private readonly handover: JobHandover;

  constructor(
    private readonly options: TrainingWorkOptions & Pick<vscode.ExtensionContext, 'extensionUri'>,
  ) {
    super(options.commands);
    const { sessions, storage, sharedFolder } = options;
    this.handover = new JobHandover(join(sharedFolder, 'awaitedTrainings'));
    this.command('fleetwright.training.show', (target) => this.show(target));
    this.command('fleetwright.training.cancel', async (job) =>
      (await jobCommands()).cancelJob(options, job, this.panels.active),
    );
    this.command('fleetwright.training.delete', async (job) =>
      (await jobCommands()).deleteJob(options, job, this.panels.active),
    );
    this.panels = this.register(
      new WebviewPanels({
        type: webviews.training,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState,
        load: async () => {
          const work = await this.work();
          return (panel, start) => work.createPanel(panel, start);
        },
      }),
    );
    const wait = async (job: AwaitedJob): Promise<void> => (await this.work()).endings.await(job);
    this.register(new Submissions(sessions, (job) => void wait(job).catch(options.presentError)));
    // The window was reloaded while it was waiting for jobs.
    if (new AwaitedJobs(storage).all.length > 0) void this.work();
    // Another window that was waiting for jobs might have been closed.
    const takeOver = (): void => void this.takeOver().catch(options.presentError);
    this.register(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) takeOver();
      }),
    );
    takeOver();
  }

  private async takeOver(): Promise<void> {
    if ((await this.handover.left()).length > 0) await (await this.work()).endings.takeOver();
  }

  private work(): Promise<TrainingWork> {
    this.working ??= import('./features/training/trainingWork').then(({ TrainingWork }) =>
      this.register(new TrainingWork(this.options, this.handover)),
    );
    return this.working;
  }

  private async show(requestedTarget: ShowableTraining | undefined): Promise<void> {
    const scope = requestedTarget ?? (await onlyOrganization(this.options));
    const { connectionId, organizationId } = scope;
    const { name } = await this.options.sessions
      .stores(connectionId)
      .organizations.get(organizationId);
    await this.panels.show({
      target: { kind: 'organization', connectionId, organizationId, name },
      job: scope.kind === 'trainingJob' ? scope.jobId : undefined,
    });
  }
}

/** Parses a page's state after a window reload. */
function parseState(state: unknown): TrainingPanelStart | undefined {
  const target = isTrainingPageState(state) ? describedOrganization(state.panel) : undefined;
  return target && { target };
}
