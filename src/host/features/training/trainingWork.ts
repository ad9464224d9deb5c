import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../../../base/clock';
import { Disposable } from '../../../base/disposable';
import type { KeyValue, Logger } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';
import type { LocalFleetStatus } from '../../platform/featureInterfaces';
import { AwaitedJobs, type JobHandover } from './awaitedJobs';
import { JobEndings, NotifiedJobs } from './jobEndings';
import { noticeModel, showModel } from './createdModel';
import { JobWatches } from './jobWatches';
import {
  TrainingPanel,
  type TrainingPanelOptions,
  type TrainingPanelStart,
} from './panel/trainingPanel';
import { trainingJobTarget } from '../../../core/model/resourceTarget';
import { toDisplayText, withoutLinks } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import type { TrainingJob } from '../../../core/model/trainingJob';
import { trainingName } from '../../platform/text/trainingText';

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
  }

  /** Creates the content of a webview panel. */
  createPanel(panel: vscode.WebviewPanel, start: TrainingPanelStart): TrainingPanel {
    return new TrainingPanel(panel, start, { ...this.options, watches: this.watches });
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
  const model = vscode.l10n.t('View Model');
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
