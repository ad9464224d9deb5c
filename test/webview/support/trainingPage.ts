import './englishVscode';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  type JobDetail,
  type JobLog,
  type JobLogLine,
  type JobMetrics,
  type JobProgress,
  type PageJob,
  type PageJobs,
  trainingProtocol,
  type TrainingProtocol,
} from '../../../src/shared/training';
import type { HostHandlers } from '../../../src/shared/protocol';
import type { ThemeKind } from './themes';
import { type AppFiles, WebviewPage } from './webviewPage';

const SUBMITTED = Date.UTC(2026, 3, 20, 9);
const MINUTE = 60_000;

/** Returns a job, which is completed unless `change` specifies otherwise. */
export function pageJob(change: Partial<PageJob> & Pick<PageJob, 'id'>): PageJob {
  return {
    model: 'fruit',
    version: '1.0.0',
    state: 'completed',
    status: 'Completed',
    training: 'Classification (single label)',
    dataset: 'Fruit of May',
    submittedAt: SUBMITTED,
    startedAt: SUBMITTED + MINUTE,
    endedAt: SUBMITTED + 3 * MINUTE + 5_000,
    ...change,
  };
}

/** One job in each state, newest first. */
export const someJobs: readonly PageJob[] = [
  pageJob({ id: 'j6', version: '1.4.0', state: 'pending', status: 'Pending', ...notEnded() }),
  pageJob({
    id: 'j5',
    version: '1.3.0',
    state: 'running',
    status: 'Running',
    ...notEnded(),
    startedAt: SUBMITTED + MINUTE,
  }),
  pageJob({ id: 'j4', version: '1.2.0', state: 'canceling', status: 'Canceling', ...notEnded() }),
  pageJob({ id: 'j3', model: 'cracks', state: 'failed', status: 'Failed', dataset: 'Walls' }),
  pageJob({ id: 'j2', model: 'cracks', version: '0.9.0', state: 'canceled', status: 'Canceled' }),
  pageJob({ id: 'j1', training: 'Script acme:trainer 2.0.0' }),
  pageJob({ id: 'j0', version: '0.1.0', state: 'other', status: 'Status 17' }),
];

function notEnded(): Pick<PageJob, 'startedAt' | 'endedAt'> {
  return { startedAt: undefined, endedAt: undefined };
}

const noProgress: JobProgress = { losses: [], qualities: [] };

export const someProgress: JobProgress = {
  epoch: 3,
  epochs: 40,
  losses: [
    { name: 'loss', epochs: [1, 2, 3], values: [0.9, 0.5, 0.4] },
    { name: 'val_loss', epochs: [1, 2, 3], values: [1, 0.6, 0.5] },
  ],
  qualities: [{ name: 'accuracy', epochs: [1, 2, 3], values: [0.5, 0.8, 0.91] }],
};

export function logLines(count: number): JobLogLine[] {
  return Array.from({ length: count }, (_, index) => ({
    at: SUBMITTED + index * 1_000,
    level: 'info' as const,
    message: `Line ${String(index)}`,
  }));
}

/** A fake host with generated jobs. All messages that it receives are stored in `sent`. */
export class FakeTrainingHost {
  readonly sent: (readonly [name: string, params?: unknown])[] = [];
  jobs: PageJobs = { organization: 'Acme', jobs: someJobs };
  details = new Map<string, Partial<JobDetail>>();
  lines: JobLogLine[] = [];
  first = 0;
  problem: string | undefined;
  progress = noProgress;
  /** Default metrics, used for all completed jobs that don't have their own metrics. */
  metrics: JobMetrics = { numbers: [], labels: [], confusion: [] };
  readonly curvesByJob = new Map<string, JobProgress>();
  readonly metricsByJob = new Map<string, JobMetrics>();
  failure: Error | undefined;
  selected: string | undefined;
  locale = 'en-US';

  getSent(name: keyof TrainingProtocol): readonly unknown[] {
    return this.sent.filter(([one]) => one === name).map(([, params]) => params);
  }

  get handlers(): HostHandlers<TrainingProtocol> {
    const note =
      (name: keyof TrainingProtocol) =>
      (params: unknown): unknown =>
        this.sent.push([name, params]);
    return {
      ready: () =>
        Promise.resolve({
          locale: this.locale,
          panel: 'panel 1',
          selected: this.selected,
        }),
      load: (params) => {
        this.sent.push(['load', params]);
        return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.jobs);
      },
      detail: ({ job }) => Promise.resolve(this.detail(job)),
      readMetrics: ({ job }) => Promise.resolve(this.metricsByJob.get(job) ?? this.metrics),
      readCurves: ({ job }) => {
        this.sent.push(['readCurves', { job }]);
        return Promise.resolve(this.curvesByJob.get(job) ?? noProgress);
      },
      readLog: ({ from }) => Promise.resolve(this.log(from)),
      select: note('select'),
      compare: note('compare'),
      copyId: note('copyId'),
      cancel: note('cancel'),
      delete: note('delete'),
      submitAgain: note('submitAgain'),
      showModel: note('showModel'),
      deploy: note('deploy'),
      showDataset: note('showDataset'),
      openLog: note('openLog'),
      submit: note('submit'),
      signIn: note('signIn'),
      startLocalFleet: note('startLocalFleet'),
    };
  }

  private detail(id: string): JobDetail {
    const state = this.jobs.jobs.find((job) => job.id === id)?.state;
    const isActive = state === 'pending' || state === 'running' || state === 'canceling';
    return {
      facts: [{ name: 'Job ID', value: id, isCode: true }],
      canCancel: isActive && state !== 'canceling',
      canDelete: !isActive,
      canSubmit: true,
      canDeploy: state === 'completed',
      hasModel: state === 'completed',
      hasDataset: true,
      ...this.details.get(id),
    };
  }

  private log(requestedFrom: number): JobLog {
    const { first, lines, problem, progress } = this;
    const from = Math.max(requestedFrom, first);
    return {
      from,
      first,
      progress,
      total: first + lines.length,
      lines: lines.slice(from - first, from - first + 500),
      ...(problem !== undefined && { problem }),
    };
  }
}

interface TrainingPageOptions {
  readonly host: FakeTrainingHost;
  /** The result of `bundleApp('training')`. */
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  readonly state?: unknown;
}

/** The training panel in a browser, with a fake host. */
export class TrainingPage {
  private constructor(
    readonly webview: WebviewPage<TrainingProtocol>,
    readonly host: FakeTrainingHost,
  ) {}

  static async open(
    browser: Browser,
    { host, ...options }: TrainingPageOptions,
  ): Promise<TrainingPage> {
    const webview = await WebviewPage.open(browser, {
      app: 'training',
      protocol: trainingProtocol,
      handlers: host.handlers,
      ...options,
    });
    return new TrainingPage(webview, host);
  }

  get page(): Page {
    return this.webview.page;
  }

  get list(): Locator {
    return this.page.getByRole('listbox');
  }

  get rows(): Locator {
    return this.page.getByRole('option');
  }

  /** The heading of the selected job. */
  get title(): Locator {
    return this.page.getByRole('heading', { level: 2 });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async close(): Promise<void> {
    await this.webview.close();
  }
}
