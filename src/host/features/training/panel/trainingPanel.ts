import * as vscode from 'vscode';
import { describeReadOnly } from '../../../../core/api/readOnly';
import { Disposable } from '../../../../base/disposable';
import { type FleetError, isCanceled, toFleetError } from '../../../../core/api/errors';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import {
  type DatasetTarget,
  type OrganizationTarget,
  trainingJobTarget,
} from '../../../../core/model/resourceTarget';
import type { TrainingJob, TrainingLogLine } from '../../../../core/model/trainingJob';
import type { Logger } from '../../../../core/ports';
import type { HostHandlers } from '../../../../shared/protocol';
import {
  type JobFact,
  type JobLog,
  type JobLogLine,
  type JobMetric,
  type JobMetrics,
  trainingProtocol,
  type TrainingProtocol,
} from '../../../../shared/training';
import { describeOrganization } from '../../../platform/targetOrganization';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireRight } from '../../../platform/permissions/requireRight';
import { formatTrainingStatus, trainingName } from '../../../platform/text/trainingText';
import { createRecoveryHandlers } from '../../../platform/webview/recoveryActions';
import { WebviewDispatcher } from '../../../platform/webview/webviewDispatcher';
import type { PanelContent } from '../../../platform/webview/webviewPanels';
import type { JobPanel } from '../chooseJob';
import type { JobWatches } from '../jobWatches';
import { madeModel, showModel } from '../createdModel';
import { jobDetail, type JobLabels, pageJobs, pageProgress } from './pageJob';
import { type JobLogFeed, TrainingSession } from './trainingSession';
import type { TrainingLogReader } from '../../../../core/training/trainingLogReader';
import { formatDateTimeWithSeconds, formatNumber } from '../../../platform/text/displayText';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import type { ModelMetrics } from '../../../../core/training/modelMetrics';
import { getMetricName, readModelMetrics } from '../../../platform/text/modelMetrics';
import { argumentLine } from '../../../../core/training/submit/scriptArguments';
import { formatModelFramework, formatModelTask } from '../../../platform/text/registryText';

export interface TrainingPanelOptions extends FleetTools {
  readonly presentError: (error: unknown) => void;
  readonly log: Logger;
}

/** Organization of a panel. */
export interface TrainingPanelStart {
  readonly target: OrganizationTarget;
  /**
   * Job that the page must select when it has loaded. If undefined, the page selects the
   * previously selected job.
   */
  readonly job?: string | undefined;
}

/** Webview panel with an organization's training jobs. */
export class TrainingPanel
  extends Disposable
  implements PanelContent<TrainingPanelStart>, JobPanel
{
  readonly target: OrganizationTarget;
  private requestedJob: string | undefined;
  private readonly session: TrainingSession;
  private readonly dispatcher: WebviewDispatcher<TrainingProtocol>;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    { target, job }: TrainingPanelStart,
    private readonly options: TrainingPanelOptions & { readonly watches: JobWatches },
  ) {
    super();
    this.target = target;
    this.requestedJob = job;
    const { sessions, watches, presentError, log } = options;
    this.session = this.register(
      new TrainingSession(target, {
        sessions,
        watches,
        deletedMessage: formatMissingJob,
        requireRight: (stores, organization) => requireRight(stores, organization, 'train'),
      }),
    );
    this.dispatcher = this.register(
      new WebviewDispatcher(trainingProtocol, panel.webview, this.handlers(), presentError, log),
    );
    this.subscribe();
    this.setTitle(displayName({ name: target.name, id: target.organizationId }));
  }

  get start(): TrainingPanelStart {
    return { target: this.target, job: this.requestedJob };
  }

  shows({ target: { connectionId, organizationId } }: TrainingPanelStart): boolean {
    const { target } = this;
    return target.connectionId === connectionId && target.organizationId === organizationId;
  }

  reveal(): void {
    this.panel.reveal();
  }

  select({ job }: TrainingPanelStart): void {
    // When a hidden page is shown, it reloads and requests this job.
    this.requestedJob = job;
    if (job !== undefined) this.dispatcher.notify('selected', { job });
  }

  get selectedJob(): TrainingJob | undefined {
    return this.session.selectedJob;
  }

  private subscribe(): void {
    const { session, panel, dispatcher } = this;
    this.register(session.onDidChange(() => dispatcher.notify('changed', undefined)));
    this.register(session.onDidChangeLog((job) => dispatcher.notify('logChanged', { job })));
    this.register(panel.onDidChangeViewState(() => session.setVisible(panel.visible)));
    session.setVisible(panel.visible);
  }

  private setTitle(organization: string): void {
    const title = vscode.l10n.t('Training: {0}', organization);
    if (this.panel.title !== title) this.panel.title = title;
  }

  private handlers(): HostHandlers<TrainingProtocol> {
    const { session, target } = this;
    return {
      ready: () => {
        // A page that has started doesn't show the comparison.
        session.compare([]);
        return Promise.resolve({
          locale: vscode.env.language,
          panel: describeOrganization(target),
          selected: this.requestedJob,
        });
      },
      load: async ({ fresh }, signal) => {
        const read = await session.load(fresh, signal);
        this.setTitle(toDisplayText(read.organization));
        return pageJobs(read, getJobLabels(), this.describeReadOnly());
      },
      detail: ({ job }) => {
        const found = session.job(job);
        const isReadOnly = this.describeReadOnly() !== undefined;
        const dataset = session.getDatasetName(found);
        return Promise.resolve(jobDetail(found, dataset, getJobLabels(), isReadOnly));
      },
      readMetrics: ({ job }, signal) =>
        readJobMetrics(session.stores.registry, session.job(job), signal),
      readCurves: async ({ job }, signal) => pageProgress(await session.progress(job, signal)),
      readLog: async ({ job, from }, signal) =>
        pageLog(await session.log(job, signal), from, describeLogError),
      select: ({ job }) => {
        this.requestedJob = undefined;
        session.select(job);
      },
      compare: ({ jobs }) => session.compare(jobs),
      ...this.actions(),
    };
  }

  /** Describes why the connection is read-only; undefined if changes are allowed. */
  private describeReadOnly(): string | undefined {
    const connection = this.options.sessions.connection(this.target.connectionId);
    return connection?.readOnly && describeReadOnly(connection, vscode.l10n);
  }

  private actions(): Omit<
    HostHandlers<TrainingProtocol>,
    'ready' | 'load' | 'detail' | 'readMetrics' | 'readCurves' | 'readLog' | 'select' | 'compare'
  > {
    const { session, target, options } = this;
    const { connectionId } = target;
    const { commands } = options;
    const toTarget = (job: string) => trainingJobTarget(connectionId, session.job(job));
    return {
      copyId: ({ job }) => vscode.env.clipboard.writeText(session.job(job).id),
      cancel: ({ job }) => commands.execute('fleetwright.training.cancel', toTarget(job)),
      delete: ({ job }) => commands.execute('fleetwright.training.delete', toTarget(job)),
      submitAgain: ({ job }) => commands.execute('fleetwright.training.submit', toTarget(job)),
      showModel: ({ job }) => showModel(options, connectionId, session.job(job)),
      deploy: async ({ job }) =>
        commands.execute(
          'fleetwright.model.deploy',
          await madeModel(options, connectionId, session.job(job)),
        ),
      showDataset: ({ job }) =>
        commands.execute('fleetwright.data.browse', this.toDatasetTarget(job)),
      openLog: ({ job }) => this.openLog(job),
      submit: () => commands.execute('fleetwright.training.submit', target),
      ...createRecoveryHandlers(commands, () => options.watches.of(target).pollSoon()),
    };
  }

  private toDatasetTarget(id: string): DatasetTarget {
    const job = this.session.job(id);
    const { connectionId, organizationId } = this.target;
    return {
      kind: 'dataset',
      connectionId,
      organizationId,
      datasetId: job.datasetId,
      name: this.session.getDatasetName(job) ?? job.datasetId,
    };
  }

  private async openLog(id: string): Promise<void> {
    const { follower } = await this.session.log(id, new AbortController().signal);
    const content = formatLog(trainingName(this.session.job(id)), follower);
    const document = await vscode.workspace.openTextDocument({ content, language: 'log' });
    await vscode.window.showTextDocument(document);
  }
}

function formatMissingJob(job: string): string {
  return vscode.l10n.t(
    "Training job {0} no longer exists, or you don't have permission to view it.",
    toDisplayText(job),
  );
}

function describeLogError({ kind, message }: FleetError): string {
  return kind === 'unsupported'
    ? vscode.l10n.t("This service doesn't store training job logs.")
    : vscode.l10n.t("Couldn't load the job log. {0}", message);
}

/** Formats a log as lines of text, with times in UTC. */
export function formatLog(
  name: string,
  { lines, dropped }: Pick<TrainingLogReader, 'lines' | 'dropped'>,
): string {
  const texts = lines.map(({ at, level, message }) =>
    [at?.toISOString(), level, message]
      .filter((text) => text !== undefined && text !== '')
      .join(' '),
  );
  const cut =
    dropped > 0
      ? [vscode.l10n.t('{0} earlier lines are not shown.', formatNumber(dropped)), '']
      : [];
  return [name, '', ...cut, ...texts, ''].join('\n');
}

/** Maximum number of lines in one message to the page. */
const MAX_LINES = 2_000;
const MAX_LINE_LENGTH = 4_000;

const LEVELS: readonly (readonly [JobLogLine['level'], RegExp])[] = [
  ['error', /^(?:error|fatal|critical|panic)/i],
  ['warn', /^warn/i],
];

/** Returns a chunk of a log, starting at a line number counted from 0 across all logged lines. */
function pageLog(
  { follower, failure }: JobLogFeed,
  from: number,
  problemText: (failure: NonNullable<JobLogFeed['failure']>) => string,
): JobLog {
  const { lines, dropped } = follower;
  const start = Math.min(Math.max(from, dropped), dropped + lines.length);
  return {
    from: start,
    lines: lines.slice(start - dropped, start - dropped + MAX_LINES).map(pageLine),
    total: dropped + lines.length,
    first: dropped,
    ...(failure && { problem: problemText(failure) }),
    progress: pageProgress(follower.progress),
  };
}

function pageLine({ level, at, message }: TrainingLogLine): JobLogLine {
  return {
    ...(at && { at: at.getTime() }),
    level: LEVELS.find(([, pattern]) => pattern.test(level))?.[0] ?? 'info',
    message: toDisplayText(message.replaceAll('\t', '    '), MAX_LINE_LENGTH),
  };
}

const NO_METRICS: JobMetrics = { numbers: [], labels: [], confusion: [] };

/**
 * Reads the metrics of a completed job's model from the model's archive. If the archive is
 * unreadable, returns a problem to show instead of throwing. Throws `canceled`.
 */
export async function readJobMetrics(
  registry: Pick<RegistryStore, 'package' | 'content'>,
  { organizationId, modelName, modelVersion }: TrainingJob,
  signal: AbortSignal,
): Promise<JobMetrics> {
  const model = { organizationId, name: modelName, type: 'mlModel' } as const;
  try {
    const info = await registry.package(model, modelVersion, undefined, signal);
    const metrics = await readModelMetrics(registry, info, signal);
    return metrics ? toPageMetrics(metrics) : NO_METRICS;
  } catch (error) {
    if (signal.aborted || isCanceled(error)) throw error;
    return { ...NO_METRICS, problem: toFleetError(error).message };
  }
}

function toPageMetrics(metrics: ModelMetrics): JobMetrics {
  const { numbers, labels, confusion, trainingImages, heldOutImages } = metrics;
  return {
    numbers: [
      ...numbers.map(({ name: key, value }) => ({ key, value, ...getMetricName(key) })),
      ...toCount('trainingImages', vscode.l10n.t('Images used for training'), trainingImages),
      ...toCount('heldOutImages', vscode.l10n.t('Images used for testing'), heldOutImages),
    ],
    labels: labels.map((one) => ({ ...one, label: toDisplayText(one.label) })),
    confusion,
  };
}

function toCount(key: string, name: string, value: number | undefined): readonly JobMetric[] {
  return value === undefined ? [] : [{ key: `images.${key}`, name, value, isShare: false }];
}

/** Returns the localized strings for describing training jobs. */
export function getJobLabels(): JobLabels {
  return { status: formatTrainingStatus, training: formatTraining, facts };
}

function formatTraining({ script, task, organizationId }: TrainingJob): string {
  if (!script) return formatModelTask(task);
  // An organization without a namespace uses its ID as the prefix. In the organization's own list,
  // this prefix adds no information.
  const own = `${organizationId}:`;
  const { itemId } = script;
  const name = itemId.startsWith(own) ? itemId.slice(own.length) : itemId;
  return vscode.l10n.t('Script {0} {1}', toDisplayText(name), toDisplayText(script.version));
}

function facts(job: TrainingJob, dataset: string | undefined): readonly JobFact[] {
  const { script, status } = job;
  return [
    code(vscode.l10n.t('Job ID'), job.id),
    toPlainFact(vscode.l10n.t('Status'), typeof status === 'number' ? formatNumber(status) : ''),
    toPlainFact(
      vscode.l10n.t('Dataset'),
      dataset ?? vscode.l10n.t("It was deleted, or you don't have permission to view it."),
    ),
    code(vscode.l10n.t('Dataset ID'), job.datasetId),
    toPlainFact(vscode.l10n.t('Task'), formatModelTask(job.task)),
    toPlainFact(vscode.l10n.t('Framework'), formatModelFramework(job.framework)),
    code(vscode.l10n.t('Training script'), script?.itemId ?? ''),
    code(vscode.l10n.t('Script version'), script?.version ?? ''),
    toPlainFact(vscode.l10n.t('Labels'), job.labels.join(', ')),
    code(vscode.l10n.t('Arguments'), argumentLine(job.arguments)),
    code(vscode.l10n.t('Container'), job.container),
    toPlainFact(vscode.l10n.t('Last change'), formatTime(job.modifiedAt)),
    code(vscode.l10n.t('Package of the model'), job.modelPackageId),
  ];
}

function formatTime(at: Date | undefined): string {
  return at ? formatDateTimeWithSeconds(at) : '';
}

const MAX_VALUE_LENGTH = 2_000;

function toPlainFact(name: string, value: string): JobFact {
  return { name, value: toDisplayText(value, MAX_VALUE_LENGTH), isCode: false };
}

function code(name: string, value: string): JobFact {
  return { ...toPlainFact(name, value), isCode: true };
}
