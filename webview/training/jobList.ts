import type { JobState, PageJob } from '../../src/shared/training';
import { element } from '../ui/elements';
import { VirtualRows } from '../ui/virtualRows';
import { formatDuration } from '../../src/shared/formatDuration';
import { localeTag } from '../ui/format';

interface JobListOptions {
  readonly label: string;
  readonly times: JobTimes;
  /** Text that marks a compared job. */
  readonly mark: string;
  readonly isCompared: (job: string) => boolean;
  /** Called to add the selected job to the comparison, or to remove it. */
  readonly onToggle: (job: string) => void;
  readonly onSelect: (job: string) => void;
  /** Called when the user presses Enter on the selected job. */
  readonly onEnter: () => void;
}

interface DrawnJob {
  readonly job: PageJob;
  readonly element: HTMLElement;
}

/** The list of jobs; only the visible rows are drawn. */
export class JobList {
  private readonly rows: VirtualRows;
  private readonly drawn = new Map<string, DrawnJob>();
  private jobs: readonly PageJob[] = [];
  private selected: string | undefined;

  constructor(private readonly options: JobListOptions) {
    const attributes = {
      role: 'listbox',
      class: 'jobs',
      'aria-label': options.label,
      'data-focus': 'jobs',
    };
    this.rows = new VirtualRows(attributes, {
      groupRole: 'presentation',
      onWindow: () => undefined,
      rowAt: (index) => this.rowAt(index),
      onDrawn: () => this.markSelected(),
      // New jobs appear at the top, so the list doesn't follow its end and the visible jobs stay
      // where they are.
      onFollowing: (follows) => follows && this.rows.stay(),
      onStart: () => undefined,
    });
    this.rows.stay();
    this.element.addEventListener('click', ({ target }) => this.clicked(target));
    this.element.addEventListener('keydown', (event) => this.pressed(event));
  }

  get element(): HTMLElement {
    return this.rows.element;
  }

  focus(): void {
    this.element.focus();
  }

  show(jobs: readonly PageJob[]): void {
    this.jobs = jobs;
    const ids = new Set(jobs.map(({ id }) => id));
    for (const id of this.drawn.keys()) if (!ids.has(id)) this.drawn.delete(id);
    this.rows.change({ first: 0, end: jobs.length, moves: [], reset: true });
    this.rows.refresh();
  }

  /** @param reveal true to scroll the job into view */
  select(id: string | undefined, reveal: boolean): void {
    this.selected = id;
    const index = this.selectedIndex;
    if (reveal && index >= 0) this.rows.scrollTo(index, 'nearest');
    this.rows.refresh();
  }

  /** Redraws the list after the set of compared jobs changed. */
  comparisonChanged(): void {
    this.rows.refresh();
  }

  /** Updates the displayed durations of running jobs. */
  tick(now: number): void {
    for (const { job, element: row } of this.drawn.values()) {
      const lasted = trainedFor(job, now);
      const shown = row.querySelector('.job-duration');
      if (!shown || lasted === undefined || job.endedAt !== undefined) continue;
      shown.textContent = this.options.times.duration(lasted);
    }
  }

  private get selectedIndex(): number {
    return this.jobs.findIndex(({ id }) => id === this.selected);
  }

  private rowAt(index: number): HTMLElement {
    const job = this.jobs[index];
    if (!job) return element('div');
    const known = this.drawn.get(job.id);
    const isSame = known && JSON.stringify(known.job) === JSON.stringify(job);
    const row = isSame ? known.element : jobRow(job, this.options.times, this.options.mark);
    if (!isSame) this.drawn.set(job.id, { job, element: row });
    row.setAttribute('aria-posinset', String(index + 1));
    row.setAttribute('aria-setsize', String(this.jobs.length));
    row.setAttribute('aria-selected', String(job.id === this.selected));
    row.querySelector('.job-mark')?.toggleAttribute('hidden', !this.options.isCompared(job.id));
    return row;
  }

  private markSelected(): void {
    const { selected } = this;
    const row = selected === undefined ? null : document.getElementById(jobRowId(selected));
    if (row) this.element.setAttribute('aria-activedescendant', row.id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  private clicked(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-job]') : null;
    if (row?.dataset.job !== undefined) this.options.onSelect(row.dataset.job);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { selectedIndex: index, jobs } = this;
    const page = this.rows.rowsPerPage;
    const indexByKey: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index < 0 ? 0 : index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: jobs.length - 1,
    };
    const to = indexByKey[event.key];
    const selected = this.jobs[index]?.id;
    if (event.key === 'Enter') {
      this.options.onEnter();
    } else if (event.key === ' ') {
      if (selected !== undefined) this.options.onToggle(selected);
    } else if (to === undefined) {
      return;
    } else {
      const job = jobs[Math.min(Math.max(to, 0), jobs.length - 1)];
      if (job) this.options.onSelect(job.id);
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Returns the ID of a job's element, by which the list refers to the selected job. */
function jobRowId(id: string): string {
  return `job-${id}`;
}

/**
 * Creates a job's two-line row: its result and status, then its inputs.
 * @param mark text that indicates that the job is being compared
 */
function jobRow(job: PageJob, times: JobTimes, mark: string): HTMLElement {
  const { id, model, version, state, status, training, dataset, submittedAt } = job;
  const row = element(
    'div',
    { role: 'option', id: jobRowId(id), class: `job ${state}`, 'data-job': id },
    element(
      'div',
      { class: 'job-line' },
      statusIcon(state),
      element('span', { class: 'job-model', dir: 'auto' }, model),
      ' ',
      element('span', { class: 'job-version', dir: 'auto' }, version),
      ' ',
      element('span', { class: 'job-mark', hidden: '' }, mark),
      ' ',
      element('span', { class: 'job-status' }, status),
    ),
  );
  const second = element('div', { class: 'job-line second' });
  const now = Date.now();
  const lasted = trainedFor(job, now);
  const description = [dataset, training].filter((text) => text !== '').join(' · ');
  second.append(
    element('span', { class: 'job-of', dir: 'auto', title: description }, description),
    ' ',
  );
  if (submittedAt !== undefined) second.append(times.renderShortTime(submittedAt, now), ' ');
  if (lasted !== undefined) {
    second.append(element('span', { class: 'job-duration' }, times.duration(lasted)));
  }
  row.append(second);
  return row;
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Icon paths in a 16 by 16 square. Each state has its own shape, so the states are recognizable
 * without color.
 */
const SHAPES: Readonly<Record<JobState, string>> = {
  pending: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 5v3.5l2.5 1.5',
  running: 'M8 2a6 6 0 1 1-5.2 3M2.5 2v3.2h3.2',
  completed: 'M3 8.5l3.5 3.5L13.5 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  canceling: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M5.5 8h5',
  canceled: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M4 12L12 4',
  other: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4v.6M8 12.6v.4',
};

/** Returns a state's icon, which is shown next to the state's name. */
export function statusIcon(state: JobState): SVGElement {
  const image = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 16 16', class: `status-icon ${state}`, 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', SHAPES[state]);
  image.append(path);
  return image;
}

/** Formatters for times and durations of jobs, localized. */
export interface JobTimes {
  /** Formats a timestamp, with the full date and time as a tooltip. */
  renderTime(at: number): HTMLElement;
  /** Formats a timestamp briefly for a list. */
  renderShortTime(at: number, now: number): HTMLElement;
  /** Formats the time of day. */
  clock(at: number): string;
  /** Formats a duration using its two largest units. */
  duration(milliseconds: number): string;
}

export function jobTimes(locale: string): JobTimes {
  const tag = localeTag(locale);
  const short = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const full = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' });
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' });
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const thisYear = new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', ...time });
  const earlier = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' });
  const createTimeElement = (at: number, format: Intl.DateTimeFormat): HTMLElement => {
    const attributes = { datetime: new Date(at).toISOString(), title: full.format(at) };
    return element('time', attributes, format.format(at));
  };
  return {
    renderTime: (at) => createTimeElement(at, short),
    renderShortTime: (at, now) => createTimeElement(at, isSameYear(at, now) ? thisYear : earlier),
    clock: (at) => clock.format(at),
    duration: (milliseconds) => formatDuration(Math.max(0, milliseconds), tag),
  };
}

function isSameYear(at: number, now: number): boolean {
  return new Date(at).getFullYear() === new Date(now).getFullYear();
}

/**
 * Returns a job's training time in milliseconds; undefined if the job hasn't started or the time is
 * unknown.
 */
export function trainedFor(
  { startedAt, endedAt, state }: PageJob,
  now: number,
): number | undefined {
  if (startedAt === undefined) return undefined;
  if (endedAt !== undefined) return endedAt - startedAt;
  return state === 'running' || state === 'canceling' ? now - startedAt : undefined;
}
