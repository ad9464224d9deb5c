import * as l10n from '@vscode/l10n';
import { type JobFilter, type JobState, jobStates, type PageJob } from '../../src/shared/training';
import { element, type ToggleButton, toggleButton, toolButton } from '../ui/elements';
import { toErrorState } from '../messaging/hostConnection';
import { createErrorContent, type RecoveryHandlers } from '../ui/createErrorBox';

/** Debounce time in milliseconds after typing. */
const TYPING = 120;

/** Filter controls for jobs, by text and state. */
export class JobFilterBar {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly toggles = new Map<JobState, ToggleButton>();
  private readonly clear: HTMLButtonElement;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private filter: JobFilter,
    private readonly onChange: (filter: JobFilter) => void,
  ) {
    this.input = element('input', {
      type: 'text',
      class: 'filter-input',
      'data-focus': 'filter',
      spellcheck: 'false',
      'aria-label': l10n.t('Filter training jobs'),
      placeholder: l10n.t('Model, version, dataset, or script'),
      autocomplete: 'off',
    });
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.pressed(event));
    for (const state of jobStates) this.toggles.set(state, this.toggle(state));
    this.clear = toolButton(l10n.t('Clear Filter'), () => this.cleared(), {
      focusKey: 'clear filter',
    });
    const states = element('div', {
      class: 'states',
      role: 'group',
      'aria-label': l10n.t('Show only jobs in these states'),
    });
    states.append(...[...this.toggles.values()].map((toggle) => toggle.element));
    this.element = element(
      'div',
      { class: 'filter', role: 'search' },
      this.input,
      states,
      this.clear,
    );
    this.show();
    this.offer([]);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Resets the filter, so that all jobs are shown. */
  reset(): void {
    this.input.value = '';
    this.set({ text: '', states: [] });
  }

  /** Offers a filter for each state that jobs are in, with the number of jobs in that state. */
  offer(jobs: readonly PageJob[]): void {
    const counts = Map.groupBy(jobs, ({ state }) => state);
    for (const [state, { element: made }] of this.toggles) {
      const count = counts.get(state)?.length ?? 0;
      const name = getStateName(state);
      const text = count > 0 ? `${name} (${String(count)})` : name;
      if (made.textContent !== text) made.textContent = text;
      made.hidden = count === 0 && !this.filter.states.includes(state);
    }
  }

  private toggle(state: JobState): ToggleButton {
    const change = (on: boolean): void => {
      const others = this.filter.states.filter((one) => one !== state);
      // The most recently typed text might not be applied yet.
      this.set({ text: this.input.value, states: on ? [...others, state] : others });
    };
    return toggleButton(getStateName(state), change, { focusKey: `state ${state}` });
  }

  private cleared(): void {
    this.reset();
    // The focused button was removed.
    this.input.focus();
  }

  private typed(): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.take(), TYPING);
  }

  private take(): void {
    this.set({ ...this.filter, text: this.input.value });
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      this.take();
    } else if (event.key === 'Escape' && this.input.value !== '') {
      this.input.value = '';
      this.take();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private set(filter: JobFilter): void {
    clearTimeout(this.typing);
    this.filter = filter;
    this.show();
    this.onChange(filter);
  }

  private show(): void {
    const { text, states } = this.filter;
    if (this.input.value !== text) this.input.value = text;
    for (const [state, toggle] of this.toggles) toggle.setOn(states.includes(state));
    this.clear.hidden = text === '' && states.length === 0;
  }
}

function getStateName(state: JobState): string {
  switch (state) {
    case 'pending':
      return l10n.t('Pending');
    case 'running':
      return l10n.t('Running');
    case 'completed':
      return l10n.t('Completed');
    case 'failed':
      return l10n.t('Failed');
    case 'canceling':
      return l10n.t('Canceling');
    case 'canceled':
      return l10n.t('Canceled');
    case 'other':
      return l10n.t('Other');
  }
}

/** Returns the jobs that match a filter. Each word in the filter must occur in the job's line. */
export function matchingJobs(
  jobs: readonly PageJob[],
  { text, states }: JobFilter,
): readonly PageJob[] {
  const terms = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return jobs.filter((job) => {
    if (states.length > 0 && !states.includes(job.state)) return false;
    const { model, version, training, dataset, status, id } = job;
    const line = [model, version, training, dataset, status, id].join(' ').toLowerCase();
    return terms.every((word) => line.includes(word));
  });
}

/** Shows why jobs can't be loaded or are outdated, and the recovery actions. */
export class ErrorBanner {
  readonly element = element('div', { class: 'failure', role: 'alert' });

  constructor(private readonly actions: RecoveryHandlers) {
    this.clear();
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  show(error: unknown): void {
    this.element.hidden = false;
    this.element.replaceChildren(
      ...createErrorContent(
        toErrorState(error),
        l10n.t("Couldn't load the training jobs."),
        this.actions,
      ),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
