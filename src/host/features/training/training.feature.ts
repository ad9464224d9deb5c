import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ShowableTraining } from '../../../manifest/commandArguments';
import { webviews } from '../../../manifest/contributions';
import { isTrainingPageState } from '../../../shared/training';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import { onlyOrganization } from '../../platform/prompts/onlyOrganization';
import { describedOrganization } from '../../platform/targetOrganization';
import { WebviewPanels } from '../../platform/webview/webviewPanels';
import { type AwaitedJob, AwaitedJobs, JobHandover } from './awaitedJobs';
import { Submissions } from './jobWatches';
import type { TrainingPanel, TrainingPanelStart } from './panel/trainingPanel';
import type { TrainingWork, TrainingWorkOptions } from './trainingWork';

// Loaded on first use of one of its commands.
const jobCommands = () => import('./jobCommands');

/** Commands for monitoring, canceling, and deleting submitted training jobs. */
export class TrainingFeature extends CommandFeature {
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
    this.working ??= import('./trainingWork').then(({ TrainingWork }) =>
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
