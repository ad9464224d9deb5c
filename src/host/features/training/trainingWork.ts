import { join } from 'node:path';
import type * as vscode from 'vscode';
import { systemClock, systemSleep } from '../../../base/clock';
import { Disposable } from '../../../base/disposable';
import type { KeyValue, Logger } from '../../../core/ports';
import type { FleetTools } from '../../platform/fleetTools';
import type { LocalFleetStatus } from '../../platform/localFleetStatus';
import type { JobPanel } from './chooseJob';
import { AwaitedJobs } from './endings/awaitedJobs';
import type { JobHandover } from './endings/jobHandover';
import { JobEndings } from './endings/jobEndings';
import { noticeModel } from './endings/noticeModel';
import { notifyJobCompletion } from './endings/notifyJobCompletion';
import { NotifiedJobs } from './endings/notifiedJobs';
import { JobWatches } from './jobWatches';
import { TrainingPanel, type TrainingPanelOptions } from './panel/trainingPanel';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';

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
        ...{ watches: this.watches, sessions, localFleet, handover, log },
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
