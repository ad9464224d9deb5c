import * as l10n from '@vscode/l10n';
import type { PageFact, PageItem, PageMetrics, PageTable } from '../../src/shared/registryItem';
import { element, progressRing, redrawKeepingFocus, textButton, uniqueId } from '../ui/elements';
import type { ItemContext } from './itemContext';

/** Keys of focusable elements. */
const NEWEST = 'newest metrics';
const VERSION = 'metrics version';

export interface MetricsOptions {
  /** The selected version; undefined for the newest version. */
  readonly version: string | undefined;
  /**
   * Called when the user selects another version; undefined for the newest version, including
   * future ones.
   */
  readonly onVersion: (version: string | undefined) => void;
}

/** A model version's metrics and files, one version at a time. */
export class MetricsSection {
  readonly element = element('div', { class: 'metrics' });
  private metrics: PageMetrics | undefined;
  private problem: string | undefined;
  private version: string | undefined;
  private abortController: AbortController | undefined;

  constructor(
    private readonly item: PageItem,
    private readonly context: ItemContext,
    private readonly options: MetricsOptions,
    before: MetricsSection | undefined,
  ) {
    this.version = options.version;
    if (before && before.chosen === this.chosen) this.metrics = before.metrics;
    this.draw();
  }

  /**
   * Loads the metrics unless they are already loaded. A version doesn't change, and its archive can
   * be large.
   */
  async read(): Promise<void> {
    if (!this.metrics || this.metrics.problem !== undefined) await this.readChosen();
  }

  /** Shows the metrics for another version. */
  choose(version: string | undefined): void {
    const { newest } = this;
    this.version = version === newest ? undefined : version;
    this.options.onVersion(this.version);
    this.metrics = undefined;
    this.problem = undefined;
    this.draw();
    void this.readChosen();
  }

  private get chosen(): string | undefined {
    return this.version ?? this.newest;
  }

  private get newest(): string | undefined {
    return this.item.versions[0]?.version;
  }

  /** Loads the metrics for the selected version. */
  private async readChosen(): Promise<void> {
    const { host } = this.context;
    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    const { version } = this;
    try {
      this.metrics = await host.request('loadMetrics', { version }, controller.signal);
      this.problem = undefined;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.metrics = undefined;
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  private draw(): void {
    redrawKeepingFocus(
      this.element,
      () => this.element.replaceChildren(...this.parts()),
      // The link to the newest version disappears after use.
      (key) => (key === NEWEST ? (this.partAt(NEWEST) ?? this.partAt(VERSION)) : undefined),
    );
  }

  private partAt(key: string): HTMLElement | undefined {
    return this.element.querySelector<HTMLElement>(`[data-focus="${key}"]`) ?? undefined;
  }

  private parts(): HTMLElement[] {
    const { metrics, problem } = this;
    const shown = this.shownVersion();
    if (problem !== undefined) return [shown, this.note(problem)];
    if (!metrics) return [shown, element('div', {}, progressRing(l10n.t('Loading metrics…')))];
    return [
      shown,
      ...this.renderMetrics(metrics),
      element('h3', {}, l10n.t('Files')),
      this.files(metrics),
    ];
  }

  private renderMetrics({ facts, tables, problem }: PageMetrics): HTMLElement[] {
    if (problem !== undefined) return [this.note(problem)];
    if (facts.length + tables.length === 0) {
      return [element('p', { class: 'faint' }, l10n.t('This version has no metrics.'))];
    }
    return [element('div', { class: 'facts' }, factList(facts)), ...tables.map(createTable)];
  }

  private note(problem: string): HTMLElement {
    return element('p', { class: 'note' }, l10n.t("Couldn't load the metrics. {0}", problem));
  }

  /** Creates the name of the shown version with a control to select another version. */
  private shownVersion(): HTMLElement {
    const { newest } = this;
    const shown = this.version ?? newest ?? '';
    const known = this.item.versions.map(({ version }) => version);
    // Keep offering a selected version that was deleted.
    const offered = known.includes(shown) ? known : [shown, ...known];
    const line =
      offered.length > 1
        ? this.chooser(offered, shown)
        : [
            `${l10n.t('Version')} `,
            element('strong', { dir: 'auto', tabindex: '-1', 'data-focus': VERSION }, shown),
          ];
    if (newest !== undefined && shown !== newest) {
      const show = textButton(l10n.t('Show Newest'), () => this.choose(undefined), {
        focusKey: NEWEST,
        hint: l10n.t('Show Newest'),
      });
      line.push(
        element('span', { class: 'faint' }, l10n.t('The latest version is {0}.', newest)),
        show,
      );
    }
    return element('div', { class: 'chooser' }, ...line);
  }

  private chooser(offered: readonly string[], shown: string): (HTMLElement | string)[] {
    const id = uniqueId('metrics-version');
    const options = offered.map((version) => {
      const option = element('option', { value: version }, version);
      if (version === shown) option.setAttribute('selected', '');
      return option;
    });
    const select = element('select', { id, 'data-focus': VERSION }, ...options);
    select.addEventListener('change', () => this.choose(select.value));
    return [element('label', { for: id }, l10n.t('Version')), select];
  }

  private files({ files }: PageMetrics): HTMLElement {
    if (files.length === 0) {
      return element('p', { class: 'faint' }, l10n.t("The service doesn't list the files."));
    }
    const lines = files.map(({ name, size }) =>
      element('li', {}, element('code', { dir: 'auto' }, name), ` (${size})`),
    );
    return element('ul', { class: 'files' }, ...lines);
  }
}

function createTable({ caption, head, rows }: PageTable): HTMLElement {
  const cells = head.map((text) =>
    text === '' ? element('td', {}) : element('th', { scope: 'col', dir: 'auto' }, text),
  );
  const lines = rows.map(([first = '', ...others]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', dir: 'auto' }, first),
      ...others.map((text) => element('td', { class: 'number' }, text)),
    ),
  );
  return element(
    'div',
    { class: 'scrolling', tabindex: '0', role: 'group', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...cells)),
      element('tbody', {}, ...lines),
    ),
  );
}

/** Creates the list of the item's key facts. */
export function itemFacts(facts: readonly PageFact[], heading: string): HTMLElement {
  return element('section', { class: 'facts', 'aria-label': heading }, factList(facts));
}

/** Creates a list of names and their values. */
function factList(facts: readonly PageFact[]): HTMLElement {
  const rows = facts.map(({ name, value, isCode }) =>
    element(
      'div',
      {},
      element('dt', {}, name),
      element('dd', { dir: 'auto' }, isCode ? element('code', {}, value) : value),
    ),
  );
  return element('dl', {}, ...rows);
}
