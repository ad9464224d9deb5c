import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../../../base/clock';
import { Disposable } from '../../../base/disposable';
import type { KeyValue, Logger } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';
import type { LocalFleetStatus } from '../../platform/featureInterfaces';
import type { JobPanel } from './chooseJob';
import { AwaitedJobs, type JobHandover } from './awaitedJobs';
import { JobEndings, NotifiedJobs } from './jobEndings';
import { noticeModel } from './endings/noticeModel';
import { JobWatches } from './jobWatches';
import { TrainingPanel, type TrainingPanelOptions } from './panel/trainingPanel';
import { type OrganizationTarget, trainingJobTarget } from '../../../core/model/resourceTarget';
import { toDisplayText, withoutLinks } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import type { TrainingJob } from '../../../core/model/trainingJob';
import { trainingName } from '../../platform/text/trainingText';
import { showModel } from './showModel';

export interface TrainingWorkOptions extends FleetTools, TrainingPanelOptions {
  /** Storage of this window. */
  readonly storage: KeyValue;
  /** Folder that all windows share. */
  readonly sharedFolder: string;
  readonly localFleet: LocalFleetStatus;
  readonly log: Logger;
}

/** Panels and notifications for training jobs in this window. Loaded on demand. */
export class TrainingWork extends Disposable {
  readonly endings: JobEndings;
  private readonly watches: JobWatches;
  private readonly panels = new Set<TrainingPanel>();

  constructor(
    private readonly options: TrainingWorkOptions,
    handover: JobHandover,
  ) {
    super();
    const { sessions, localFleet, storage, sharedFolder, presentError, log } = options;
    this.watches = this.register(new JobWatches(sessions, systemSleep));
    this.endings = this.register(
      new JobEndings({
        watches: this.watches,
        sessions,
        localFleet,
        handover,
        log,
        awaited: new AwaitedJobs(storage),
        notified: new NotifiedJobs(join(sharedFolder, 'toldTrainings'), systemClock),
        ended: (connection, job) => noticeModel(sessions, connection, job),
        notify: (connection, job) =>
          void notifyJobCompletion(options, connection, job).catch(presentError),
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  /**
   * Shows the panel of an organization, if the panel exists.
   * @param job job to select
   * @returns true if the panel exists
   */
  show({ connectionId, organizationId }: OrganizationTarget, job: string | undefined): boolean {
    const open = [...this.panels].find(
      ({ target }) =>
        target.connectionId === connectionId && target.organizationId === organizationId,
    );
    open?.show(job);
    return open !== undefined;
  }

  get activePanel(): JobPanel | undefined {
    return [...this.panels].find(({ isActive }) => isActive);
  }

  /** Fills a webview panel with the page for an organization's jobs. */
  fill(panel: vscode.WebviewPanel, target: OrganizationTarget, job?: string): void {
    const { watches } = this;
    const filled = new TrainingPanel(panel, target, { ...this.options, watches }, job);
    this.panels.add(filled);
    panel.onDidDispose(() => this.panels.delete(filled));
  }
}

/** Maximum length of reasons; the panel shows the full text. */
const MAX_REASON_LENGTH = 300;

/** Notifies the user that a job has finished, with links to the job and its model. */
async function notifyJobCompletion(
  tools: Pick<FleetTools, 'commands' | 'sessions'>,
  connectionId: ConnectionId,
  job: TrainingJob,
): Promise<void> {
  const show = vscode.l10n.t('Show Training');
  const model = vscode.l10n.t('Show Model');
  const chosen = await message(job, show, model);
  if (chosen === show) {
    await tools.commands.execute('fleetwright.training.show', trainingJobTarget(connectionId, job));
  } else if (chosen === model) {
    await showModel(tools, connectionId, job);
  }
}

function message(job: TrainingJob, show: string, model: string): Thenable<string | undefined> {
  const name = trainingName(job);
  const { window, l10n } = vscode;
  switch (job.status) {
    case 'completed':
      return window.showInformationMessage(
        l10n.t('Training of "{0}" is complete.', name),
        model,
        show,
      );
    case 'failed': {
      const reason = withoutLinks(toDisplayText(job.error ?? '', MAX_REASON_LENGTH));
      return window.showErrorMessage(l10n.t('Training of "{0}" failed. {1}', name, reason), show);
    }
    case 'canceled':
      return window.showInformationMessage(l10n.t('Training of "{0}" was canceled.', name), show);
    default:
      return window.showInformationMessage(l10n.t('Training of "{0}" has finished.', name), show);
  }
}
