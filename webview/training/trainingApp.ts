import * as l10n from '@vscode/l10n';
import { accessLossKinds } from '../../src/shared/accessLoss';
import type { JobFilter, PageJob, PageJobs } from '../../src/shared/training';
import { createRecoveryHandlers, HostError } from '../messaging/hostConnection';
import {
  button,
  element,
  passingFocusOn,
  progressRing,
  readOnlyNote,
  toolButton,
} from '../ui/elements';
import { type ComparedJobs, MAX_COMPARED_JOBS, toggleJob } from './comparisonTables';
import { ComparisonView } from './comparisonView';
import { ErrorBanner, JobFilterBar, matchingJobs } from './jobFilterBar';
import { JobList, jobTimes } from './jobList';
import { JobView } from './jobView';
import type { TrainingContext } from './trainingContext';

/** State that the panel saved before a reload. */
export interface PanelBefore {
  readonly filter: JobFilter;
  readonly selected: string | undefined;
  readonly compared: ComparedJobs;
}

interface AppOptions {
  readonly context: TrainingContext;
  readonly before: PanelBefore;
  readonly saveState: (state: PanelBefore) => void;
}

const TICK_MS = 1_000;

/** The training panel: the list of jobs and the selected job's details. */
export class TrainingApp {
  private readonly heading = element('h1', { dir: 'auto' });
  private readonly errorBanner: ErrorBanner;
  private readonly filterBar: JobFilterBar;
  private readonly list: JobList;
  private readonly view: JobView;
  private readonly comparison: ComparisonView;
  private readonly compare: HTMLButtonElement;
  private readonly submit: HTMLButtonElement;
  private readonly readOnly = element('span');
  private readonly count = element('p', { class: 'faint count', role: 'status' });
  private readonly empty = element('div', { class: 'empty-state' });
  private readonly columns: HTMLElement;
  private filter: JobFilter;
  private selected: string | undefined;
  private compared: ComparedJobs;
  /** True while the comparison is shown instead of the selected job. */
  private isComparing = false;
  private jobs: PageJobs | undefined;
  /** True if the host was notified about the selected job. */
  private hasNotifiedSelection = false;
  private abortController: AbortController | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: AppOptions,
  ) {
    const { context, before } = options;
    const { locale } = context;
    this.filter = before.filter;
    this.selected = before.selected;
    this.compared = before.compared;
    const times = jobTimes(locale);
    const actions = createRecoveryHandlers(context.host, () => void this.load(true));
    this.errorBanner = new ErrorBanner(actions);
    this.filterBar = new JobFilterBar(before.filter, (filter) => {
      this.filter = filter;
      this.saveState();
      this.passingFocusOn(() => this.show());
    });
    const comparing = {
      isCompared: (job: string) => this.compared.includes(job),
      toggle: (job: string) => this.toggleCompared(job),
    };
    this.view = new JobView(context, times, (error) => this.errorBanner.show(error), comparing);
    this.comparison = new ComparisonView({
      context,
      times,
      onChange: (jobs) => this.setCompared(jobs),
      onClose: () => this.setComparing(false),
    });
    this.compare = toolButton('', () => this.setComparing(true), {
      focusKey: 'compare jobs',
      class: 'bordered',
    });
    const { host } = context;
    this.submit = toolButton(l10n.t('Train Model…'), () => host.send('submit', undefined), {
      focusKey: 'submit',
      class: 'bordered',
    });
    this.list = new JobList({
      label: l10n.t('Training jobs, newest first'),
      times,
      mark: l10n.t('Compared'),
      isCompared: comparing.isCompared,
      onToggle: comparing.toggle,
      onSelect: (job) => this.select(job),
      onEnter: () => this.view.focus(),
    });
    const side = element('div', { class: 'side' }, this.list.element, this.count);
    this.columns = element('div', { class: 'columns' }, side, this.view.element);
    this.columns.append(this.comparison.element);
    this.draw();
    setInterval(() => this.tick(), TICK_MS);
  }

  /**
   * Loads the jobs; `fresh` bypasses the cache. The current content stays visible until the jobs
   * are loaded.
   */
  async load(fresh: boolean): Promise<void> {
    const { host, announce } = this.options.context;
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    this.root.setAttribute('aria-busy', 'true');
    const isFirst = !this.jobs;
    if (isFirst) announce(l10n.t('Loading training jobs…'));
    try {
      const jobs = await host.request('load', { fresh }, controller.signal);
      this.passingFocusOn(() => this.take(jobs));
    } catch (error) {
      if (controller.signal.aborted) return;
      this.passingFocusOn(() => this.fail(error));
    } finally {
      if (isFirst && !controller.signal.aborted) announce('');
    }
    this.root.setAttribute('aria-busy', 'false');
  }

  /** Called when a job's log has grown. */
  logChanged(job: string): void {
    if (job === this.selected) this.view.logChanged();
    this.comparison.logChanged(job);
  }

  /** Selects a job even if it doesn't match the filter. */
  reveal(job: string): void {
    const isThere = this.shown().some(({ id }) => id === job);
    if (!isThere) this.filterBar.reset();
    this.select(job);
  }

  private take(jobs: PageJobs): void {
    this.announceChange(jobs);
    const before = this.shown().findIndex(({ id }) => id === this.selected);
    this.jobs = jobs;
    this.compared = this.compared.filter((job) => jobs.jobs.some(({ id }) => id === job));
    this.errorBanner.clear();
    this.heading.textContent = l10n.t('Training: {0}', jobs.organization);
    const isThere = jobs.jobs.some(({ id }) => id === this.selected);
    const isFirst = this.selected === undefined || !isThere;
    const shown = this.shown();
    // After the selected job is deleted, the next job is at its former index.
    const index = Math.min(Math.max(before, 0), shown.length - 1);
    if (isFirst) this.selected = shown[index]?.id;
    this.show();
    if (isFirst || !this.hasNotifiedSelection) this.notifySelected();
    this.list.select(this.selected, isFirst);
  }

  /** Redraws and, if this removed the focused element, moves focus to another element. */
  private passingFocusOn(draw: () => void): void {
    const findFocusable = (part: HTMLElement): HTMLElement | null =>
      part.querySelector<HTMLElement>('[data-focus]');
    passingFocusOn(draw, () => {
      if (!this.columns.hidden) return this.list.element;
      return (
        findFocusable(this.errorBanner.element) ??
        findFocusable(this.empty) ??
        findFocusable(this.root)
      );
    });
  }

  private fail(error: unknown): void {
    this.errorBanner.show(error);
    if (error instanceof HostError && accessLossKinds.has(error.kind)) this.jobs = undefined;
    this.show();
  }

  /** Announces the selected job's status changes to screen readers. */
  private announceChange({ jobs }: PageJobs): void {
    const before = this.job;
    const now = jobs.find(({ id }) => id === before?.id);
    if (!before || !now || before.status === now.status) return;
    const { announce } = this.options.context;
    announce(l10n.t('{0}: {1}', `${now.model} ${now.version}`, now.status));
  }

  private get job(): PageJob | undefined {
    return this.jobs?.jobs.find(({ id }) => id === this.selected);
  }

  private shown(): readonly PageJob[] {
    return this.jobs ? matchingJobs(this.jobs.jobs, this.filter) : [];
  }

  private select(job: string): void {
    this.isComparing = false;
    this.showComparison();
    if (job !== this.selected) {
      this.selected = job;
      this.notifySelected();
      this.saveState();
      this.view.show(this.job, this.jobs?.readOnly !== undefined);
    }
    this.list.select(job, true);
  }

  private toggleCompared(job: string): void {
    const { announce, locale } = this.options.context;
    const before = this.compared;
    this.setCompared(toggleJob(before, job));
    const { model = '', version = '' } = this.jobs?.jobs.find(({ id }) => id === job) ?? {};
    const name = `${model} ${version}`.trim();
    const limit = MAX_COMPARED_JOBS.toLocaleString(locale);
    if (this.compared === before) {
      announce(l10n.t('You can compare up to {0} jobs. Remove one to add another.', limit));
    } else if (before.includes(job)) {
      announce(l10n.t('Removed {0} from the comparison.', name));
    } else {
      announce(l10n.t('Added {0} to the comparison.', name));
    }
  }

  private setCompared(jobs: ComparedJobs): void {
    this.compared = jobs;
    this.saveState();
    this.list.comparisonChanged();
    this.view.comparisonChanged();
    this.passingFocusOn(() => this.showComparison());
  }

  private setComparing(isComparing: boolean): void {
    this.isComparing = isComparing;
    this.showComparison();
    if (isComparing) this.comparison.focus();
    else this.list.focus();
  }

  /** Updates the comparison, which needs at least two jobs and excludes deleted jobs. */
  private showComparison(): void {
    const { locale } = this.options.context;
    const jobs = this.compared.flatMap((job) => this.jobs?.jobs.find(({ id }) => id === job) ?? []);
    const isPossible = jobs.length > 1;
    if (!isPossible) this.isComparing = false;
    const count = jobs.length.toLocaleString(locale);
    this.compare.textContent = l10n.t('Compare {0} Jobs', count);
    this.compare.hidden = !isPossible;
    this.view.element.hidden = this.isComparing || this.job === undefined;
    this.comparison.show(this.isComparing ? jobs : []);
  }

  private notifySelected(): void {
    const { host } = this.options.context;
    this.hasNotifiedSelection = true;
    host.send('select', this.selected === undefined ? {} : { job: this.selected });
  }

  private show(): void {
    const { locale } = this.options.context;
    const { jobs } = this;
    const shown = this.shown();
    this.filterBar.offer(jobs?.jobs ?? []);
    this.list.show(shown);
    this.view.show(this.job, jobs?.readOnly !== undefined);
    this.showReadOnly(jobs?.readOnly);
    this.showComparison();
    const hasJobs = jobs !== undefined && jobs.jobs.length > 0;
    this.columns.hidden = !hasJobs;
    this.filterBar.element.hidden = !hasJobs;
    this.showEmpty(hasJobs);
    const number = (value: number): string => value.toLocaleString(locale);
    const total = jobs?.jobs.length ?? 0;
    const count = l10n.t('{0} of {1} jobs', number(shown.length), number(total));
    const text = shown.length === 0 && hasJobs ? l10n.t('No jobs match the filter.') : count;
    if (this.count.textContent !== text) this.count.textContent = text;
  }

  private showEmpty(hasJobs: boolean): void {
    const { host } = this.options.context;
    this.empty.hidden = hasJobs || this.errorBanner.isShown;
    if (this.empty.hidden) return;
    if (!this.jobs) {
      this.empty.replaceChildren(progressRing(l10n.t('Loading training jobs…')));
      return;
    }
    if (this.jobs.readOnly !== undefined) {
      this.empty.replaceChildren(element('p', {}, l10n.t('No trained models yet.')));
      return;
    }
    const submit = (): void => host.send('submit', undefined);
    this.empty.replaceChildren(
      element('p', {}, l10n.t('No trained models yet. Train one from a dataset.')),
      button(l10n.t('Train Model…'), submit, { focusKey: 'submit first', primary: true }),
    );
  }

  private tick(): void {
    if (document.hidden) return;
    const now = Date.now();
    this.list.tick(now);
    this.view.tick(now);
  }

  private saveState(): void {
    const { filter, selected, compared } = this;
    this.options.saveState({ filter, selected, compared });
  }

  /** Hides the submission of jobs, and shows the reason. */
  private showReadOnly(reason: string | undefined): void {
    this.submit.hidden = reason !== undefined;
    this.readOnly.hidden = reason === undefined;
    const note = readOnlyNote(reason);
    this.readOnly.replaceChildren(...(note ? [note] : []));
  }

  private draw(): void {
    this.heading.textContent = l10n.t('Training');
    const bar = element('div', {
      class: 'toolbar',
      role: 'toolbar',
      'aria-label': l10n.t('Actions'),
    });
    bar.append(
      this.readOnly,
      this.submit,
      this.compare,
      toolButton(l10n.t('Refresh'), () => void this.load(true), {
        focusKey: 'refresh',
        class: 'bordered',
      }),
    );
    this.root.append(
      element('header', {}, this.heading, bar, this.filterBar.element),
      this.errorBanner.element,
      this.empty,
      this.columns,
    );
    this.show();
    this.view.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.list.focus();
      event.preventDefault();
      event.stopPropagation();
    });
    document.addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
      this.filterBar.focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
