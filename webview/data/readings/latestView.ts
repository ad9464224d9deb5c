import * as l10n from '@vscode/l10n';
import { getRecoveryLabel } from '../../ui/createErrorBox';
import type { Latest, LatestSource, ReadingListingRef } from '../../../src/shared/data/readings';
import type { DataContext } from '../dataContext';
import { createRecoveryHandlers, toErrorState } from '../../messaging/hostConnection';
import { element, textButton, toolButton } from '../../ui/elements';
import { type FormatTime, localeTag } from '../../ui/format';

/**
 * Maximum number of concurrent requests. It is low enough that a shared service can still serve
 * other users.
 */
const AT_ONCE = 6;

interface LatestOptions {
  readonly context: DataContext;
  readonly timeText: () => FormatTime;
  readonly failed: (error: unknown) => void;
}

/** The latest value for each resource. Each value is requested individually. */
export class LatestView {
  readonly element = element('div', { class: 'latest-view' });
  private readonly table = element('table', { class: 'figure-table' });
  private readonly note = element('span', { class: 'faint', role: 'status' });
  private abortController: AbortController | undefined;
  private ref: ReadingListingRef | undefined;

  constructor(private readonly options: LatestOptions) {
    this.table.setAttribute('aria-label', l10n.t('Latest value of each resource'));
    const refresh = toolButton(l10n.t('Refresh'), () => this.ref && void this.show(this.ref), {
      focusKey: 'latest refresh',
    });
    const scroller = element('div', { class: 'figure-scroller', tabindex: '0' }, this.table);
    scroller.setAttribute('role', 'region');
    scroller.setAttribute('aria-label', l10n.t('Latest value of each resource'));
    this.element.append(element('div', { class: 'viewer-head' }, this.note, refresh), scroller);
  }

  async show(ref: ReadingListingRef): Promise<void> {
    this.stop();
    this.ref = ref;
    const controller = new AbortController();
    this.abortController = controller;
    const { context, failed } = this.options;
    try {
      const { sources, read } = await context.host.request('latestSources', ref, controller.signal);
      const number = (value: number): string => value.toLocaleString(context.locale);
      this.note.textContent = l10n.t(
        '{0} resources in the {1} readings loaded so far',
        number(sources.length),
        number(read),
      );
      const rows = sources.map((source) => ({ source, row: this.row(source) }));
      const body = element('tbody', {}, ...rows.map(({ row }) => row));
      this.table.replaceChildren(this.head(), body);
      const rest = rows.values();
      const worker = async (): Promise<void> => {
        for (const { source, row } of rest) await this.fill(row, source, ref, controller.signal);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    } catch (error) {
      if (!controller.signal.aborted) failed(error);
    }
  }

  stop(): void {
    this.abortController?.abort();
  }

  private head(): HTMLElement {
    const cells = [l10n.t('Resource'), l10n.t('Method'), l10n.t('Time'), l10n.t('Value')].map(
      (name) => element('th', { scope: 'col' }, name),
    );
    return element('thead', {}, element('tr', {}, ...cells));
  }

  private row({ resource, method }: LatestSource): HTMLTableRowElement {
    return element(
      'tr',
      {},
      element('th', { scope: 'row', dir: 'auto' }, resource),
      element('td', { dir: 'auto' }, method),
      element('td', {}, l10n.t('Loading…')),
      element('td', {}),
    );
  }

  private async fill(
    row: HTMLTableRowElement,
    source: LatestSource,
    ref: ReadingListingRef,
    signal: AbortSignal,
  ): Promise<void> {
    const { host } = this.options.context;
    const [, , when, value] = row.cells;
    if (!when || !value) return;
    try {
      const latest = await host.request('latestReading', { ...ref, key: source.key }, signal);
      this.put(latest, when, value);
    } catch (error) {
      if (signal.aborted) return;
      const { message, recovery } = toErrorState(error);
      const actions = createRecoveryHandlers(host, () => void this.fill(row, source, ref, signal));
      const label = getRecoveryLabel(recovery);
      const out = textButton(label, actions[recovery], {
        focusKey: `retry ${source.key}`,
        hint: `${label}: ${source.resource}`,
      });
      when.replaceChildren(out);
      value.textContent = message;
    }
  }

  private put({ at, values }: Latest, when: HTMLElement, value: HTMLElement): void {
    const { context, timeText } = this.options;
    if (at === undefined) {
      when.textContent = l10n.t('No data within the last year');
      return;
    }
    const exact = timeText()(at);
    const ago = formatTimeAgo(at, Date.now(), context.locale);
    when.replaceChildren(element('div', {}, ago), element('div', { class: 'faint' }, exact));
    value.replaceChildren(
      element(
        'dl',
        { class: 'latest-values' },
        ...values.map(({ name, text }) =>
          element(
            'div',
            {},
            element('dt', { dir: 'auto' }, name),
            element('dd', { dir: 'auto' }, text),
          ),
        ),
      ),
    );
  }
}

const SECOND = 1_000;
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
];

/**
 * Formats the time elapsed since a timestamp in its largest unit. The timestamp can be in the
 * future, because machine clocks can be ahead.
 */
function formatTimeAgo(at: number, now: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(localeTag(locale), { numeric: 'auto' });
  const elapsed = now - at;
  const [unit, length] = UNITS.find(([, least]) => Math.abs(elapsed) >= least) ?? [
    'second',
    SECOND,
  ];
  return format.format(-Math.trunc(elapsed / length), unit);
}
