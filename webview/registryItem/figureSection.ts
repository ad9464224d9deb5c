import type { PageFigures, PageItem, PageTable } from '../../src/shared/registryItem';
import { element, keepingFocus, progressRing } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { uniqueId } from '../ui/uniqueId';
import type { ItemContext } from './itemContext';
import { factList } from './itemFacts';

/** How good the versions of a model are, and which files they have: of one version at a time. */
export class FigureSection {
  readonly element = element('div', { class: 'figures' });
  private figures: PageFigures | undefined;
  private problem: string | undefined;
  private version: string | undefined;
  private asking: AbortController | undefined;

  constructor(
    private readonly item: PageItem,
    private readonly context: ItemContext,
  ) {
    this.draw();
  }

  /** Reads the figures, unless they are there: a version does not change, and its archive may be large. */
  async read(): Promise<void> {
    if (!this.figures || this.figures.problem !== undefined) await this.readChosen();
  }

  /** Reads those of the version that is chosen, the newest at first. What is shown stays meanwhile. */
  private async readChosen(): Promise<void> {
    const { host } = this.context;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { version } = this;
    try {
      this.figures = await host.request('readFigures', { version }, asking.signal);
      this.problem = undefined;
    } catch (error) {
      if (asking.signal.aborted) return;
      this.figures = undefined;
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  private draw(): void {
    keepingFocus(
      this.element,
      () => this.element.replaceChildren(...this.parts()),
      () => undefined,
    );
  }

  private parts(): HTMLElement[] {
    const { figures, problem } = this;
    const { figures: words } = this.context.strings;
    const chooser = this.item.versions.length > 1 ? [this.chooser()] : [];
    if (problem !== undefined) return [...chooser, this.note(problem)];
    if (!figures) return [...chooser, element('div', {}, progressRing(words.loading))];
    return [...chooser, ...this.told(figures), element('h3', {}, words.files), this.files(figures)];
  }

  private told({ facts, tables, problem }: PageFigures): HTMLElement[] {
    if (problem !== undefined) return [this.note(problem)];
    const { none } = this.context.strings.figures;
    if (facts.length + tables.length === 0) return [element('p', { class: 'faint' }, none)];
    return [element('div', { class: 'facts' }, factList(facts)), ...tables.map(tableOf)];
  }

  private note(problem: string): HTMLElement {
    const { failed } = this.context.strings.figures;
    return element('p', { class: 'note' }, fillPlaceholders(failed, problem));
  }

  private chooser(): HTMLElement {
    const { item, context } = this;
    const id = uniqueId('figures-version');
    const shown = this.version ?? item.versions[0]?.version;
    const options = item.versions.map(({ version }) => {
      const option = element('option', { value: version }, version);
      if (version === shown) option.setAttribute('selected', '');
      return option;
    });
    const select = element('select', { id, 'data-focus': 'figures version' }, ...options);
    select.addEventListener('change', () => {
      this.version = select.value;
      void this.readChosen();
    });
    return element(
      'p',
      { class: 'chooser' },
      element('label', { for: id }, context.strings.figures.version),
      select,
    );
  }

  private files({ files }: PageFigures): HTMLElement {
    const { noFiles } = this.context.strings.figures;
    if (files.length === 0) return element('p', { class: 'faint' }, noFiles);
    const lines = files.map(({ name, size }) =>
      element('li', {}, element('code', { dir: 'auto' }, name), ` (${size})`),
    );
    return element('ul', { class: 'files' }, ...lines);
  }
}

function tableOf({ caption, head, rows }: PageTable): HTMLElement {
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
